import { describe, expect, test } from "vitest";
import {
  Agent,
  createRuntime,
  type Json,
  result,
  type ToolEntry,
  type ToolResultMessage,
  tool,
} from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, call, interrupted, never, picks, play, resultsOf, start, until } from "./play.fixture.ts";

/** What a tool does in these tests. */
type Body = () => unknown;

class Odd extends Agent {
  body: Body = () => undefined;
  odd = this.method({ description: "Odd." }, () => this.body());
}

/** Runs a body as each form of tool; the result as it is in the history, and what the next request carried. */
const forms: readonly (readonly [string, (body: Body) => Promise<ToolResultMessage>])[] = [
  ["tool()", (body) => once(tool({ name: "odd", execute: body }))],
  ["spec and execute", (body) => once({ spec: { name: "odd" }, execute: body })],
  [
    "an Agent's method",
    (body) => {
      const agent = new Odd();
      agent.body = body;
      return once(agent.odd as unknown as ToolEntry);
    },
  ],
  ["a registered name", (body) => once(tool.named("odd"), tool({ name: "odd", execute: body }))],
  [
    "a run inside",
    async (body) => {
      let inner: Promise<ToolResultMessage> | undefined;
      await once(tool({ name: "odd", execute: () => (inner = once(tool({ name: "odd", execute: body }))) }));
      return inner!;
    },
  ],
];

async function once(entry: ToolEntry, registered?: ToolEntry): Promise<ToolResultMessage> {
  const played = await play(
    [picks("odd"), "done"],
    { tools: [entry] },
    registered ? { tools: [registered as never] } : {},
  );
  expect(played.result).toMatchObject({ outcome: "stop", text: "done" });
  const text = JSON.stringify([played.events, played.result]);
  expect(JSON.parse(text)).toBeDefined();
  expect(text.isWellFormed()).toBe(true);
  const [message] = resultsOf(played.result.messages);
  expect(message!.content.length).toBeGreaterThan(0);
  expect(resultsOf(played.model.requests[1]!.messages)).toEqual([message]);
  return message!;
}

const textsOf = ({ content }: ToolResultMessage): string =>
  content
    .map((part) => (part.type === "text" ? part.text : part.type === "json" ? JSON.stringify(part.value) : ""))
    .join("");

const cycle: { a: number; self?: unknown } = { a: 1 };
cycle.self = cycle;
const throwing = {
  get a(): number {
    throw new Error("getter broke");
  },
  b: 2,
};
const trap = new Proxy({}, { ownKeys: () => expect.unreachable("trap sprung") });
const stubborn = {
  toJSON: () => {
    throw new Error("no JSON of me");
  },
};
const awaited = "then";
const thenTrap = Object.defineProperty({}, awaited, {
  get: () => {
    throw new Error("then broke");
  },
});

describe.each(forms)("%s", (_, run) => {
  test.each([
    ["a cycle", cycle, false, '{"a":1,"self":"[cycle]"}'],
    ["a getter that throws", throwing, false, '{"a":"[cannot be read: getter broke]","b":2}'],
    ["a Proxy whose ownKeys throws", trap, true, /Tool "odd" ran, but what it returned cannot be read \(.*trap sprung/],
    ["a toJSON that throws", stubborn, true, /Tool "odd" ran, but what it returned cannot be read \(no JSON of me\)/],
    ["a `then` that throws", thenTrap, true, /then broke/],
  ])("TOOL-01 %s", async (__, value, isError, text) => {
    const message = await run(() => value);
    expect(message.isError).toBe(isError);
    if (typeof text === "string") expect(textsOf(message)).toBe(text);
    else expect(textsOf(message)).toMatch(text);
  });

  test.each<readonly [string, unknown, boolean, string | RegExp]>([
    ["undefined", undefined, false, "(no value)"],
    ["null", null, false, "null"],
    ["{ content: undefined }", { content: undefined }, false, "{}"],
    ["a result without content", result({ content: undefined as never }), true, /gave a part that cannot be used/],
    ["a function", () => 1, true, /Tool "odd" ran, but returned a function/],
    ["a symbol", Symbol("s"), true, /Tool "odd" ran, but returned a symbol/],
    ["NaN", Number.NaN, false, "NaN"],
    ["a Map", new Map([[1, 2]]), false, "[[1,2]]"],
    ["a Buffer of 1 KB", Buffer.alloc(1024), true, /Tool "odd" ran, but returned Buffer of 1024 bytes/],
    ["a Date", new Date(0), false, "1970-01-01T00:00:00.000Z"],
    ["the empty text", "", false, "(empty text)"],
  ])("TOOL-03 %s", async (__, value, isError, text) => {
    const message = await run(() => value);
    expect(message.isError).toBe(isError);
    expect(textsOf(message)).toEqual(typeof text === "string" ? text : expect.stringMatching(text));
  });

  test("TOOL-05 an error without words says which tool failed; one in an object is told", async () => {
    const empty = await run(() => {
      throw new Error("");
    });
    expect([empty.isError, textsOf(empty)]).toEqual([
      true,
      expect.stringContaining('Tool "odd" failed without a message'),
    ]);
    const bare = await run(() => result({ content: [], isError: true }));
    expect([bare.isError, textsOf(bare)]).toEqual([true, 'Tool "odd" failed without a message.']);
    expect(textsOf(await run(() => ({ error: { message: "boom" } })))).toContain("boom");
    const thrown = await run(() => {
      throw { error: { message: "boom" } };
    });
    expect([thrown.isError, textsOf(thrown)]).toEqual([true, "boom"]);
  });

  test("TOOL-07 half of a surrogate pair becomes U+FFFD, in texts, JSON, details and errors", async () => {
    expect(textsOf(await run(() => "a\ud83d"))).toBe("a\ufffd");
    expect(textsOf(await run(() => "\udc00b"))).toBe("\ufffdb");
    expect(textsOf(await run(() => ({ "\ud83d": ["\udc00"] })))).toBe('{"\ufffd":["\ufffd"]}');
    const both = await run(() => result({ content: "a\ud83d", details: { x: "\ud83d" } }));
    expect(both.details).toEqual({ x: "\ufffd" });
    const thrown = await run(() => {
      throw new Error("\udc00");
    });
    expect(textsOf(thrown)).toBe("\ufffd");
  });

  test("TOOL-15 an error stays one whatever its content, and what says nothing of errors is none", async () => {
    const text = { type: "text", text: "missing owner" } as const;
    const json = { type: "json", value: { isError: false } } as const;
    for (const content of [[text], [json, text], [text, json]]) {
      const message = await run(() => result({ content, isError: true, details: { isError: false } }));
      expect([message.isError, message.content]).toEqual([true, content]);
    }
    expect((await run(() => result({ content: [text, json] }))).isError).toBe(false);
    // Data, however much it looks like a result.
    expect(await run(() => ({ isError: true, content: [text] }))).toMatchObject({ isError: false });
  });
});

test("TOOL-07 a cap that would cut a character in half leaves it out, at either end", async () => {
  const faces = "😀".repeat(200);
  for (let maxResultChars = 100; maxResultChars < 108; maxResultChars++) {
    const faced = tool({ name: "faces", maxResultChars, execute: () => faces });
    const { result: run } = await play([picks("faces"), "done"], { tools: [faced] });
    const [text] = answers(run.messages);
    expect(text!.isWellFormed()).toBe(true);
    expect(text!.length).toBeLessThanOrEqual(maxResultChars);
    expect(text).toMatch(/^😀+\n\[\.\.\. \d+ of 400 characters left out \.\.\.\]\n😀+$/u);
  }
});

describe("tools by names that objects have", () => {
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];

  test("are called, time out, throw and are denied like any other", async () => {
    const ok = names.map((name) => tool({ name, execute: () => `${name} ran` }));
    const { result: ran } = await play([picks(...names), "done"], { tools: ok });
    expect(answers(ran.messages)).toEqual(names.map((name) => `${name} ran`));
    const slow = names.map((name) => tool({ name, timeoutMs: 5, execute: never }));
    const { result: late } = await play([picks(...names), "done"], { tools: slow });
    expect(answers(late.messages)).toEqual(names.map((name) => expect.stringContaining(`! Tool "${name}" timed out`)));
    const { result: none } = await play([picks(...names), "done"], {
      tools: [tool({ name: "a", execute: () => "a" })],
    });
    expect(answers(none.messages)).toEqual(
      names.map((name) => expect.stringContaining(`! There is no tool "${name}"`)),
    );
  });

  test("arguments with __proto__ reach the tool as a field of its own, and nothing else", async () => {
    const seen: Json[] = [];
    const spy = tool({ name: "spy", input: { type: "object" }, execute: (args) => void seen.push(args as Json) });
    await play([picks(call("spy", '{"__proto__":{"polluted":1},"a":{"__proto__":null}}')), "done"], { tools: [spy] });
    expect(Object.keys(seen[0] as object)).toEqual(["__proto__", "a"]);
    expect(Object.getPrototypeOf(seen[0])).toBe(Object.prototype);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

test("a tool that never settles: an abort ends the run at once, nested too", async () => {
  let began = 0;
  const begin = () => {
    began++;
    return never();
  };
  const hangs = tool({ name: "hangs", timeoutMs: Infinity, execute: begin });
  const nests = tool({
    name: "nests",
    execute: (_, ctx) => ctx.runtime.exec("go", { tools: [hangs], model: scripted([picks("hangs")]) }),
  });
  for (const [name, ...tools] of [["hangs", hangs] as const, ["nests", nests] as const]) {
    const before = began;
    const { run, ended } = start([picks(name)], { tools });
    await until(() => began > before);
    run.abort();
    const { result: over } = await ended();
    expect([over.outcome, ...answers(over.messages)]).toEqual(["aborted", interrupted]);
  }
  expect(await createRuntime({ model: scripted(["fine"]) }).exec("go", { tools: [] })).toBe("fine");
});
