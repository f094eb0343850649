import { describe, expect, test } from "vitest";
import {
  createRuntime,
  type ExecOptions,
  type ModelRequest,
  type RuntimeOptions,
  type ToolOptions,
  tool,
} from "../../src/core.ts";
import { createRuntime as withBuiltIns } from "../../src/index.ts";
import { scripted } from "../../src/testing/index.ts";

const namesOf = (request: ModelRequest | undefined) => request?.tools.map((one) => one.name);

const plain = (name: string, options: ToolOptions & { readonly description?: string } = {}) =>
  tool({ name, description: `Does ${name}.`, ...options, execute: () => `ran ${name}` });

describe("automatic deferral", () => {
  const many = (count: number, chars?: number) =>
    Array.from({ length: count }, (_, i) => plain(`thing_${i}`, chars ? { description: "x".repeat(chars) } : {}));
  const declared = async (options: ExecOptions, defaults: RuntimeOptions = {}, contextTokens?: number) => {
    const model = scripted(["done", "again"]);
    const runtime = createRuntime({
      ...defaults,
      model: contextTokens === undefined ? model : { ...model, contextTokens, stream: model.stream.bind(model) },
    });
    await runtime.exec("go", options);
    return namesOf(model.requests[0]);
  };
  test("begins above 10,000 tokens where the window is not known", async () => {
    expect(await declared({ tools: many(120, 200) })).toHaveLength(120);
    expect(await declared({ tools: many(120, 400) })).toEqual(["tool_search", "call_tool"]);
  });
  test("begins above a tenth of a window that is known", async () => {
    expect(await declared({ tools: many(60) }, {}, 8_000)).toEqual(["tool_search", "call_tool"]);
    const large = many(120, 400);
    expect(await declared({ tools: large }, {}, 1_000_000)).toHaveLength(120);
  });
  test("begins above 127 tools, however small they are, as some providers take no more", async () => {
    expect(await declared({ tools: many(127) }, {}, 1_000_000)).toHaveLength(127);
    expect(await declared({ tools: many(128) }, {}, 1_000_000)).toEqual(["tool_search", "call_tool"]);
  });
  test("is set by deferAbove of the run or the runtime", async () => {
    expect(await declared({ tools: many(600), deferAbove: Infinity })).toHaveLength(600);
    expect(await declared({ tools: many(2), deferAbove: 0 })).toEqual(["tool_search", "call_tool"]);
    expect(await declared({ tools: many(2) }, { deferAbove: 0 })).toEqual(["tool_search", "call_tool"]);
    expect(await declared({ tools: many(2), deferAbove: 1_000 }, { deferAbove: 0 })).toHaveLength(2);
  });
  test("leaves what says defer: false, what is forced and what comes with Rondo", async () => {
    const tools = [...many(3), plain("kept", { defer: false })];
    expect(await declared({ tools, deferAbove: 0, toolChoice: { type: "function", name: "thing_1" } })).toEqual([
      "thing_1",
      "kept",
      "tool_search",
      "call_tool",
    ]);
    const model = scripted(["done"]);
    await withBuiltIns({ model, tools: many(3) }).exec("go", { deferAbove: 0 });
    expect(namesOf(model.requests[0])).toEqual(expect.arrayContaining(["read_file", "run_code", "tool_search"]));
    expect(namesOf(model.requests[0])).not.toContain("thing_0");
  });
  test("does nothing where its two tools are denied, or their names are taken", async () => {
    expect(await declared({ tools: many(2), deferAbove: 0, toolsDeny: ["tool_search"] })).toEqual([
      "thing_0",
      "thing_1",
    ]);
    expect(await declared({ tools: [...many(2), plain("call_tool")], deferAbove: 0 })).toEqual([
      "thing_0",
      "thing_1",
      "call_tool",
    ]);
  });
});
