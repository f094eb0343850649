import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type AgentEvent, exec, method, RondoError, type RunResult, run, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { outline, picks, read, sleep, tokens } from "../loop/play.fixture.ts";
import { expectNothingUnhandled } from "../loop/unhandled.fixture.ts";

expectNothingUnhandled();

describe("the result of a method's run", () => {
  test("has its value, the sum of the usage, and text, messages and rounds of the last run in it", async () => {
    const nothing = tool({ name: "t", execute: () => "x" });
    const model = scripted([
      { text: "one", usage: tokens(3, 1) },
      { ...picks("t"), usage: tokens(5, 1) },
      { text: "two", usage: tokens(7, 1) },
    ]);
    const m = method({ name: "m" }, async () => {
      await exec("first", { model, tools: [] });
      await exec("second", { model, tools: [nothing] });
      return { mine: true };
    });
    const result = await m.run().result;
    expect(result).toMatchObject({ outcome: "stop", value: { mine: true }, text: "two", rounds: 2 });
    expect(result.usage).toMatchObject(tokens(15, 3));
    expect(outline(result.messages)).toEqual(["user: second", "assistant -> t", "tool t", "assistant: two"]);
    expect(result.undelivered).toEqual([]);
    expect(result.error).toBeUndefined();
  });

  test("of one that holds no run is its value alone", async () => {
    const m = method({ name: "m", input: z.object({ n: z.number() }) }, ({ n }) => n + 1);
    const handle = m.run({ n: 1 });
    const events = await read(handle);
    expect(events.map(({ type }) => type)).toEqual(["agent_start", "agent_end"]);
    expect(await handle.result).toEqual({
      outcome: "stop",
      value: 2,
      text: "",
      usage: tokens(0, 0),
      messages: [],
      undelivered: [],
      rounds: 0,
    });
  });

  test("of one that returns undefined has that value", async () => {
    const result = await method({ name: "m" }, () => {}).run().result;
    expect(result).toMatchObject({ outcome: "stop", value: undefined });
    expect("value" in result).toBe(true);
  });

  test.each([
    ["an Error", new TypeError("bad thing"), "error", /^bad thing$/],
    ["text", "bad text", "error", /bad text/],
    ["nothing", undefined, "error", /undefined/],
    ["an object without a prototype", Object.create(null), "error", /threw/],
    ["a RondoError of another code", new RondoError("unknown_tool", "no such tool"), "error", /no such tool/],
    ["a RondoError of an outcome", new RondoError("refusal", "will not"), "refusal", /will not/],
  ] as const)("of one that throws %s is that failure", async (_, thrown, outcome, says) => {
    const m = method({ name: "m" }, () => {
      throw thrown;
    });
    const handle = m.run();
    const events = await read(handle);
    const result = await handle.result;
    expect(result).toMatchObject({ outcome, error: { message: expect.stringMatching(says) } });
    if ((thrown as unknown) instanceof Error) expect(result.error).toBe(thrown);
    else expect(result.error).toBeInstanceOf(RondoError);
    expect(result).not.toHaveProperty("value");
    expect(events.at(-1)).toMatchObject({ type: "agent_end", outcome, error: { message: result.error?.message } });
  });

  test("of one whose run ends at its limit without an answer has that outcome and error", async () => {
    const model = scripted([picks("t")]);
    const t = tool({ name: "t", execute: () => "x" });
    const m = method({ name: "m" }, () => exec("go", { model, tools: [t], maxIterations: 1 }));
    const result = await m.run().result;
    expect(result).toMatchObject({ outcome: "max_iterations", error: { code: "max_iterations" } });
  });

  test("comes though a run that was begun in it goes on; what that does later is told nowhere", async () => {
    const gate = Promise.withResolvers<string>();
    const model = scripted([() => gate.promise]);
    const left: Promise<RunResult>[] = [];
    const m = method({ name: "m" }, () => {
      left.push(run("go", { model, tools: [] }).result);
      return "returned";
    });
    const handle = m.run();
    const events: AgentEvent[] = [];
    const reading = read(handle, events);
    expect(await handle.result).toMatchObject({ outcome: "stop", value: "returned", text: "" });
    await reading;
    const count = events.length;
    expect(handle.send("late")).toMatchObject({ status: "undelivered" });
    gate.resolve("in the end");
    expect(await left[0]).toMatchObject({ outcome: "stop", text: "in the end", undelivered: [] });
    expect(events).toHaveLength(count);
    expect(events.at(-1)).toMatchObject({ type: "agent_end", runId: handle.id });
  });

  test("arguments that do not fit throw at once; those of an asynchronous schema end the run", async () => {
    const m = method({ name: "m", input: z.object({ n: z.number() }) }, ({ n }) => n);
    expect(() => m.run({ n: "1" as unknown as number })).toThrow(
      expect.objectContaining({ code: "invalid_arguments", message: expect.stringMatching(/"m"[\s\S]*n: /) }),
    );
    const slow = z.object({ n: z.number().refine((n) => sleep(1).then(() => n > 1), "too small") });
    const later = method({ name: "later", input: slow }, ({ n }) => n);
    expect(await later.run({ n: 1 }).result).toMatchObject({ outcome: "error", error: { code: "invalid_arguments" } });
    expect(await later.run({ n: 2 }).result).toMatchObject({ outcome: "stop", value: 2 });
  });

  test("options that do not exist throw at once", () => {
    const m = method({ name: "m" }, () => 1);
    expect(() => m.run({}, { singal: new AbortController().signal } as object)).toThrow(/"singal".*"signal"/);
    expect(() => m.run({}, { signal: {} as AbortSignal })).toThrow(/"signal" must be an AbortSignal/);
    expect(() => m.run({}, null as unknown as object)).toThrow(/must be an object/);
  });
});
