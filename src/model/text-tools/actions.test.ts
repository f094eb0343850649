import { describe, expect, test } from "vitest";
import { request } from "../../../test/wires/ask.ts";
import { type ScriptedReply, scripted } from "../../testing/index.ts";
import type { ModelEvent, ToolDeclaration } from "../model.ts";
import { textTools } from "./text-tools.ts";

const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const tools: readonly ToolDeclaration[] = [
  { name: "weather", description: "Weather of a city.", parameters },
  { name: "read_file", description: "", parameters: { type: "object", properties: { path: { type: "string" } } } },
];

/** What a reply becomes: its text, its one call and its stop reason, as streamed and as in the message. */
async function read(reply: ScriptedReply) {
  const model = textTools(scripted([reply]), { newId: () => "id" });
  const events: ModelEvent[] = [];
  for await (const event of model.stream({ ...request(), tools }, new AbortController().signal)) events.push(event);
  const end = events.at(-1);
  if (end?.type !== "end") throw new Error("no end");
  let [text, reasoning, args] = ["", "", ""];
  let name: string | undefined;
  for (const event of events) {
    if (event.type === "text") text += event.delta;
    if (event.type === "reasoning") reasoning += event.delta;
    if (event.type === "call_start") name = event.name;
    if (event.type === "call_delta") args += event.delta;
  }
  const ended = events.some(({ type }) => type === "call_end");
  const call = name === undefined ? undefined : { name, args, ...(!ended && { partial: true }) };
  const { content, stopReason } = end.message;
  const again = { text: "", reasoning: "", call: undefined as typeof call };
  for (const part of content) {
    if (part.type !== "tool_call") again[part.type] += part.text;
    else again.call = { name: part.name, args: part.arguments, ...(part.partial && { partial: true }) };
  }
  expect(again).toEqual({ text, reasoning, call });
  return { text, ...(reasoning !== "" && { reasoning }), ...(call && { call }), stopReason, end };
}

const oslo = '{"city": "Oslo"}';
const weather = (args = oslo) => ({ name: "weather", args });
const object = `{"name": "weather", "arguments": ${oslo}}`;

/** Replies that hold an action: what they say, the text before it, and the call. */
const actions: readonly (readonly [string, string, string, object])[] = [
  ["as asked", `<tool_call>\n${object}\n</tool_call>`, "", weather()],
  ["on one line", `<tool_call>${object}</tool_call>`, "", weather()],
  ["behind text", `Let me look.\n\n<tool_call>\n${object}\n</tool_call>`, "Let me look.", weather()],
  ["behind text on its line", `Let me look. <tool_call>${object}</tool_call>`, "Let me look.", weather()],
  ["without its end mark", `<tool_call>\n${object}`, "", weather()],
  ["the first of two", `<tool_call>${object}</tool_call><tool_call>{"name": "b"}</tool_call>`, "", weather()],
  ["before an invention", `<tool_call>${object}</tool_call>\nObservation: ok\nSunny.`, "", weather()],
  ["before a result of its own", `<tool_call>${object}\n<tool_result>sun</tool_result>`, "", weather()],
  ["arguments first", `<tool_call>{"arguments": ${oslo}, "name": "weather"}</tool_call>`, "", weather()],
  ["parameters", `<tool_call>{"name": "weather", "parameters": ${oslo}}</tool_call>`, "", weather()],
  ["no arguments", '<tool_call>{"name": "weather"}</tool_call>', "", weather("{}")],
  ["empty arguments", '<tool_call>{"name": "weather", "arguments": {}}</tool_call>', "", weather("{}")],
  ["arguments as text", '<tool_call>{"name": "weather", "arguments": "{}"}</tool_call>', "", weather('"{}"')],
  [
    "arguments beside the name",
    '<tool_call>{"tool": "weather", "city": "Oslo"}</tool_call>',
    "",
    weather('{"city":"Oslo"}'),
  ],
  ["OpenAI's own", `<tool_call>{"type": "function", "function": ${object}}</tool_call>`, "", weather()],
  [
    "an unknown name",
    `<tool_call>{"name": "wether", "arguments": ${oslo}}</tool_call>`,
    "",
    { name: "wether", args: oslo },
  ],
  ["a list", `<tool_call>[${object}, ${object}]</tool_call>`, "", weather()],
  ["a fence inside", `<tool_call>\n\`\`\`json\n${object}\n\`\`\`\n</tool_call>`, "", weather()],
  ["a fence around", `\`\`\`xml\n<tool_call>\n${object}\n</tool_call>\n\`\`\``, "", weather()],
  ["function_call", `<function_call>${object}</function_call>`, "", weather()],
  ["Phi", `<|tool_call|>[${object}]<|/tool_call|>`, "", weather()],
  ["Llama", `<|python_tag|>{"name": "weather", "parameters": ${oslo}}`, "", weather()],
  ["Llama's other", `<function=weather>${oslo}</function>`, "", weather()],
  ["Mistral", `[TOOL_CALLS] [${object}]`, "", weather()],
  ["Mistral's newer", `[TOOL_CALLS]weather[ARGS]${oslo}`, "", weather()],
  ["a fence named so", `\`\`\`tool_call\n${object}\n\`\`\``, "", weather()],
  ["a fence named so, unknown name", '```tool_call\n{"name": "wether"}\n```', "", { name: "wether", args: "{}" }],
  ["a json fence", `I look.\n\`\`\`json\n${object}\n\`\`\``, "I look.", weather()],
  ["a bare fence", `\`\`\`\n${object}\n\`\`\``, "", weather()],
  ["a fence that is not closed", `\`\`\`json\n${object}`, "", weather()],
  ["bare", object, "", weather()],
  ["bare behind text", `I look.\n${object}\nDone.`, "I look.", weather()],
  [
    "bare over lines",
    '{\n  "name": "weather",\n  "arguments": {\n    "city": "Oslo"\n  }\n}\n',
    "",
    weather('{\n    "city": "Oslo"\n  }'),
  ],
  [
    "bare, named otherwise",
    `{"name": "readFile", "arguments": {"path": "a"}}`,
    "",
    { name: "readFile", args: '{"path": "a"}' },
  ],
  ["a bare list", `[${object}]`, "", weather()],
  ["tool and args", `{"tool": "weather", "args": ${oslo}}`, "", weather()],
  ["ReAct", `I look.\nAction: weather\nAction Input: ${oslo}\nObservation: sun`, "I look.", weather()],
  [
    "a name in a string",
    '<tool_call>{"name": "weather", "arguments": {"city": "a } \\" </tool_call> {"}}',
    "",
    weather('{"city": "a } \\" </tool_call> {"}'),
  ],
  [
    "line breaks in a string",
    '<tool_call>{"name": "weather", "arguments": {"city": "a\n\tb"}}</tool_call>',
    "",
    weather('{"city": "a\\n\\tb"}'),
  ],
  ["a bracket too few", `<tool_call>\n{"name": "weather", "arguments": ${oslo}\n</tool_call>`, "", weather()],
  ["a bracket too many", `<tool_call>\n${object}}\n</tool_call>`, "", weather()],
  [
    "a string that is not closed",
    '<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo\n</tool_call>\nSunny.',
    "",
    weather('{"city": "Oslo'),
  ],
  [
    "a broken value",
    '<tool_call>{"name": "weather", "arguments": {"city": Oslo}}</tool_call>',
    "",
    weather('{"city": Oslo}'),
  ],
  [
    "quotes of Python",
    "<tool_call>{'name': 'weather', 'arguments': {'city': 'Oslo'}}</tool_call>",
    "",
    weather("{'city': 'Oslo'}}"),
  ],
  ["no name", '<tool_call>{"arguments": {"city": "Oslo"}}</tool_call>', "", { name: "", args: oslo }],
];

/** Replies that are text, all of them. */
const texts: readonly (readonly [string, string])[] = [
  ...["2", "2.", "Option 2", "**2**", "1 or 2", "12", "none", "I choose 1. Observation: ok. Next: 2", "２"].map(
    (text) => [text, text] as const,
  ),
  ["white space", " \n\t\n"],
  ["white space around", "\n\n  Hello. \n\n"],
  ["a quoted mark", 'Write `<tool_call>{"name": "weather"}</tool_call>` to call.'],
  ["the mark alone", "The <tool_call> tag is a mark."],
  ["half of the mark", "Hm <tool_ca"],
  ["less than", "if a <b and [1, 2] < [3"],
  ["other data", '{"name": "Weber", "arguments": {"a": 1}}'],
  ["data with more in it", `{"name": "weather", "arguments": ${oslo}, "note": 1}`],
  ["a name alone", '{"name": "weather"}'],
  ["a pick of a decision", '{"call": "weather", "args": {"city": "Oslo"}}'],
  ["an answer as JSON", '{"city": "Oslo", "name": "weather", "arguments": {}}'],
  ["an answer as a list", '[{"id": 1}, {"id": 2}]'],
  ["in a sentence", `A call is ${object}.`],
  ["with a sentence behind", `${object} is a call.`],
  ["in a fence of code", `\`\`\`python\n${object}\n\`\`\`\nSo it is.`],
  ["further down in a fence", `\`\`\`json\n// a call\n${object}\n\`\`\``],
  ["with more in its fence", `\`\`\`json\n${object}\n${object}\n\`\`\``],
  ["a mark in a fence with an unknown name", '```xml\n<tool_call>{"name": "f", "arguments": {}}</tool_call>\n```'],
  ["ReAct with an unknown name", 'Action: fly\nAction Input: {"to": "Oslo"}'],
  ["ReAct without JSON", "Action: weather\nAction Input: Oslo"],
  ["a call in a language", 'weather({"city": "Oslo"})'],
  ["JSON that is broken", '{"name": "weather" "arguments": {}}'],
];

describe("SHAPE-05 the first action of a reply is its call", () => {
  test.each(actions)("%s", async (_, reply, text, call) => {
    for (const chunk of [undefined, 1, 7]) {
      expect(await read({ text: reply, ...(chunk && { chunk }) })).toMatchObject({
        text,
        call,
        stopReason: "tool_calls",
      });
    }
  });
});

describe("SHAPE-05 what is no action is text, byte for byte", () => {
  test.each(texts)("%s", async (_, reply) => {
    for (const chunk of [undefined, 1, 7]) {
      const { end, ...seen } = await read({ text: reply, ...(chunk && { chunk }) });
      expect(seen).toEqual({ text: reply, stopReason: "stop" });
    }
  });
});

describe("a reply that is cut inside an action", () => {
  test.each([
    ["behind the name", '<tool_call>{"name": "weather", "argu', { name: "weather", args: "", partial: true }],
    [
      "in its arguments",
      'I look.\n<tool_call>{"name": "weather", "arguments": {"city": "Os',
      { name: "weather", args: '{"city": "Os', partial: true },
    ],
    ["in a bare one", '{"name": "weather", "arguments": {"ci', { name: "weather", args: '{"ci', partial: true }],
    ["before its name", '<tool_call>{"na', { name: "", args: "", partial: true }],
  ])("%s keeps the call as partial", async (_, text, call) => {
    expect(await read({ text, stopReason: "length" })).toMatchObject({ call, stopReason: "length" });
  });

  test("behind a complete one is no cut", async () => {
    expect(await read({ text: `${object}`, stopReason: "length" })).toMatchObject({
      call: weather(),
      stopReason: "tool_calls",
    });
  });
});

describe("thoughts", () => {
  test.each([
    [
      "before text",
      "<think>\nHm, Oslo?\n</think>\n\nSunny.",
      { text: "Sunny.", reasoning: "Hm, Oslo?\n", stopReason: "stop" },
    ],
    [
      "with an action in them",
      `<think>I write <tool_call>${object}</tool_call></think>No.`,
      { text: "No.", reasoning: `I write <tool_call>${object}</tool_call>` },
    ],
    [
      "before an action",
      `<think>a < b</think>\n<tool_call>${object}`,
      { text: "", reasoning: "a < b", call: weather() },
    ],
    ["empty", "<think>\n\n</think>\n\nSunny.", { text: "Sunny." }],
    ["without an end", "<think>Hm </thin", { text: "", reasoning: "Hm </thin" }],
    ["in the middle of a text", "I <think>so</think>.", { text: "I <think>so</think>." }],
  ])("%s", async (_, text, seen) => {
    for (const chunk of [undefined, 1, 5]) expect(await read({ text, ...(chunk && { chunk }) })).toMatchObject(seen);
  });
});
