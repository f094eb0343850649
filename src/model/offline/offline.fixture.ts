import { menuTool } from "../../menu/entry.ts";
import type { Tool } from "../../menu/tool.ts";
import type { Json, JsonObject } from "../../message/json.ts";
import { type AssistantMessage, callsOf, type Message, type ToolCall, textOf } from "../../message/message.ts";
import { glob, grep, listDir, readFile } from "../../tools/index.ts";
import type { ModelEvent, RequestToolChoice, ToolDeclaration } from "../model.ts";
import { offline } from "./offline.ts";

const text = (description: string): JsonObject => ({ type: "string", description });

function declare(
  name: string,
  description: string,
  properties: JsonObject,
  required: readonly string[],
): ToolDeclaration {
  return { name, description, parameters: { type: "object", properties, required } };
}

/** What a model is told of tools. */
export const declared = (tools: readonly Tool[]): readonly ToolDeclaration[] =>
  tools.map((one) => menuTool(one).declaration);

/** The tools that come with Rondo and only read files. */
export const builtIns: readonly ToolDeclaration[] = declared([readFile, listDir, glob, grep]);

/** Tools such as users declare. */
export const userTools: readonly ToolDeclaration[] = [
  declare(
    "get_weather",
    "Current weather of a city.",
    {
      city: text("Name of the city."),
      unit: { type: "string", enum: ["celsius", "fahrenheit"] },
    },
    ["city"],
  ),
  declare(
    "convert_currency",
    "Converts an amount of money to another currency.",
    {
      amount: { type: "number" },
      from: text("Currency code to convert from."),
      to: text("Currency code to convert to."),
    },
    ["amount", "from", "to"],
  ),
  declare("order_status", "Looks up the status of an order.", { order_id: text("Id of the order.") }, ["order_id"]),
  declare(
    "send_email",
    "Sends an email to a person.",
    {
      to: text("Email address."),
      subject: text("Subject line."),
      body: text("Text of the email."),
    },
    ["to", "body"],
  ),
  declare(
    "set_light",
    "Switches the light of a room on or off.",
    {
      room: { type: "string", enum: ["kitchen", "bedroom", "living room"] },
      on: { type: "boolean" },
      brightness: { type: "integer", minimum: 0, maximum: 100, description: "Percent." },
    },
    ["room", "on"],
  ),
];

export const everyTool: readonly ToolDeclaration[] = [...builtIns, ...userTools];

/** What a tool answers: text, a value, or an error. */
export type Answer = string | { readonly json: Json } | { readonly error: string };
export type Tools = (call: { readonly name: string; readonly arguments: JsonObject }) => Answer;

export type AskOptions = {
  readonly tools?: readonly ToolDeclaration[];
  readonly toolChoice?: RequestToolChoice;
  readonly signal?: AbortSignal;
  /** Replies in a conversation before it counts as endless. Default 12. */
  readonly rounds?: number;
};

/** One request to the model, and everything that it streamed. */
export async function ask(
  messages: readonly Message[],
  { tools = everyTool, toolChoice = "auto", signal }: AskOptions = {},
) {
  const events: ModelEvent[] = [];
  for await (const event of offline().stream({ messages, tools, toolChoice }, signal ?? new AbortController().signal))
    events.push(event);
  const last = events.at(-1);
  if (last?.type !== "end") throw new Error("the stream did not end with an end");
  return { events, message: last.message, text: textOf(last.message), calls: callsOf(last.message).map(readable) };
}

/** A small loop: asks until the model answers with text. `calls` reads as `name {arguments}`. */
export async function converse(
  prompt: string | readonly Message[],
  answer: Tools = () => "ok",
  options: AskOptions = {},
) {
  const messages: Message[] = typeof prompt === "string" ? [user(prompt)] : [...prompt];
  const calls: string[] = [];
  for (let round = 0; round < (options.rounds ?? 12); round += 1) {
    const reply = await ask(messages, options);
    messages.push(reply.message);
    const made = callsOf(reply.message);
    if (made.length === 0) return { calls, text: reply.text, messages };
    for (const call of made) {
      calls.push(readable(call));
      messages.push(resultOf(call, answer({ name: call.name, arguments: JSON.parse(call.arguments) as JsonObject })));
    }
  }
  throw new Error(`no end after ${calls.length} calls: ${calls.join("; ")}`);
}

export function user(content: string): Message {
  return { role: "user", content };
}

export function readable(call: ToolCall): string {
  return `${call.name} ${call.arguments}`;
}

export function resultOf(call: ToolCall, answer: Answer): Message {
  const isError = typeof answer !== "string" && "error" in answer;
  const content =
    typeof answer === "string"
      ? ({ type: "text", text: answer } as const)
      : "error" in answer
        ? ({ type: "text", text: answer.error } as const)
        : ({ type: "json", value: answer.json } as const);
  return { role: "tool", callId: call.id, toolName: call.name, content: [content], isError };
}

/** A reply with one call, by whatever model. */
export function replyWith(name: string, args: JsonObject, id = "call_1", model = "offline"): AssistantMessage {
  const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
  return {
    role: "assistant",
    content: [{ type: "tool_call", id, name, arguments: JSON.stringify(args) }],
    model,
    usage,
    stopReason: "tool_calls",
  };
}

/** A call as `converse` shows it. */
export const call = (name: string, args: JsonObject = {}) => `${name} ${JSON.stringify(args)}`;

/** The answers of a small workspace. */
export const workspace: Tools = ({ name, arguments: args }): Answer => {
  if (name === "glob")
    return String(args.pattern).includes("package") ? "package.json" : "src/a.ts\nsrc/b.ts\nsrc/b.test.ts";
  if (name === "list_dir") return "loop/\na.ts (1.2 KB)\nb.ts (300 bytes)";
  if (name === "read_file") return "import x from 'x';\n\nexport const a = 1;\n";
  if (name !== "grep") return "ok";
  if (args.output === "count")
    return "src/a.ts: 40\nsrc/b.ts: 212\nsrc/b.test.ts: 400\nsrc/c.ts: 7\n659 lines in 4 files";
  return `${args.path}:3:export const a = 1;\n${args.path}:9:export type B = string;`;
};
