import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Agent, type Json, method, type ToolContext, tool } from "../../src/core.ts";
import { call, endsOf, picks, play, resultsOf, sleep, start, startsOf } from "./play.fixture.ts";

const city = tool({
  name: "weather",
  input: z.object({ city: z.string() }),
  execute: ({ city }) => `Sunny in ${city}`,
});

describe("what a tool gets and reports", () => {
  test("progress shows up as tool_update events and nowhere else", async () => {
    const busy = tool({
      name: "busy",
      execute: async (_args, ctx) => {
        ctx.update({ done: 1 });
        await sleep(1);
        ctx.update("nearly");
        return "ok";
      },
    });
    const { result: ended, events } = await play([picks("busy"), "done"], { tools: [busy] });
    const kinds = events.flatMap((event) => (event.type.startsWith("tool_") ? [event.type] : []));
    expect(kinds).toEqual(["tool_start", "tool_update", "tool_update", "tool_end"]);
    const progress = events.flatMap((event): Json[] =>
      event.type === "tool_update" ? [event.callId, event.progress] : [],
    );
    expect(progress).toEqual(["call_1_1", { done: 1 }, "call_1_1", "nearly"]);
    expect(JSON.stringify(ended.messages)).not.toMatch(/nearly/);
  });

  test("ctx says where the call stands", async () => {
    const seen: { callId: string; path: string; attempt: number; idempotencyKey: string; deadline?: number }[] = [];
    const spy = tool({
      name: "spy",
      execute: (_args, { callId, path, attempt, idempotencyKey, deadline }) =>
        void seen.push({ callId, path, attempt, idempotencyKey, ...(deadline === undefined ? {} : { deadline }) }),
    });
    const before = Date.now();
    await play([picks("spy", "spy"), picks("spy"), "done"], { tools: [spy], timeoutMs: 60_000 });
    expect(seen.map((one) => one.callId)).toEqual(["call_1_1", "call_1_2", "call_2_1"]);
    expect(new Set(seen.map((one) => one.path)).size).toBe(3);
    expect(new Set(seen.map((one) => one.idempotencyKey)).size).toBe(3);
    expect(seen.map((one) => one.attempt)).toEqual([1, 1, 1]);
    for (const one of seen) {
      expect(one.deadline).toBeGreaterThanOrEqual(before + 60_000);
      expect(one.deadline).toBeLessThan(before + 90_000);
    }
  });

  test("idempotency keys differ from run to run, nested ones too", async () => {
    const keys: string[] = [];
    const spy = tool({ name: "spy", execute: (_args, ctx) => void keys.push(ctx.idempotencyKey) });
    const nest = tool({ name: "nest", execute: (_args, ctx) => ctx.runtime.exec("inner", { tools: [spy] }) });
    for (let run = 0; run < 2; run++) {
      await play([picks("spy", "nest", "nest"), picks("spy"), "1", picks("spy"), "2", "done"], { tools: [spy, nest] });
    }
    expect(keys).toHaveLength(6);
    expect(new Set(keys).size).toBe(6);
  });

  test("every call, also an unknown or invalid one, has one tool_start and one tool_end", async () => {
    const { events } = await play([picks("nope", call("weather", "x"), call("weather", { city: "Oslo" })), "done"], {
      tools: [city],
    });
    expect(startsOf(events).map((one) => one.id)).toEqual(["call_1_1", "call_1_2", "call_1_3"]);
    expect(endsOf(events).map((event) => event.result.isError)).toEqual([true, true, false]);
  });

  test("SEC-06 a tool that writes into its arguments changes nothing that is recorded", async () => {
    const leaky = tool({
      name: "leaky",
      input: { type: "object" },
      execute: (args) => {
        (args as { auth?: string }).auth = "Bearer S";
        (args as { deep?: { x?: string } }).deep = { x: "Bearer S" };
        return "ok";
      },
    });
    const {
      result: ended,
      events,
      model,
    } = await play([picks(call("leaky", { q: 1, deep: {} })), "done"], { tools: [leaky] });
    expect(JSON.stringify([ended, events, model.requests])).not.toMatch(/Bearer S/);
  });

  test("an object that a tool returns and changes later is recorded as it was", async () => {
    const shared = { n: 1 };
    const bump = tool({ name: "bump", execute: () => shared });
    const { result: ended } = await play(
      [
        picks("bump"),
        () => {
          shared.n = 2;
          return "done";
        },
      ],
      { tools: [bump] },
    );
    expect(JSON.stringify(resultsOf(ended.messages))).toMatch(/1/);
    expect(JSON.stringify(resultsOf(ended.messages)[0]?.content)).not.toMatch(/2/);
  });
});

describe("a copy of a tool's context", () => {
  const keys = ["attempt", "callId", "idempotencyKey", "maxResultChars", "path", "runtime", "signal", "update"];

  test("made with spread has all of it, and nothing that is not for tools", async () => {
    const seen: ToolContext[] = [];
    const inner = tool({
      name: "inner",
      execute: (_args, ctx) => {
        seen.push(ctx);
        ctx.update("half");
        return ctx.runtime.exec("nested", { tools: [] });
      },
    });
    const outer = tool({ name: "outer", execute: (args, ctx) => inner.execute(args, { ...ctx, extra: 1 } as never) });
    const coded = method({ name: "coded" }, (_args, ctx) => void seen.push({ ...ctx }));
    const calling = method({ name: "calling" }, (_args, ctx) => {
      seen.push({ ...ctx });
      return coded();
    });
    const { result: ended, events } = await play([picks("outer", "calling"), "nested says", "done"], {
      tools: [outer, calling],
      timeoutMs: 60_000,
    });
    expect(seen.map((ctx) => Object.keys(ctx).sort())).toEqual([
      [...keys, "deadline", "extra"].sort(),
      [...keys, "deadline"].sort(),
      [...keys, "deadline"].sort(),
    ]);
    expect(seen.every(({ signal }) => signal instanceof AbortSignal)).toBe(true);
    expect(seen.map(({ path }) => path)).toEqual(["1/0", "1/1", "1/1/0"]);
    expect(events.find(({ type }) => type === "tool_update")).toMatchObject({ progress: "half" });
    expect(JSON.stringify(resultsOf(ended.messages)[0])).toContain("nested says");
  });

  test("cancels with the call", async () => {
    let reason: unknown;
    const inner = tool({
      name: "inner",
      execute: (_args, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            reason = signal.reason;
            reject(signal.reason);
          });
        }),
    });
    const outer = tool({ name: "outer", execute: (args, ctx) => inner.execute(args, { ...ctx }) });
    const { run, ended } = start([picks("outer")], { tools: [outer] });
    setImmediate(() => run.abort("enough"));
    expect((await ended()).result.outcome).toBe("aborted");
    expect(String(reason)).toContain("enough");
  });

  test("of a method that is picked has the runtime of its agent", async () => {
    class Own extends Agent {
      which = this.method({}, (_args, ctx) => ({ ...ctx }).runtime === this.runtime);
    }
    const { result: ended } = await play([picks("which"), "done"], { tools: [new Own().which] });
    expect(resultsOf(ended.messages)[0]?.content).toEqual([{ type: "text", text: "true" }]);
  });
});
