import { describe, expect, test } from "vitest";
import { createRuntime, type ExecOptions, type Model, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, failure, hanging, interrupted, logged, never, notRun, picks, play, start } from "./play.fixture.ts";
import { expectNothingUnhandled } from "./unhandled.fixture.ts";

expectNothingUnhandled();

/** A tool that takes no notice of its signal. */
const deaf = tool({ name: "deaf", execute: never });

describe("timeoutMs", () => {
  test.each([
    ["a model that hangs", { text: "so far", hang: true as const }],
    ["a model that is slow to begin", { text: "late", delayMs: 60_000 }],
  ])("ends %s", async (_, entry) => {
    const { result, model } = await play([entry], { timeoutMs: 150 });
    expect(result.outcome).toBe("timeout");
    expect(model.requests).toHaveLength(1);
  });

  test("ends a model that ignores the signal", async () => {
    const model: Model = { id: "deaf", stream: () => ({ [Symbol.asyncIterator]: () => ({ next: never }) }) };
    const { result } = await play([], { model, timeoutMs: 150 });
    expect(result.outcome).toBe("timeout");
  });

  test("ends a tool that hangs: interrupted, outcome unknown", async () => {
    const { result } = await play([picks("deaf", "b")], { tools: [deaf, logged("b", [])], timeoutMs: 150 });
    expect(result.outcome).toBe("timeout");
    expect(answers(result.messages)).toEqual([interrupted, notRun]);
  });

  test("ends a callback that hangs", async () => {
    expect((await play([], { getSteeringMessages: never, timeoutMs: 150 })).result.outcome).toBe("timeout");
    expect((await play(["x"], { getFollowUpMessages: never, timeoutMs: 150 })).result.outcome).toBe("timeout");
  });

  test("ends the waiting for an approval", async () => {
    const { result } = await play(
      [picks("write")],
      { tools: [logged("write", [], { requiresApproval: true })], timeoutMs: 150 },
      { approve: never },
    );
    expect(result.outcome).toBe("timeout");
    expect(answers(result.messages)).toEqual([notRun]);
  });

  test("makes no closing request, and exec rejects with code timeout", async () => {
    const model = scripted([picks("deaf")]);
    const options: ExecOptions = { tools: [deaf], maxIterations: 1, timeoutMs: 150 };
    expect(await failure(createRuntime({ model }).exec("go", options))).toMatchObject({ code: "timeout" });
    expect(model.requests).toHaveLength(1);
  });

  test("binds an exec inside a tool", async () => {
    const nest = tool({ name: "nest", execute: (_args, ctx) => ctx.runtime.exec("inner", { timeoutMs: 60_000 }) });
    const { result } = await play([picks("nest"), { hang: true }], { tools: [nest], timeoutMs: 150 });
    expect(result.outcome).toBe("timeout");
  });

  test("a run inside ends with the same outcome, not as aborted", async () => {
    const inner = Promise.withResolvers<string>();
    const nest = tool({
      name: "nest",
      execute: async (_args, ctx) => {
        inner.resolve((await ctx.runtime.run("inner", { model: hanging(), tools: [] }).result).outcome);
      },
    });
    const { result } = await play([picks("nest")], { tools: [nest], timeoutMs: 150 });
    expect(result.outcome).toBe("timeout");
    expect(await inner.promise).toBe("timeout");
  });

  test("leaves no timer behind", async () => {
    const before = process.getActiveResourcesInfo().filter((one) => one === "Timeout").length;
    for (let i = 0; i < 20; i++) await play([picks("a"), "x"], { timeoutMs: 3_600_000, tools: [logged("a", [])] });
    const left = process.getActiveResourcesInfo().filter((one) => one === "Timeout").length;
    expect(left - before).toBeLessThan(10);
  });

  test.each([[0], [-5], [Number.NaN], ["100"]])("%s is a caller mistake", (timeoutMs) => {
    const { runtime } = start(["x"]);
    const options = { tools: [], timeoutMs } as unknown as ExecOptions;
    expect(() => runtime.run("go", options)).toThrow(expect.objectContaining({ code: "invalid_option" }));
  });

  test("a very long one does not overflow", async () => {
    expect((await play(["x"], { timeoutMs: 1e12 })).result.outcome).toBe("stop");
    expect((await play(["x"], { timeoutMs: Number.POSITIVE_INFINITY })).result.outcome).toBe("stop");
  });
});
