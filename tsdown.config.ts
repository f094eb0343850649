import { defineConfig } from "tsdown";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    core: "src/core.ts",
    tools: "src/tools/index.ts",
    local: "src/model/local/index.ts",
    testing: "src/testing/index.ts",
    // A thread's program, found beside the chunks that start it.
    "run-code.worker": "src/tools/run-code.worker.ts",
    "cli/bin": "src/cli/bin.ts",
  },
  format: "esm",
  platform: "node",
  target: "node22.18",
  fixedExtension: false,
  dts: true,
  clean: true,
});
