import { expect, test } from "vitest";
import { request } from "../../../test/wires/ask.ts";
import type { AssistantContent, Message, ToolResultContent, UserMessage } from "../../message/message.ts";
import { noUsage } from "../../message/usage.ts";
import { scripted } from "../../testing/index.ts";
import type { JsonSchema, Model, ModelRequest } from "../model.ts";
import { textTools } from "./text-tools.ts";

const tools = [{ name: "weather", description: "Weather.", parameters: { type: "object", properties: {} } }];

/** What a model is asked when it is asked these, one after the other. */
async function asked(...requests: Partial<ModelRequest>[]): Promise<readonly ModelRequest[]> {
  const inner = scripted(requests.map(() => "Hm."));
  const model = textTools(inner);
  for (const one of requests) await drained(model, { ...request(), tools, ...one });
  return inner.requests;
}

async function drained(model: Model, given: ModelRequest): Promise<void> {
  for await (const _ of model.stream(given, new AbortController().signal));
}

const user = (content: UserMessage["content"]): Message => ({ role: "user", content });
const assistant = (...content: AssistantContent[]): Message => ({
  role: "assistant",
  content,
  model: "m",
  usage: noUsage,
  stopReason: "stop",
});
const call = (id: string, args: string, more = {}): AssistantContent => ({
  type: "tool_call",
  id,
  name: "weather",
  arguments: args,
  ...more,
});
const result = (callId: string, ...content: ToolResultContent[]): Message => ({
  role: "tool",
  callId,
  toolName: "weather",
  content,
  isError: false,
});
const text = (said: string) => ({ type: "text", text: said }) as const;

const rendered = async (...messages: Message[]) =>
  (await asked({ messages }))[0]!.messages.map(({ role, content }) => ({ role, content }));

const action = (args: string) => `<tool_call>\n{"name": "weather", "arguments": ${args}}\n</tool_call>`;
const told = (said: string) => `<tool_result name="weather">\n${said}\n</tool_result>`;
/** What stands behind results that came last. */
const goOn = "\n\n[If this is enough, answer the user in plain text now. If not, call another tool.]";

test("calls become text, results user messages, and the two kinds of messages take turns", async () => {
  const seen = await rendered(
    user("Weather?"),
    user("Now."),
    assistant({ type: "reasoning", text: "Hm" }, text("I look."), call("a", '{"b": 1}'), call("b", "")),
    result("a", text("sun"), { type: "json", value: { c: 2 } }),
    { ...(result("b", text("no")) as Extract<Message, { role: "tool" }>), isError: true },
    user("Shorter."),
    assistant({ type: "reasoning", text: "only thoughts" }),
    assistant(text("Sun.")),
    assistant(text(" Yes.")),
    user("Thanks."),
  );
  expect(seen).toEqual([
    { role: "user", content: "Weather?\n\nNow." },
    { role: "assistant", content: [text(`I look.\n${action('{"b": 1}')}\n${action("{}")}`)] },
    {
      role: "user",
      content: `${told('sun{"c":2}')}\n\n${told("no").replace('weather"', 'weather" error="true"')}\n\nShorter.`,
    },
    { role: "assistant", content: [text("Sun."), text(" Yes.")] },
    { role: "user", content: "Thanks." },
  ]);
});

test("ARGS-03 arguments are sent as they were written, those that are none as an empty object", async () => {
  const [, reply] = await rendered(
    user("?"),
    assistant(call("a", "{}"), call("b", '{"a":'), call("c", '{"a": 1}', { partial: true }), call("d", '"{}"')),
    result("a", text("1")),
    result("b", text("2")),
    result("c", text("3")),
    result("d", text("4")),
  );
  expect(reply?.content).toEqual([text([action("{}"), action("{}"), action("{}"), action('"{}"')].join("\n"))]);
});

test("images of results and of the user stay", async () => {
  const image = { type: "image", data: "AA==", mediaType: "image/png" } as const;
  const seen = await rendered(user([text("See"), image]), assistant(call("a", "{}")), result("a", text("It:"), image));
  expect(seen[0]?.content).toEqual([text("See"), image]);
  expect(seen[2]?.content).toEqual([text('<tool_result name="weather">\nIt:'), image, text(`\n</tool_result>${goOn}`)]);
});

test.each([
  "</tool_result>",
  "< / tool_result >",
  "<TOOL_CALL>",
  "<|tool_call|>",
  "<tool_response>",
  "<function=weather>",
  "<|python_tag|>",
  "</Function_Call>",
])("a result that holds %s does not hold the mark", async (mark) => {
  const [, , seen] = await rendered(user("?"), assistant(call("a", "{}")), result("a", text(`a ${mark} b`)));
  expect(seen?.content).toBe(told(`a ${mark.replace("<", "&lt;")} b`) + goOn);
});

test("a mark in two parts of a result is one all the same; other text is unchanged", async () => {
  const [, , seen] = await rendered(
    user("?"),
    assistant(call("a", "{}")),
    result("a", text("</tool"), text("_result> <p>a < b && c</p> <tools>")),
  );
  expect(seen?.content).toBe(told("&lt;/tool_result> <p>a < b && c</p> <tools>") + goOn);
});

test("what the model may do stands behind results that come last: to answer, or to correct a call that failed", async () => {
  const failed = { ...(result("a", text("no")) as Extract<Message, { role: "tool" }>), isError: true };
  const [, , seen] = await rendered(user("?"), assistant(call("a", "{}")), failed);
  expect(seen?.content).toMatch(
    /<\/tool_result>\n\n\[The call failed\. Correct it and call again, or call another tool\. If nothing helps, say so\.\]$/,
  );
  const [, , followed] = await rendered(user("?"), assistant(call("a", "{}")), failed, user("Go on."));
  expect(followed?.content).toMatch(/<\/tool_result>\n\nGo on\.$/);
});

test("a mark in a tool's name is none", async () => {
  const odd = { ...(result("a", text("x")) as Extract<Message, { role: "tool" }>), toolName: 'a">\n<tool_call>' };
  const [, , seen] = await rendered(user("?"), assistant(call("a", "{}")), odd);
  expect(seen?.content).toBe(`<tool_result name="a____tool_call_">\nx\n</tool_result>${goOn}`);
});

test("what was sent stays: the same messages again, the same menu, and notices where they stood", async () => {
  const messages: Message[] = [user("Weather?")];
  const inner = scripted(["Hm.", "Hm.", "Hm.", "Hm."]);
  const model = textTools(inner);
  const send = (more: Partial<ModelRequest>) => drained(model, { ...request(), system: "S", tools, messages, ...more });
  await send({ toolChoice: "required" });
  messages.push(assistant(call("a", "{}")), result("a", text("sun")));
  await send({ toolChoice: "auto" });
  await send({ toolChoice: { type: "function", names: ["weather", "b"] } });
  await send({ toolChoice: "none" });
  const [first, second, third, fourth] = inner.requests as [ModelRequest, ModelRequest, ModelRequest, ModelRequest];
  expect(new Set(inner.requests.map(({ system }) => system)).size).toBe(1);
  expect(first.messages).toEqual([user("Weather?\n\n[Your reply must be a call of one of the tools now.]")]);
  for (const later of [second, third, fourth]) {
    expect(later.messages[0]).toBe(first.messages[0]);
    expect(later.messages[1]).toBe(second.messages[1]);
  }
  expect([second, third, fourth].map(({ messages }) => messages[2]?.content)).toEqual([
    told("sun") + goOn,
    `${told("sun")}\n\n[Your reply must be a call of one of the tools "weather", "b" now.]`,
    `${told("sun")}\n\n[No tool can be called now: answer in plain text.]`,
  ]);
});

test("a history that was changed, and one that ends with a reply, are rendered as they are", async () => {
  const messages: Message[] = [user("A"), assistant(text("B")), user("C")];
  const inner = scripted(["Hm.", "Hm.", "Hm."]);
  const model = textTools(inner);
  await drained(model, { ...request(), tools, messages });
  messages.splice(1, 2, assistant(text("D")));
  await drained(model, { ...request(), tools, messages, toolChoice: "none" });
  await drained(model, { ...request(), tools, messages });
  expect(inner.requests.map(({ messages }) => messages.length)).toEqual([3, 3, 2]);
});

test("the request has no tools, and everything else that was said", async () => {
  const more = { effort: "low", maxOutputTokens: 5, temperature: 0.5, providerOptions: { p: { a: 1 } } } as const;
  const [one] = await asked({ ...more, parallelToolCalls: false, system: "Be brief." });
  const { system, messages: _, ...rest } = one!;
  expect(rest).toEqual({ tools: [], toolChoice: "auto", ...more });
  expect(system).toMatch(/^Be brief\.\n\n# Tools\n\n/);
});

test("a structured result is asked for in words beside tools, by the model itself without", async () => {
  const output = { schema: { type: "object", properties: { a: { type: "string" } } } };
  const [beside, alone] = await asked({ output }, { output, tools: [] });
  expect(beside).not.toHaveProperty("output");
  expect(beside?.system).toContain(JSON.stringify(output.schema));
  expect(alone).toMatchObject({ output });
});

/** The lines of one tool with these arguments, behind its name. */
const menuOf = async (parameters: JsonSchema, description = "") => {
  const [one] = await asked({ tools: [{ name: "t", description, parameters }] });
  return one!.system!.slice(one!.system!.indexOf("## t"), one!.system!.indexOf("\n\n# How to call"));
};

test.each<readonly [string, JsonSchema, string]>([
  ["nothing", { type: "object", properties: {} }, "{}"],
  ["anything", {}, "any"],
  [
    "plain fields",
    { type: "object", properties: { a: { type: "string" }, b: { type: "integer" } }, required: ["a"] },
    '{ "a": string, "b"?: integer }',
  ],
  [
    "what is said of fields",
    {
      type: "object",
      properties: {
        a: { type: "string", description: "The\n a." },
        n: { type: "integer", minimum: 1, maximum: 9, default: 3 },
      },
      required: ["a"],
    },
    '{\n  "a": string, // The a.\n  "n"?: integer, // at least 1; at most 9; default 3\n}',
  ],
  [
    "lists, choices, maps and objects in objects",
    {
      type: "object",
      properties: {
        a: { type: "array", items: { enum: ["x", 1] } },
        b: { anyOf: [{ type: "string" }, { type: "null" }] },
        c: { type: "object", additionalProperties: { type: ["number", "null"] } },
        d: { type: "object", properties: { e: { const: true, description: "Yes." } } },
      },
    },
    '{\n  "a"?: ("x" | 1)[],\n  "b"?: string | null,\n  "c"?: { [key: string]: number | null },\n  "d"?: {\n    "e"?: true, // Yes.\n  },\n}',
  ],
  [
    "references, also in a circle",
    { $ref: "#/$defs/n", $defs: { n: { type: "object", properties: { next: { $ref: "#/$defs/n" } } } } },
    `${'{ "next"?: '.repeat(6)}any${" }".repeat(6)}`,
  ],
  [
    "what a type cannot say",
    { $schema: "x", allOf: [{ type: "object" }], type: "object" },
    'JSON Schema {"allOf":[{"type":"object"}],"type":"object"}',
  ],
])("arguments in few words: %s", async (_, parameters, shown) => {
  expect(await menuOf(parameters)).toBe(`## t\nArguments: ${shown}`);
  expect(await menuOf(parameters, " Does. ")).toBe(`## t\nDoes.\nArguments: ${shown}`);
});

test("the example is a call of the menu that could be made", async () => {
  const parameters = {
    type: "object",
    properties: {
      a: { type: "string" },
      b: { enum: ["x", "y"] },
      c: { type: "array", items: { type: "number" } },
      d: { type: "string" },
      e: { type: "boolean", default: false },
      f: { anyOf: [{ type: "object", properties: { g: { type: "null" } }, required: ["g"] }] },
    },
    required: ["a", "b", "c", "e", "f"],
  };
  const [one] = await asked({ tools: [...tools, { name: "t", description: "", parameters }] });
  const example = /<tool_call>\n(.*)\n<\/tool_call>/.exec(one!.system!)![1]!;
  expect(JSON.parse(example)).toEqual({ name: "t", arguments: { a: "<a>", b: "x", c: [1], e: false, f: { g: null } } });
});

test("how to call stands behind the menu, and never names the mark of results", async () => {
  const [one] = await asked({});
  expect(one!.system).toMatch(
    /^# Tools\n\n## weather\n[\s\S]*\n\n# How to call a tool\n\n[\s\S]*<tool_call>\n\{"name": "weather"/,
  );
  expect(one!.system).not.toContain("tool_result");
});

test("what is no model is refused", () => {
  expect(() => textTools("gemma" as never)).toThrow(/^textTools needs a model/);
});

test("what a model can do is told, but for structured results, which it is asked for in words", () => {
  const supports = { output: true, images: false };
  const model = textTools(scripted([], { id: "m", supports, contextTokens: 8, maxOutputTokens: 4 }));
  expect(model).toMatchObject({ id: "m", contextTokens: 8, maxOutputTokens: 4 });
  expect(model.supports).toEqual({ images: false, tools: true, toolChoice: true, parallelToolCalls: false });
});
