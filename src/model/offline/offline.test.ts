import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../message/json.ts";
import type { Message } from "../../message/message.ts";
import { ask, call, converse, everyTool, replyWith, resultOf, user, workspace } from "./offline.fixture.ts";
import { offline } from "./offline.ts";

describe("tool choice", () => {
  const weather = { type: "function", names: ["get_weather"] } as const;

  test("none: text only, and what was not done is named", async () => {
    const { calls, text } = await converse("Read src/error.ts", undefined, { toolChoice: "none" });
    expect(calls).toEqual([]);
    expect(text).toContain('Not done: "Read src/error.ts"');
  });

  test("none at the end of the work: the message that nobody asked by is passed over", async () => {
    const reply = replyWith("read_file", { path: "src/error.ts" });
    const first = reply.content[0];
    if (first?.type !== "tool_call") throw new Error("no call");
    const messages: Message[] = [
      user("Read src/error.ts, then list src"),
      reply,
      resultOf(first, "line one"),
      user("The limit is reached. Answer now without tools."),
    ];
    const { calls, text } = await ask(messages, { toolChoice: "none" });
    expect(calls).toEqual([]);
    expect(text).toContain("line one");
    expect(text).toContain('Not done: "list src". It needs list_dir');
    expect(text).not.toContain("limit is reached");
  });

  test("a name: that tool, although another fits better", async () => {
    const { calls } = await ask([user("Read src/error.ts, then tell me the weather in Rome")], { toolChoice: weather });
    expect(calls).toEqual([call("get_weather", { city: "Rome" })]);
  });

  test("a name: filled as far as it goes", async () => {
    const { calls } = await ask([user("Tell me a joke in celsius")], { toolChoice: weather });
    expect(calls[0]).toMatch(/^get_weather \{/u);
  });

  test("a name, asked for once more: arguments come from the message before", async () => {
    const text = {
      role: "assistant",
      content: [{ type: "text", text: "Sunny, I guess." }],
      model: "offline",
      usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
      stopReason: "stop",
    } as const;
    const { calls } = await ask([user("What's the weather in Oslo?"), text, user("a tool has to be picked now")], {
      toolChoice: weather,
    });
    expect(calls).toEqual([call("get_weather", { city: "Oslo" })]);
  });

  test("required: something is picked, and nothing that changes anything on a guess", async () => {
    const { calls } = await ask([user("Tell me a joke")], { toolChoice: "required" });
    expect(calls).toHaveLength(1);
    expect(calls[0]).not.toMatch(/^(?:send_email|set_light)/u);
  });

  test("a forced name that is not in the menu is not picked", async () => {
    const { calls } = await ask([user("Read a.ts")], { toolChoice: { type: "function", names: ["absent"] } });
    expect(calls).toEqual([]);
  });
});

describe("results and messages on the way", () => {
  test("a failed call is not repeated, and the report says what failed", async () => {
    const { calls, text } = await converse("Read a.ts, then read a.ts, then list src", ({ name }) =>
      name === "read_file" ? { error: '"a.ts" does not exist.' } : "b.ts (1 KB)",
    );
    expect(calls).toEqual([call("read_file", { path: "a.ts" }), call("list_dir", { path: "src" })]);
    expect(text).toContain('failed: "a.ts" does not exist.');
    expect(text).toContain("the same call of read_file that failed above");
  });

  test("steering: a newer message takes the place of what is left", async () => {
    const reply = replyWith("list_dir", { path: "src" });
    const first = reply.content[0];
    if (first?.type !== "tool_call") throw new Error("no call");
    const messages = [
      user("List src, then read src/a.ts"),
      reply,
      resultOf(first, "a.ts (1 KB)"),
      user("Rather read src/z.ts"),
    ];
    const { calls, text } = await converse(messages, workspace);
    expect(calls).toEqual([call("read_file", { path: "src/z.ts" })]);
    expect(text).toContain('took the place of "List src, then read src/a.ts"');
  });

  test("messages in a row are one request", async () => {
    const { calls } = await converse([user("Read a.ts"), user("List src")], workspace);
    expect(calls).toEqual([call("read_file", { path: "a.ts" }), call("list_dir", { path: "src" })]);
  });

  test("a later turn starts anew and knows what came before", async () => {
    const first = await converse("Find package.json", workspace);
    const second = await converse([...first.messages, user("Read it")], workspace);
    expect(second.calls).toEqual([call("read_file", { path: "package.json" })]);
  });

  test("work of another model is not done again and not taken for an answer to something else", async () => {
    const reply = replyWith("read_file", { path: "b.ts" }, "toolu_1", "other/model");
    const first = reply.content[0];
    if (first?.type !== "tool_call") throw new Error("no call");
    const { calls } = await converse([user("Read a.ts, then read b.ts"), reply, resultOf(first, "b")], workspace);
    expect(calls).toEqual([call("read_file", { path: "a.ts" })]);
  });

  test("counts and quotes", async () => {
    const { text } = await converse("Find the longest source file under src, then read its first lines", workspace);
    expect(text).toContain("I made 2 calls:");
    expect(text).toContain("4 files, 659 in all. The most, tests aside: src/b.ts (212).");
    expect(text).toContain("3 lines\n   > import x from 'x';");
  });
});

describe("the stream", () => {
  test("a call comes in pieces that make up its arguments", async () => {
    const { events, message } = await ask([user('Search for "hello big world" in src')]);
    const id = "offline_1";
    expect(events[0]).toEqual({ type: "call_start", id, name: "grep" });
    const json = events.flatMap((event) => (event.type === "call_delta" ? [event.delta] : [])).join("");
    expect(message).toEqual({
      role: "assistant",
      content: [{ type: "tool_call", id, name: "grep", arguments: json }],
      model: "offline",
      usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
      stopReason: "tool_calls",
    });
    expect(events.at(-2)).toEqual({ type: "call_end", id });
  });

  test("text comes in words", async () => {
    const { events, message, text } = await ask([user("Tell me a joke")]);
    const deltas = events.flatMap((event) => (event.type === "text" ? [event.delta] : []));
    expect(deltas.join("")).toBe(text);
    expect(deltas.length).toBeGreaterThan(20);
    expect(message.stopReason).toBe("stop");
  });

  test("ids are not used twice in a history", async () => {
    const { messages } = await converse("Read a.ts, then read b.ts, then read c.ts", workspace);
    const ids = messages.flatMap((message) => (message.role === "tool" ? [message.callId] : []));
    expect(new Set(ids).size).toBe(3);
  });

  test("an aborted signal ends it at once", async () => {
    const { events, message } = await ask([user("Read a.ts")], { signal: AbortSignal.abort() });
    expect(events).toHaveLength(1);
    expect(message).toMatchObject({ content: [], stopReason: "aborted" });
  });

  test("a signal that fires in the middle ends it with what was said", async () => {
    const controller = new AbortController();
    const said: string[] = [];
    const request = { messages: [user("Tell me a joke")], tools: everyTool, toolChoice: "auto" } as const;
    for await (const event of offline().stream(request, controller.signal)) {
      if (event.type === "text") said.push(event.delta);
      if (said.length === 3) controller.abort();
      if (event.type === "end")
        expect(event.message).toMatchObject({
          content: [{ type: "text", text: said.join("") }],
          stopReason: "aborted",
        });
    }
    expect(said).toHaveLength(3);
  });

  test("a call that is cut off is not in the message", async () => {
    const controller = new AbortController();
    const request = { messages: [user("Read a.ts")], tools: everyTool, toolChoice: "auto" } as const;
    const types: string[] = [];
    for await (const event of offline().stream(request, controller.signal)) {
      types.push(event.type);
      if (event.type === "call_start") controller.abort();
      if (event.type === "end") expect(event.message).toMatchObject({ content: [], stopReason: "aborted" });
    }
    expect(types).toEqual(["call_start", "end"]);
  });
});

const parts = [
  "read",
  "src/a.ts",
  "it",
  "the longest file",
  "list",
  '"x"',
  ", then ",
  "; ",
  "42",
  "Paris",
  "send an email to a@b.de",
  "*.ts",
  "\n1. ",
  "what",
  "(",
  "'",
  "don't",
  "if",
  "über",
  "\u0000",
  "__proto__=1",
];

test("any request: the same events twice, only tools of the menu, valid JSON, an end that says who speaks", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(fc.constantFrom(...parts), fc.string()), { maxLength: 10 }), async (words) => {
      const request = words.join(" ");
      const [one, two] = [await converse(request, workspace), await converse(request, workspace)];
      expect(one).toEqual(two);
      for (const made of one.calls) expect(everyTool.map(({ name }) => name)).toContain(made.split(" ")[0]);
      expect(one.text).toContain("I am not a language model");
    }),
    { numRuns: 300 },
  );
});

test("schemas of any shape do no harm", async () => {
  const shapes: JsonObject[] = [
    {},
    { type: "object" },
    {
      type: "object",
      properties: {
        a: true,
        b: {},
        c: { anyOf: [{ type: "null" }, { type: "integer" }] },
        d: { type: ["string", "null"] },
      },
      required: ["c"],
    },
    {
      type: "object",
      properties: { __proto__: { type: "string" }, list: { type: "array", items: { type: "number" } } },
      required: ["list"],
    },
    {
      type: "object",
      properties: { o: { type: "object", properties: { x: { type: "integer" } } }, "": { type: "string" } },
      required: "o",
    },
    { type: "object", properties: null, required: null },
  ];
  const tools = shapes.map((parameters, index) => ({ name: `odd${index}`, description: "", parameters }));
  expect((await converse("Use odd3 with 1, 2 and 3", undefined, { tools })).calls).toEqual([
    call("odd3", { list: [1, 2, 3] }),
  ]);
  expect((await converse("Use odd4 with x=3", undefined, { tools })).calls).toEqual([call("odd4", { o: { x: 3 } })]);
});
