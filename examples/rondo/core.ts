export * from "../../src/core.ts";
