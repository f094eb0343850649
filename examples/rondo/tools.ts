export * from "../../src/tools/index.ts";
