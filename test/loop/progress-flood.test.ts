import { describe, expect, test } from "vitest";
import { type AgentEvent, createRuntime, type Json, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, interrupted, picks, play, read, start, until } from "./play.fixture.ts";

const updatesOf = (events: readonly AgentEvent[]): Json[] =>
  events.flatMap((event) => (event.type === "tool_update" ? [event.progress] : []));

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("a flood of updates", () => {
  test("a million in one go: the first at once, the newest at the end, before the call's end", async () => {
    const flood = tool({
      name: "flood",
      execute: (_, ctx) => {
        for (let n = 1; n <= 1_000_000; n++) ctx.update({ n });
        return "ok";
      },
    });
    const { result, events } = await play([picks("flood"), "done"], { tools: [flood] });
    expect(result.outcome).toBe("stop");
    const told = updatesOf(events);
    expect(told.slice(0, 32)).toEqual(Array.from({ length: 32 }, (_, i) => ({ n: i + 1 })));
    expect(told.at(-1)).toEqual({ n: 1_000_000 });
    expect(told.length).toBeLessThan(200);
    const types = events.map(({ type }) => type);
    expect(types.lastIndexOf("tool_update")).toBeLessThan(types.indexOf("tool_end"));
  });

  test("for ever: timers fire, readers are told of it in between, and an abort ends the run at once", async () => {
    let on = true;
    let count = 0;
    const flood = tool({
      name: "flood",
      execute: async (_, ctx) => {
        while (on) {
          for (let n = 0; n < 1_000; n++) ctx.update(++count);
          await turn();
        }
      },
    });
    const { run, ended, events } = start([picks("flood")], { tools: [flood] });
    // Behind those of the first moment there are more.
    await until(() => updatesOf(events).length > 40);
    run.abort();
    const { result } = await ended();
    on = false;
    expect(answers(result.messages)).toEqual([interrupted]);
    const told = updatesOf(events) as number[];
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(told.length).toBeLessThan(count / 20);
  });

  test("the tool's own timeout ends it too", async () => {
    let on = true;
    const flood = tool({
      name: "flood",
      timeoutMs: 30,
      execute: async (_, ctx) => {
        for (let n = 0; on; n++) {
          ctx.update(n);
          if (n % 1_000 === 0) await turn();
        }
      },
    });
    const { result } = await play([picks("flood"), "done"], { tools: [flood] });
    on = false;
    expect(answers(result.messages)).toEqual([expect.stringContaining("timed out after 0.03 s")]);
  });

  test("nobody reads: nothing is made of an update", async () => {
    const hostile = { toJSON: () => expect.unreachable() };
    const flood = tool({
      name: "flood",
      execute: (_, ctx) => {
        for (let n = 0; n < 100; n++) ctx.update(hostile as never);
        return "ok";
      },
    });
    expect(await createRuntime({ model: scripted([picks("flood"), "done"]) }).exec("go", { tools: [flood] })).toBe(
      "done",
    );
  });

  test("a usual pace loses none", async () => {
    const steady = tool({
      name: "steady",
      execute: async (_, ctx) => {
        for (let n = 0; n < 30; n++) {
          ctx.update(n);
          await turn();
        }
      },
    });
    const { events } = await play([picks("steady"), "done"], { tools: [steady] });
    expect(updatesOf(events)).toEqual(Array.from({ length: 30 }, (_, n) => n));
  });
});

describe("an update", () => {
  async function shown(progress: unknown): Promise<Json | undefined> {
    const one = tool({
      name: "one",
      execute: (_, ctx) => {
        ctx.update(progress as Json);
        return "ok";
      },
    });
    const { result, events } = await play([picks("one"), "done"], { tools: [one] });
    expect(answers(result.messages)).toEqual(["ok"]);
    expect(() => JSON.stringify(events)).not.toThrow();
    return updatesOf(events)[0];
  }

  test("of long text keeps its end and says what is missing", async () => {
    expect(await shown(`start${"x".repeat(30_000)}end`)).toBe(`[10008 characters left out]\n${"x".repeat(19_997)}end`);
    expect(await shown("y".repeat(20_000))).toBe("y".repeat(20_000));
    expect(await shown(`${"😀".repeat(10_000)}z`)).toBe(`[2 characters left out]\n${"😀".repeat(9_999)}z`);
  });

  test("of a large value is bounded", async () => {
    const large = await shown({ lines: Array.from({ length: 100_000 }, (_, n) => `line ${n}`) });
    expect(JSON.stringify(large).length).toBeLessThan(40_000);
    expect(JSON.stringify(large)).toContain("too large");
  });

  test("that is no JSON is told in words, and throws nothing into the tool", async () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    const trap = new Proxy({}, { ownKeys: () => expect.unreachable("no keys") });
    expect(await shown(cycle)).toEqual({ self: "[cycle]" });
    expect(await shown(() => 1)).toBe("[a function, which is no JSON]");
    expect(await shown(Symbol("s"))).toBe("[a symbol, which is no JSON]");
    expect(await shown(7n)).toBe("7");
    expect(await shown(Number.NaN)).toBe("NaN");
    expect(await shown(undefined)).toBeNull();
    expect(await shown(trap)).toMatch(/^\[cannot be read: .*no keys/);
    expect(await shown("a\ud83d")).toBe("a\ufffd");
  });

  test("behind the end of its call is dropped, also where some are held", async () => {
    let late: (() => void) | undefined;
    const flood = tool({
      name: "flood",
      execute: (_, ctx) => {
        for (let n = 0; n < 100; n++) ctx.update(n);
        late = () => ctx.update("late");
        return "ok";
      },
    });
    const model = scripted([
      picks("flood"),
      () => {
        late?.();
        return "done";
      },
    ]);
    const run = createRuntime({ model }).run("go", { tools: [flood] });
    const told = updatesOf(await read(run));
    expect(told.slice(-2)).toEqual([31, 99]);
  });
});
