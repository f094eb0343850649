export * from "../../src/testing/index.ts";
