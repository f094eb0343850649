import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Json, result, type Tool, tool } from "../../src/core.ts";
import { callsOf } from "../../src/message/message.ts";
import {
  answers,
  call,
  endsOf,
  logged,
  outline,
  picks,
  play,
  resultsOf,
  sleep,
  start,
  startsOf,
  until,
} from "./play.fixture.ts";

const city = tool({
  name: "weather",
  input: z.object({ city: z.string() }),
  execute: ({ city }) => `Sunny in ${city}`,
});

/** Runs one call of this tool and gives its result message. */
async function answerOf(one: Tool, args: Parameters<typeof call>[1] = {}) {
  const log: string[] = [];
  const played = await play([picks(call(one.name, args), "next"), "done"], { tools: [one, logged("next", log)] });
  expect(played.result).toMatchObject({ outcome: "stop", text: "done" });
  expect(log).toEqual(["next"]);
  const [first] = resultsOf(played.result.messages);
  if (first === undefined) throw new Error("no result");
  return { ...played, first, text: answers([first])[0] ?? "" };
}

describe("calls run in order, one at a time", () => {
  test("the next begins when the one before it has ended", async () => {
    const log: string[] = [];
    const slow = (name: string, ms: number) =>
      tool({
        name,
        readOnly: true,
        execute: async () => {
          log.push(`${name} begins`);
          await sleep(ms);
          log.push(`${name} ends`);
        },
      });
    const { events } = await play([picks("a", "b"), "done"], { tools: [slow("a", 15), slow("b", 1)] });
    expect(log).toEqual(["a begins", "a ends", "b begins", "b ends"]);
    const kinds = events.flatMap((event) =>
      event.type === "tool_start" || event.type === "tool_end" ? [`${event.type} ${event.call.name}`] : [],
    );
    expect(kinds).toEqual(["tool_start a", "tool_end a", "tool_start b", "tool_end b"]);
  });

  test("results stand behind the reply, one per call, in call order", async () => {
    const { model } = await play([picks("a", "nope", "b"), "done"], { tools: [logged("a", []), logged("b", [])] });
    expect(outline(model.requests[1]?.messages ?? [])).toEqual([
      "user: go",
      "assistant -> a,nope,b",
      "tool a",
      "tool nope",
      "tool b",
    ]);
  });
});

describe("what a call comes to is a result, never the end of the run", () => {
  test("NAME-01 unknown tool: the answer names the nearest, the other call runs, one round", async () => {
    const log: string[] = [];
    const { result: ended, model } = await play([picks("reed", "read"), "done"], {
      tools: [logged("read", log), logged("write", []), logged("zzzzzz", [])],
    });
    const [first, second] = answers(ended.messages);
    expect(first).toMatch(/^! .*reed/);
    expect(first).toMatch(/\bread\b/);
    expect(second).toBe("read done");
    expect(log).toEqual(["read"]);
    expect(ended.rounds).toBe(2);
    expect(model.requests).toHaveLength(2);
  });

  test("unknown tool with an empty menu", async () => {
    const { result: ended } = await play([picks("read"), "done"]);
    expect(answers(ended.messages)).toEqual([expect.stringMatching(/^! .*read/)]);
  });

  test("arguments that are not JSON", async () => {
    const { text } = await answerOf(city, '{"city": "Oslo"');
    expect(text).toMatch(/^! .*JSON/);
  });

  test("invalid arguments: path and problem, a line each", async () => {
    const many = tool({
      name: "many",
      input: z.object({ city: z.string(), at: z.object({ days: z.number() }) }),
      execute: () => "ran",
    });
    const { text } = await answerOf(many, { city: ["Oslo"], at: { days: "many" } });
    expect(text).toMatch(/^! /);
    const lines = text.split("\n");
    expect(lines.filter((line) => /\bcity\b/.test(line))).not.toEqual([]);
    expect(lines.filter((line) => /at\W+days/.test(line))).not.toEqual([]);
    expect(lines.some((line) => /\bcity\b/.test(line) && /days/.test(line))).toBe(false);
  });

  test.each([
    ["blank to {}", z.object({ city: z.string().optional() }), "", {}],
    ["white space to {}", z.object({ city: z.string().optional() }), " \n", {}],
    ["double encoding", z.object({ city: z.string() }), JSON.stringify('{"city":"Oslo"}'), { city: "Oslo" }],
    ["a number in quotes", z.object({ days: z.number() }), { days: "42" }, { days: 42 }],
    ["null for an optional field", z.object({ city: z.string().optional() }), { city: null }, {}],
  ] as const)("lossless repairs: %s", async (_, input, args, expected) => {
    const seen: unknown[] = [];
    const spy = tool({ name: "spy", input, execute: (given: unknown) => void seen.push(given) });
    const { result: ended } = await answerOf(spy as unknown as Tool, args);
    expect(seen).toEqual([expected]);
    const reply = ended.messages[1];
    const written = typeof args === "string" ? args : JSON.stringify(args);
    expect(reply?.role === "assistant" ? callsOf(reply)[0]?.arguments : "").toBe(written);
  });

  test("arguments that fit are not repaired", async () => {
    const seen: unknown[] = [];
    const spy = tool({
      name: "spy",
      input: z.object({ id: z.string(), json: z.string() }),
      execute: (args) => void seen.push(args),
    });
    await answerOf(spy as unknown as Tool, { id: "42", json: '{"a":1}' });
    expect(seen).toEqual([{ id: "42", json: '{"a":1}' }]);
  });

  test.each([
    ["an Error", () => new Error("boom"), /boom/],
    ["an Error without a message", () => new Error(""), /\S/],
    ["a string", () => "boom", /boom/],
    ["undefined", () => undefined, /\S/],
    ["an object with a cycle", () => Object.assign({ message: "boom" }, { self: null }), /boom/],
    ["an AggregateError", () => new AggregateError([new Error("one"), new Error("two")], "both"), /one[\s\S]*two/],
    ["an error with a cause", () => new Error("outer", { cause: new Error("inner") }), /outer/],
  ])("thrown: %s", async (_, make, says) => {
    const thrown = make();
    if (typeof thrown === "object" && "self" in thrown) thrown.self = thrown as never;
    const bad = tool({
      name: "bad",
      execute: () => {
        throw thrown;
      },
    });
    const { first, text } = await answerOf(bad);
    expect(first.isError).toBe(true);
    expect(text).toMatch(says);
    const late = await answerOf(tool({ name: "bad", execute: () => Promise.reject(thrown) }));
    expect(late.text).toMatch(says);
  });

  test("thrown objects whose getters throw do no harm", async () => {
    const hostile = {
      get message(): string {
        throw new Error("no");
      },
      toString(): string {
        throw new Error("no");
      },
    };
    const bad = tool({
      name: "bad",
      execute: () => {
        throw hostile;
      },
    });
    expect((await answerOf(bad)).first.isError).toBe(true);
  });

  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  test.each([
    ["undefined", undefined],
    ["null", null],
    ["a BigInt", 12n],
    ["NaN", Number.NaN],
    ["a Map", new Map([[1, { two: 3n }]])],
    ["a Set", new Set([1])],
    ["a Date", new Date(0)],
    ["an invalid Date", new Date(Number.NaN)],
    ["a Uint8Array", new Uint8Array(1024)],
    ["a cycle", cycle],
    ["a function", () => 1],
    ["a symbol", Symbol("x")],
    ["an empty string", ""],
    ["a lone surrogate", "a\ud800b"],
    ["an object that looks like a result", { content: undefined, isError: true }],
    [
      "a toJSON that throws",
      {
        toJSON() {
          throw new Error("no");
        },
      },
    ],
    [
      "a getter that throws",
      {
        get x() {
          throw new Error("no");
        },
      },
    ],
    [
      "a revoked proxy",
      (() => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
      })(),
    ],
  ])("returned: %s", async (_, value) => {
    const { first } = await answerOf(tool({ name: "odd", execute: () => Promise.resolve().then(() => value) }));
    expect(first.content.length).toBeGreaterThan(0);
    expect(JSON.parse(JSON.stringify(first))).toEqual(first);
  });

  test("returned: a string stays a string, a value becomes its JSON", async () => {
    expect((await answerOf(tool({ name: "t", execute: () => '{"a":1}' }))).first.content).toEqual([
      { type: "text", text: '{"a":1}' },
    ]);
    const { first } = await answerOf(tool({ name: "t", execute: () => ({ a: [1, null] }) }));
    expect(JSON.stringify(first.content)).toMatch(/\\?"a\\?":\[1,null\]/);
    expect(first.isError).toBe(false);
  });

  test("returned: only result() is a ready result", async () => {
    const ready = result({
      content: [
        { type: "text", text: "broken" },
        { type: "image", data: "AAAA", mediaType: "image/png" },
      ],
      isError: true,
      details: { code: 7 },
    });
    const { first } = await answerOf(tool({ name: "t", execute: () => ready }));
    expect(first).toMatchObject({
      isError: true,
      details: { code: 7 },
      content: [{ text: "broken" }, { data: "AAAA" }],
    });
    const fake = await answerOf(
      tool({ name: "t", execute: () => ({ content: [{ type: "text", text: "x" }], isError: true }) }),
    );
    expect(fake.first.isError).toBe(false);
  });

  test("returned: result() without content still says something", async () => {
    const { first } = await answerOf(tool({ name: "t", execute: () => result({ content: [], isError: true }) }));
    expect(first).toMatchObject({ isError: true });
    expect(first.content.length).toBeGreaterThan(0);
  });

  test("oversized: head and tail, and how much is missing", async () => {
    const long = `HEAD${"x".repeat(50_000_000)}TAIL`;
    const { text, first } = await answerOf(tool({ name: "t", execute: () => long }));
    expect(text.length).toBeLessThanOrEqual(31_000);
    expect(text.startsWith("HEAD")).toBe(true);
    expect(text.endsWith("TAIL")).toBe(true);
    expect(text).toMatch(/49[,.\d]*/);
    expect(first.isError).toBe(false);
  });

  test("maxResultChars is the tool's own cap", async () => {
    const { text } = await answerOf(tool({ name: "t", maxResultChars: 1000, execute: () => "y".repeat(5000) }));
    expect(text.length).toBeLessThan(1500);
  });

  test("PAIR-03 one failing call in a batch: three results, in order", async () => {
    const bad = tool({ name: "b", execute: () => Promise.reject(new Error("403 Forbidden")) });
    const { result: ended } = await play([picks("a", "b", "c"), "done"], {
      tools: [logged("a", []), bad, logged("c", [])],
    });
    expect(answers(ended.messages)).toEqual(["a done", expect.stringMatching(/^! .*403 Forbidden/), "c done"]);
  });
});

describe("a tool's own timeout", () => {
  test("ends that tool only: error result, its signal fires, its siblings go on", async () => {
    const seen: unknown[] = [];
    const slow = tool({
      name: "slow",
      timeoutMs: 20,
      execute: (_args, { signal }) => {
        signal.addEventListener("abort", () => seen.push(signal.reason));
        return new Promise(() => {});
      },
    });
    const log: string[] = [];
    const { result: ended } = await play([picks("slow", "a"), "done"], { tools: [slow, logged("a", log)] });
    expect(ended.outcome).toBe("stop");
    expect(answers(ended.messages)).toEqual([expect.stringMatching(/^! .*(time|20)/i), "a done"]);
    expect(seen).toHaveLength(1);
    expect(log).toEqual(["a"]);
  });

  test("ends one of several that overlap", async () => {
    const fired: string[] = [];
    const make = (name: string, ms: number, timeoutMs: number) =>
      tool({
        name,
        readOnly: true,
        timeoutMs,
        execute: async (_args, { signal }) => {
          signal.addEventListener("abort", () => fired.push(name));
          await sleep(ms);
          return `${name} done`;
        },
      });
    const { result: ended } = await play([picks("a", "b"), "done"], {
      tools: [make("a", 60, 10), make("b", 30, 10_000)],
      toolExecution: "overlap",
    });
    expect(answers(ended.messages)).toEqual([expect.stringMatching(/^! /), "b done"]);
    expect(fired).toEqual(["a"]);
  });

  test("what it returns, throws or reports later is dropped", async () => {
    const gate = Promise.withResolvers<void>();
    let returned = 0;
    const late = (fails: boolean) =>
      tool({
        name: fails ? "fails" : "late",
        timeoutMs: 10,
        execute: async (_args, ctx) => {
          await gate.promise;
          ctx.update("too late");
          returned++;
          if (fails) throw new Error("too late");
          return "too late";
        },
      });
    const { result: ended, events } = await play(
      [
        picks("late", "fails"),
        async () => {
          gate.resolve();
          await until(() => returned === 2);
          return "done";
        },
      ],
      { tools: [late(false), late(true)] },
    );
    expect(JSON.stringify([ended.messages, events])).not.toMatch(/too late/);
  });

  test.each([[0], [-1], [Number.NaN], ["1000"]])("timeoutMs %s is a mistake of the tool", async (timeoutMs) => {
    const bad = { ...city, timeoutMs } as unknown as Tool;
    const { runtime } = start(["x"]);
    expect(() => runtime.run("go", { tools: [bad] })).toThrow(expect.objectContaining({ code: "invalid_tool" }));
  });

  test("Infinity never gives up", async () => {
    const { text } = await answerOf(
      tool({ name: "t", timeoutMs: Number.POSITIVE_INFINITY, execute: async () => sleep(5).then(() => "x") }),
    );
    expect(text).toBe("x");
  });
});

describe("ids and names", () => {
  const seen = (log: unknown[]) =>
    tool({ name: "ls", input: { type: "object" }, execute: (args) => void log.push(args) });
  const idsOf = (messages: Parameters<typeof resultsOf>[0]) => resultsOf(messages).map((message) => message.callId);

  test("ID-02 an id of an earlier round: both calls run once, ids stay unique, results are not doubled", async () => {
    const log: unknown[] = [];
    const { result: ended } = await play(
      [picks(call("ls", { n: 1 }, "shell:0")), picks(call("ls", { n: 2 }, "shell:0")), "done"],
      {
        tools: [seen(log)],
      },
    );
    expect(log).toEqual([{ n: 1 }, { n: 2 }]);
    expect(new Set(idsOf(ended.messages)).size).toBe(2);
  });

  test("ID-02 an id of an earlier history", async () => {
    const log: unknown[] = [];
    const earlier = (await play([picks(call("ls", { n: 1 }, "shell:0")), "done"], { tools: [seen(log)] })).result
      .messages;
    const { result: ended } = await play([picks(call("ls", { n: 2 }, "shell:0")), "done"], {
      tools: [seen(log)],
      messages: earlier,
    });
    expect(log).toEqual([{ n: 1 }, { n: 2 }]);
    expect(idsOf(ended.messages)).not.toEqual(idsOf(earlier));
  });

  test("an id twice in one reply", async () => {
    const log: unknown[] = [];
    const { deltas } = {
      deltas: [
        {
          type: "end",
          message: {
            role: "assistant",
            content: [
              { type: "tool_call", id: "x", name: "ls", arguments: '{"n":1}' },
              { type: "tool_call", id: "x", name: "ls", arguments: '{"n":2}' },
            ],
            model: "m",
            usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
            stopReason: "tool_calls",
          },
        },
      ] as const,
    };
    const { result: ended } = await play([{ deltas }, "done"], { tools: [seen(log)] });
    expect(log).toEqual([{ n: 1 }, { n: 2 }]);
    expect(new Set(idsOf(ended.messages)).size).toBe(2);
  });

  test("ID-04 an empty id counts as missing: one is made, and the call runs", async () => {
    const log: unknown[] = [];
    const { result: ended } = await play([picks(call("ls", { x: 1 }, "")), "done"], { tools: [seen(log)] });
    expect(log).toEqual([{ x: 1 }]);
    expect(idsOf(ended.messages)[0]).not.toBe("");
  });

  test("ID-04 empty id and empty name: an error result under a generated id", async () => {
    const { result: ended } = await play([picks(call("", { x: 1 }, "")), "done"], { tools: [seen([])] });
    expect(answers(ended.messages)).toEqual([expect.stringMatching(/^! /)]);
    expect(idsOf(ended.messages)[0]).not.toBe("");
    expect(resultsOf(ended.messages)[0]?.toolName).not.toBe("");
  });

  test("NAME-03 an empty name: an error result, and the run goes on", async () => {
    const { result: ended } = await play([picks(call("", {}, "c1")), "done"], { tools: [seen([])] });
    expect(ended.outcome).toBe("stop");
    expect(answers(ended.messages)).toEqual([expect.stringMatching(/^! /)]);
  });

  test("calls whose arguments are in no form of theirs in the history stay byte for byte", async () => {
    const raw = '{ "n" :\t1, "n": 2 }';
    const { model } = await play([picks(call("ls", raw)), "done"], { tools: [seen([])] });
    const reply = model.requests[1]?.messages[1];
    expect(reply?.role === "assistant" ? callsOf(reply)[0]?.arguments : "").toBe(raw);
  });
});

describe("overlap", () => {
  /** Tools that say how many of them run at the same time. */
  function crowd() {
    const state = { now: 0, most: 0, order: [] as string[] };
    const make = (name: string, ms: number, readOnly = true) =>
      tool({
        name,
        readOnly,
        execute: async () => {
          state.order.push(`+${name}`);
          state.most = Math.max(state.most, ++state.now);
          await sleep(ms);
          state.now--;
          state.order.push(`-${name}`);
          return `${name} done`;
        },
      });
    return { state, make };
  }

  test("TOOL-17 neighbours run together, results stay in call order", async () => {
    const { state, make } = crowd();
    const { result: ended, events } = await play([picks("a", "b", "nope", "c"), "done"], {
      tools: [make("a", 40), make("b", 5), make("c", 20)],
      toolExecution: "overlap",
    });
    expect(state.most).toBeGreaterThan(1);
    expect(answers(ended.messages)).toEqual(["a done", "b done", expect.stringMatching(/^! /), "c done"]);
    expect(endsOf(events)).toHaveLength(4);
    expect(startsOf(events).map((one) => one.name)).toEqual(["a", "b", "nope", "c"]);
  });

  test("TOOL-17 other timings give byte-identical requests", async () => {
    const requestOf = async (times: readonly number[]) => {
      const { make } = crowd();
      const { model } = await play([picks("a", "b", "c"), "done"], {
        tools: ["a", "b", "c"].map((name, index) => make(name, times[index] ?? 0)),
        toolExecution: "overlap",
      });
      return JSON.stringify(model.requests[1]);
    };
    expect(await requestOf([20, 10, 1])).toBe(await requestOf([1, 10, 20]));
  });

  test("only neighbouring readOnly calls", async () => {
    const { state, make } = crowd();
    await play([picks("a", "b", "write", "c", "d"), "done"], {
      tools: [make("a", 10), make("b", 10), make("write", 10, false), make("c", 10), make("d", 10)],
      toolExecution: "overlap",
    });
    expect(state.order.slice(0, 4).toSorted()).toEqual(["+a", "+b", "-a", "-b"]);
    expect(state.order.slice(4, 6)).toEqual(["+write", "-write"]);
    expect(state.order.slice(6).toSorted()).toEqual(["+c", "+d", "-c", "-d"]);
  });

  test("is bounded", async () => {
    const { state, make } = crowd();
    await play([picks(...Array.from({ length: 60 }, (_, n) => call("a", { n }))), "done"], {
      tools: [make("a", 3)],
      toolExecution: "overlap",
    });
    expect(state.most).toBeGreaterThan(1);
    expect(state.most).toBeLessThan(60);
  });

  test("sequential is the default", async () => {
    const { state, make } = crowd();
    await play([picks("a", "b"), "done"], { tools: [make("a", 5), make("b", 5)] });
    expect(state.most).toBe(1);
  });

  test("one that throws does not touch its neighbours", async () => {
    const { make } = crowd();
    const bad = tool({
      name: "bad",
      readOnly: true,
      execute: () => {
        throw new Error("boom");
      },
    });
    const { result: ended } = await play([picks("a", "bad", "b"), "done"], {
      tools: [make("a", 10), bad, make("b", 5)],
      toolExecution: "overlap",
    });
    expect(answers(ended.messages)).toEqual(["a done", expect.stringMatching(/^! .*boom/), "b done"]);
  });
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
