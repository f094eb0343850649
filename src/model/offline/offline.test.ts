import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../message/json.ts";
import type { Message } from "../../message/message.ts";
import {
  type Answer,
  ask,
  builtIns,
  converse,
  everyTool,
  replyWith,
  resultOf,
  type Tools,
  user,
  userTools,
} from "./offline.fixture.ts";
import { offline } from "./offline.ts";

const call = (name: string, args: JsonObject = {}) => `${name} ${JSON.stringify(args)}`;

describe("one step over the built-in tools", () => {
  test.each<[string, string, JsonObject?]>([
    ["Read src/error.ts", "read_file", { path: "src/error.ts" }],
    ["Show me the first 20 lines of README.md", "read_file", { path: "README.md", limit: 20 }],
    ["Read package.json from line 10", "read_file", { path: "package.json", offset: 10 }],
    ["Show lines 5 to 15 of src/error.ts", "read_file", { path: "src/error.ts", offset: 5, limit: 11 }],
    ["Please print the head of src/model/model.ts.", "read_file", { path: "src/model/model.ts", limit: 20 }],
    ["What does tsconfig.json contain?", "read_file", { path: "tsconfig.json" }],
    ["Could you please show me README.md?", "read_file", { path: "README.md" }],
    ["List the files in src/model", "list_dir", { path: "src/model" }],
    ["What is in the docs folder?", "list_dir", { path: "docs" }],
    ["What files are in src/loop?", "list_dir", { path: "src/loop" }],
    ["List the current directory", "list_dir"],
    ["Find all TypeScript files", "glob", { pattern: "**/*.ts" }],
    ["Which files match src/**/*.test.ts?", "glob", { pattern: "src/**/*.test.ts" }],
    ["Find files named package.json", "glob", { pattern: "**/package.json" }],
    ["Find markdown files in docs", "glob", { pattern: "**/*.md", path: "docs" }],
    ["Where is package.json?", "glob", { pattern: "**/package.json" }],
    ["Use glob with pattern src/*.ts", "glob", { pattern: "src/*.ts" }],
    ['Search for "TODO" in src', "grep", { pattern: "TODO", path: "src" }],
    ["Search for hello world in the TypeScript files", "grep", { pattern: "hello world", glob: "**/*.ts" }],
    ["Where is canonicalJson defined?", "grep", { pattern: "canonicalJson" }],
    ["Which files mention RondoError?", "grep", { pattern: "RondoError", output: "files" }],
    [
      'How many times does "export" occur in src/**/*.ts?',
      "grep",
      { pattern: "export", glob: "src/**/*.ts", output: "count" },
    ],
    [
      'Search case-insensitively for "todo" in src with 2 lines of context',
      "grep",
      { pattern: "todo", path: "src", ignore_case: true, context: 2 },
    ],
    ['grep "^import" in src/error.ts', "grep", { pattern: "^import", path: "src/error.ts" }],
    ['Search for "a(b" in src', "grep", { pattern: "a\\(b", path: "src" }],
    [
      "Count the lines of the files matching src/**/*.ts",
      "grep",
      { pattern: "^", glob: "src/**/*.ts", output: "count" },
    ],
    ["How many lines does src/error.ts have?", "grep", { pattern: "^", path: "src/error.ts", output: "count" }],
    ["Which file in src is the longest?", "grep", { pattern: "^", path: "src", output: "count", max: 2000 }],
    [
      'Look for "Stripe" in all markdown files, ignoring case',
      "grep",
      { pattern: "Stripe", glob: "**/*.md", ignore_case: true },
    ],
  ])("%j", async (request, name, args) => {
    expect((await converse(request)).calls).toEqual([call(name, args)]);
  });
});

describe("one step over tools of a user", () => {
  test.each<[string, string, JsonObject]>([
    ["What's the weather in Paris?", "get_weather", { city: "Paris" }],
    ["weather in berlin in fahrenheit", "get_weather", { city: "berlin", unit: "fahrenheit" }],
    ["Get the weather for New York in celsius", "get_weather", { city: "New York", unit: "celsius" }],
    ["I'm in Berlin. What's the weather?", "get_weather", { city: "Berlin" }],
    ["get_weather city=Oslo", "get_weather", { city: "Oslo" }],
    ["Convert 100 USD to EUR", "convert_currency", { amount: 100, from: "USD", to: "EUR" }],
    ["Convert 12.5 euros to dollars", "convert_currency", { amount: 12.5, from: "EUR", to: "USD" }],
    ["What is the status of order A-1001?", "order_status", { order_id: "A-1001" }],
    [
      'Send an email to bob@example.org saying "See you at 5"',
      "send_email",
      { to: "bob@example.org", body: "See you at 5" },
    ],
    [
      'Email ann@example.org with subject "Hi" and body "All well"',
      "send_email",
      { to: "ann@example.org", subject: "Hi", body: "All well" },
    ],
    ["Turn on the light in the kitchen", "set_light", { room: "kitchen", on: true }],
    ["Switch off the living room light", "set_light", { room: "living room", on: false }],
    ["Turn the bedroom light on with brightness 40", "set_light", { room: "bedroom", on: true, brightness: 40 }],
  ])("%j", async (request, name, args) => {
    expect((await converse(request)).calls).toEqual([call(name, args)]);
  });
});

/** A small workspace. */
const workspace: Tools = ({ name, arguments: args }): Answer => {
  if (name === "glob")
    return String(args.pattern).includes("package") ? "package.json" : "src/a.ts\nsrc/b.ts\nsrc/b.test.ts";
  if (name === "list_dir") return "loop/\na.ts (1.2 KB)\nb.ts (300 bytes)";
  if (name === "read_file") return "import x from 'x';\n\nexport const a = 1;\n";
  if (name !== "grep") return "ok";
  if (args.output === "count")
    return "src/a.ts: 40\nsrc/b.ts: 212\nsrc/b.test.ts: 400\nsrc/c.ts: 7\n659 lines in 4 files";
  return `${args.path}:3:export const a = 1;\n${args.path}:9:export type B = string;`;
};

describe("several steps", () => {
  const counted = call("grep", { pattern: "^", path: "src", output: "count", max: 2000 });
  test.each<[string, readonly string[]]>([
    [
      "Find the longest source file under src, read its first lines, then list what it exports.",
      [
        counted,
        call("read_file", { path: "src/b.ts", limit: 20 }),
        call("grep", { pattern: "^export\\b", path: "src/b.ts" }),
      ],
    ],
    [
      'Count the lines of the files matching src/**/*.ts, read the head of the longest one, then grep "export" in it.',
      [
        call("grep", { pattern: "^", glob: "src/**/*.ts", output: "count" }),
        call("read_file", { path: "src/b.test.ts", limit: 20 }),
        call("grep", { pattern: "export", path: "src/b.test.ts" }),
      ],
    ],
    [
      "Find the shortest file in src and show me its first 5 lines",
      [counted, call("read_file", { path: "src/c.ts", limit: 5 })],
    ],
    [
      "Find package.json, then read it",
      [call("glob", { pattern: "**/package.json" }), call("read_file", { path: "package.json" })],
    ],
    [
      "Find all TypeScript files; read the second one",
      [call("glob", { pattern: "**/*.ts" }), call("read_file", { path: "src/b.ts" })],
    ],
    [
      "Find all TypeScript files; read the last one",
      [call("glob", { pattern: "**/*.ts" }), call("read_file", { path: "src/b.test.ts" })],
    ],
    [
      'List src, then search it for "decide"',
      [call("list_dir", { path: "src" }), call("grep", { pattern: "decide", path: "src" })],
    ],
    [
      "Read src/a.ts, then list its exports",
      [call("read_file", { path: "src/a.ts" }), call("grep", { pattern: "^export\\b", path: "src/a.ts" })],
    ],
    ["1. List src\n2. Read src/a.ts", [call("list_dir", { path: "src" }), call("read_file", { path: "src/a.ts" })]],
    [
      "What is the weather in Paris and what is the status of order B-22?",
      [call("get_weather", { city: "Paris" }), call("order_status", { order_id: "B-22" })],
    ],
    [
      "Read src/a.ts, then read src/a.ts",
      [call("read_file", { path: "src/a.ts" }), call("read_file", { path: "src/a.ts" })],
    ],
  ])("%j", async (request, expected) => {
    expect((await converse(request, workspace)).calls).toEqual(expected);
  });

  test("a field of a structured result feeds a parameter of that name", async () => {
    const tools = [
      ...userTools,
      {
        name: "last_order",
        description: "Finds the last order of a customer.",
        parameters: { type: "object", properties: { customer: { type: "string" } }, required: ["customer"] },
      },
    ];
    const answer: Tools = ({ name }) =>
      name === "last_order" ? { json: { order: { orderId: "C-7" } } } : { json: { state: "sent" } };
    const { calls } = await converse("Find the last order of customer Miller, then look up its status", answer, {
      tools,
    });
    expect(calls).toEqual([call("last_order", { customer: "Miller" }), call("order_status", { order_id: "C-7" })]);
  });

  test("nothing is passed on from a step that found nothing, and the report says so", async () => {
    const { calls, text } = await converse(
      'Search for "nope" in src; then read the first match',
      () => "[No match for /nope/ in 3 files.]",
    );
    expect(calls).toEqual([call("grep", { pattern: "nope", path: "src" })]);
    expect(text).toContain("[No match for /nope/ in 3 files.]");
    expect(text).toContain("could not tell path");
  });

  test('"them" is never narrowed to one in silence', async () => {
    const { calls, text } = await converse("Find all TypeScript files, then read each of them", workspace);
    expect(calls).toEqual([call("glob", { pattern: "**/*.ts" })]);
    expect(text).toContain('Not done: "read each of them"');
  });
});

describe("nothing is picked", () => {
  test.each([
    "Tell me a joke",
    "Tell me a joke about files",
    "Write a poem about files",
    "What is the capital of France?",
    "List three reasons to be happy",
    "What time is it?",
    "Explain how the loop works",
    "Summarise the project",
    "Book a flight to Rome",
    "Order a pizza",
    "Thanks, that's all",
    "What's the weather?",
    "Read it",
    "asdf qwer",
    "Wie geht es dir?",
    "Hello!",
    "",
  ])("%j", async (request) => {
    expect((await converse(request)).calls).toEqual([]);
  });

  test.each([
    "Delete src/error.ts",
    "Rename src/error.ts to src/errors.ts",
    'Create a file notes.txt saying "hi"',
    "How do I send an email to bob@example.org?",
    'Don\'t send an email to bob@example.org saying "hi"',
    'If it rains, send an email to bob@example.org saying "rain"',
    'Send an email to bob@example.org saying "rain" if it rains',
    'What is the email of bob@example.org, "Bob"?',
    "The kitchen light is on",
    "Is the bedroom light off?",
  ])("no change on a guess: %j", async (request) => {
    expect((await converse(request)).calls).toEqual([]);
  });

  test("the answer says so, names the tools and says who speaks", async () => {
    const { text } = await converse("Tell me a joke", undefined, { tools: builtIns });
    expect(text).toContain('I found nothing to pick for "Tell me a joke".');
    for (const { name } of builtIns) expect(text).toContain(`- ${name}: `);
    expect(text).toContain("I am not a language model");
    expect(text).toContain("RONDO_MODEL");
    expect(text).toContain("--model");
  });

  test("what is missing is named", async () => {
    expect((await converse("What's the weather?")).text).toContain("get_weather would fit, but I could not tell city");
  });

  test("two tools that fit alike", async () => {
    const twin = { ...userTools[0]!, name: "get_weather2" };
    const { calls, text } = await converse("What's the weather in Paris?", undefined, {
      tools: [{ ...userTools[0]!, name: "get_weather1" }, twin],
    });
    expect(calls).toEqual([]);
    expect(text).toContain("get_weather1 and get_weather2 fit equally well");
  });

  test("no tools at all", async () => {
    const { calls, text } = await converse("Read src/error.ts", undefined, { tools: [] });
    expect(calls).toEqual([]);
    expect(text).toContain("There are no tools in this request.");
    expect(text).toContain("I am not a language model");
  });
});

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
    expect(text).toContain("4 files, 659 in all. The most: src/b.ts (212).");
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
