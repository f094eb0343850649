import { describe, expect, test } from "vitest";
import { z } from "zod";
import { result, type Tool, tool } from "../../src/core.ts";
import { callsOf } from "../../src/message/message.ts";
import { answerOf } from "./answer.fixture.ts";
import { answers, logged, outline, picks, play, sleep } from "./play.fixture.ts";

const city = tool({
  name: "weather",
  input: z.object({ city: z.string() }),
  execute: ({ city }) => `Sunny in ${city}`,
});

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
