import { describe, expect, test } from "vitest";
import { createRuntime, type ExecOptions, exec, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, call, failure, logged, notRun, picks, play, refuses, tokens } from "./play.fixture.ts";

const prices = { scripted: { input: 1_000_000, output: 2_000_000 } };

describe("limits.toolCalls", () => {
  test("counts calls when they begin; the rest of the batch is answered as not run", async () => {
    const log: string[] = [];
    const { result, model } = await play([picks("a", "b"), picks("c", "d", "e"), "closing"], {
      tools: ["a", "b", "c", "d", "e"].map((name) => logged(name, log)),
      limits: { toolCalls: 3 },
    });
    expect(log).toEqual(["a", "b", "c"]);
    expect(result).toMatchObject({ outcome: "max_tool_calls", text: "closing", rounds: 2 });
    expect(answers(result.messages).slice(2)).toEqual(["c done", notRun, notRun]);
    expect(model.requests[2]?.toolChoice).toBe("none");
  });

  test("calls that do not run cost nothing", async () => {
    const log: string[] = [];
    const { result } = await play([picks("nope", "nope", "a"), "done"], {
      tools: [logged("a", log)],
      limits: { toolCalls: 2 },
    });
    expect(result.outcome).toBe("stop");
    expect(log).toEqual(["a"]);
  });

  test("bounds calls that overlap", async () => {
    const log: string[] = [];
    const { result } = await play([picks("a", "b", "c", "d"), "closing"], {
      tools: ["a", "b", "c", "d"].map((name) => logged(name, log, { readOnly: true })),
      limits: { toolCalls: 3 },
      toolExecution: "overlap",
    });
    expect(log).toEqual(["a", "b", "c"]);
    expect(result.outcome).toBe("max_tool_calls");
  });

  test('at the limit with atLimit "stop": no further request', async () => {
    const { result, model } = await play([picks("a", "a")], {
      tools: [logged("a", [])],
      limits: { toolCalls: 1 },
      atLimit: "stop",
    });
    expect(result.outcome).toBe("max_tool_calls");
    expect(model.requests).toHaveLength(1);
  });
});

describe("limits.totalTokens", () => {
  test("used up by a reply: its calls are not run, then the run closes", async () => {
    const log: string[] = [];
    const { result } = await play(
      [
        { ...picks("a"), usage: tokens(90, 10) },
        { text: "closing", usage: tokens(5, 5) },
      ],
      {
        tools: [logged("a", log)],
        limits: { totalTokens: 100 },
      },
    );
    expect(log).toEqual([]);
    expect(result).toMatchObject({ outcome: "max_tokens", text: "closing", rounds: 1, usage: tokens(95, 15) });
    expect(answers(result.messages)).toEqual([notRun]);
  });

  test("not used up: the run goes on", async () => {
    const log: string[] = [];
    const { result } = await play([{ ...picks("a"), usage: tokens(90, 9) }, "done"], {
      tools: [logged("a", log)],
      limits: { totalTokens: 100 },
    });
    expect(result.outcome).toBe("stop");
    expect(log).toEqual(["a"]);
  });

  test("a text beyond the limit is still the answer", async () => {
    const { result } = await play([{ text: "long", usage: tokens(500, 500) }], { limits: { totalTokens: 100 } });
    expect(result).toMatchObject({ outcome: "stop", text: "long" });
  });
});

describe("limits.cost", () => {
  test("is reckoned by the runtime's prices per million tokens", async () => {
    const { result } = await play(
      [
        { ...picks("a"), usage: tokens(2, 1) },
        { text: "closing", usage: tokens(1, 0) },
      ],
      { tools: [logged("a", [])], limits: { cost: 4 } },
      { prices },
    );
    expect(result).toMatchObject({ outcome: "max_cost", text: "closing" });
    expect(result.usage.cost).toBeCloseTo(5);
  });

  test("cached tokens have their own price", async () => {
    const usage = { ...tokens(10, 0), cacheReadTokens: 4, cacheWriteTokens: 2 };
    const table = { scripted: { input: 1_000_000, output: 0, cacheRead: 500_000, cacheWrite: 2_000_000 } };
    const { result } = await play([{ text: "x", usage }], {}, { prices: table });
    expect(result.usage.cost).toBeCloseTo(4 + 2 + 4);
  });

  test("without a known price throws before the first request", async () => {
    await refuses({ tools: [], limits: { cost: 1 } }, "invalid_option", /price/);
    await refuses({ tools: [], limits: { cost: 1 } }, "invalid_option", /price/, {
      prices: { another: { input: 1, output: 1 } },
    });
  });
});

test.each([
  { toolCalls: 0 },
  { toolCalls: Number.NaN },
  { toolCalls: "3" },
  { totalTokens: -1 },
  { cost: Number.NaN },
  { tokens: 3 },
])("limits %j are a caller mistake", async (limits) => {
  await refuses(
    { tools: [], limits } as unknown as ExecOptions,
    "invalid_option",
    /limits|toolCalls|totalTokens|cost/,
    { prices },
  );
});

describe.each([
  ["ctx.runtime.exec", true],
  ["the bound exec", false],
])("limits bind an exec inside a tool: %s", (_, byContext) => {
  const nest = (options: ExecOptions = {}) =>
    tool({
      name: "nest",
      execute: (_args, ctx) => (byContext ? ctx.runtime.exec("inner", options) : exec("inner", options)),
    });

  test("toolCalls are shared; each level closes once, innermost first", async () => {
    const log: string[] = [];
    const { result, model } = await play([picks("nest"), picks("a", "a", "a"), "inner closing", "outer closing"], {
      tools: [nest(), logged("a", log)],
      limits: { toolCalls: 3 },
    });
    expect(log).toHaveLength(2);
    expect(result).toMatchObject({ outcome: "max_tool_calls", text: "outer closing" });
    expect(answers(result.messages)).toEqual([expect.stringContaining("inner closing")]);
    expect(model.requests.map((request) => request.toolChoice)).toEqual(["auto", "auto", "none", "none"]);
  });

  test("totalTokens are shared and usage adds up in the parent", async () => {
    const { result } = await play(
      [
        { ...picks("nest"), usage: tokens(10, 0) },
        { ...picks("a"), usage: tokens(90, 0) },
        { text: "inner closing", usage: tokens(3, 0) },
        { text: "outer closing", usage: tokens(4, 0) },
      ],
      { tools: [nest(), logged("a", [])], limits: { totalTokens: 100 } },
    );
    expect(result).toMatchObject({ outcome: "max_tokens", usage: tokens(107, 0), rounds: 1 });
  });

  test("cost is shared", async () => {
    const { result } = await play(
      [
        { ...picks("nest"), usage: tokens(1, 0) },
        { ...picks("a"), usage: tokens(9, 0) },
        "inner closing",
        "outer closing",
      ],
      { tools: [nest(), logged("a", [])], limits: { cost: 10 } },
      { prices },
    );
    expect(result.outcome).toBe("max_cost");
    expect(result.usage.cost).toBeCloseTo(10);
  });

  test("an inner limit cannot widen the outer one, and its own holds", async () => {
    const log: string[] = [];
    const wider = await play([picks("nest"), picks("a", "a", "a"), "inner", "outer"], {
      tools: [nest({ limits: { toolCalls: 100 } }), logged("a", log)],
      limits: { toolCalls: 3 },
    });
    expect(wider.result.outcome).toBe("max_tool_calls");
    expect(log).toHaveLength(2);
    log.length = 0;
    const narrower = await play([picks("nest"), picks("a", "a", "a"), "inner", "outer"], {
      tools: [nest({ limits: { toolCalls: 1 } }), logged("a", log)],
      limits: { toolCalls: 10 },
    });
    expect(narrower.result.outcome).toBe("stop");
    expect(log).toHaveLength(1);
  });

  test("rounds are each run's own", async () => {
    const { result } = await play([picks("nest"), picks("a"), picks("a"), "inner", "outer"], {
      tools: [nest({ maxIterations: 3 }), logged("a", [])],
      maxIterations: 2,
    });
    expect(result).toMatchObject({ outcome: "stop", rounds: 2, text: "outer" });
  });
});

test("a nested run at its own cap is no success in silence for who runs it by hand", async () => {
  const inner = tool({
    name: "inner",
    execute: async (_args, ctx) => {
      const nested = ctx.runtime.run("inner", { maxIterations: 1 });
      return (await nested.result).outcome;
    },
  });
  const { result } = await play([picks("inner"), picks("a"), "closing", "outer"], { tools: [inner, logged("a", [])] });
  expect(answers(result.messages)).toEqual(["max_iterations\n[the nested run ended at its limit: max_iterations]"]);
});

test("exec rejects on a limit that closed without text", async () => {
  const model = scripted([picks("a"), { text: "" }]);
  const options: ExecOptions = { tools: [logged("a", [])], limits: { toolCalls: 1 } };
  const error = await failure(createRuntime({ model }).exec("go", options));
  expect(error).toMatchObject({ code: "max_tool_calls", result: { outcome: "max_tool_calls", text: "" } });
});

test("equal calls in different batches each count", async () => {
  const { result } = await play([picks(call("a", { n: 1 })), picks(call("a", { n: 1 })), "closing"], {
    tools: [logged("a", [])],
    limits: { toolCalls: 2 },
  });
  expect(result.outcome).toBe("max_tool_calls");
});
