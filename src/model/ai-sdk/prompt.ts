import type { LanguageModelV4Message, LanguageModelV4Prompt, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type {
  AssistantContent,
  AssistantMessage,
  Message,
  ProviderData,
  ToolCall,
  ToolResultMessage,
  UserContent,
  UserMessage,
} from "../../message/message.ts";
import { toolOutput } from "./tool-output.ts";
import type { WireNames } from "./wire-names.ts";

export type SpecificationVersion = "v3" | "v4";

/** What is known about one live history: how much of it was converted, and to what. */
export type History = {
  /** Ids of all calls in it. */
  readonly callIds: Set<string>;
  /** Warnings that were given to the run that owns it, so that each comes once. */
  readonly warned: Set<string>;
  /** A prompt for one request; the caller may keep it. */
  prompt(system: string | undefined): LanguageModelV4Prompt;
};

type Converted = {
  readonly messages: LanguageModelV4Message[];
  readonly history: History;
  length: number;
  last: Message | undefined;
};

/**
 * Converts histories step by step. A history is one array that grows by its end, the same object in each round, so each
 * message is converted once; an array that was changed elsewhere is converted anew.
 */
export function historyConverter(
  version: SpecificationVersion,
  names: WireNames,
): (messages: readonly Message[]) => History {
  const known = new WeakMap<readonly Message[], Converted>();
  return (messages) => {
    let state = known.get(messages);
    if (state === undefined || state.length > messages.length || messages[state.length - 1] !== state.last) {
      state = empty(state?.history.warned);
      known.set(messages, state);
    }
    for (let at = state.length; at < messages.length; at++) {
      add(state, messages[at] as Message, at > state.length, version, names);
    }
    state.length = messages.length;
    state.last = messages[messages.length - 1];
    return state.history;
  };
}

function empty(warned: Set<string> = new Set()): Converted {
  const messages: LanguageModelV4Message[] = [];
  const history: History = {
    callIds: new Set(),
    warned,
    prompt: (system) => (system === undefined ? messages.slice() : [{ role: "system", content: system }, ...messages]),
  };
  return { messages, history, length: 0, last: undefined };
}

/** `mayJoin`: the message before was converted in the same go, so no request holds it yet and it may still grow. */
function add(
  state: Converted,
  message: Message,
  mayJoin: boolean,
  version: SpecificationVersion,
  names: WireNames,
): void {
  const { messages, history } = state;
  if (message.role === "user") messages.push(userMessage(message, version));
  else if (message.role === "assistant") {
    for (const part of message.content) if (part.type === "tool_call") history.callIds.add(part.id);
    messages.push(assistantMessage(message, names));
  } else {
    const result = toolResult(message, version, names);
    const last = messages.at(-1);
    // Results of one batch belong in one message: some providers count the results of a turn.
    if (last?.role !== "tool") messages.push({ role: "tool", content: [result] });
    else if (mayJoin) last.content.push(result);
    else messages[messages.length - 1] = { role: "tool", content: [...last.content, result] };
  }
}

type PromptOf<R> = Extract<LanguageModelV4Message, { role: R }>;

function userMessage(message: UserMessage, version: SpecificationVersion): PromptOf<"user"> {
  const { content } = message;
  if (typeof content === "string") return { role: "user", content: [{ type: "text", text: content }] };
  return { role: "user", content: content.map((part) => userPart(part, version)) };
}

function userPart(part: UserContent, version: SpecificationVersion): PromptOf<"user">["content"][number] {
  if (part.type === "text") return { type: "text", text: part.text, ...options(part.providerData) };
  // V3 has the bare string or URL where V4 has a tagged one.
  const v3 = version === "v3";
  if ("url" in part) {
    const url = new URL(part.url);
    return { type: "file", data: v3 ? (url as never) : { type: "url", url }, mediaType: part.mediaType ?? "image/*" };
  }
  const { data, mediaType } = part;
  const name = part.type === "file" && part.name !== undefined ? { filename: part.name } : undefined;
  return { type: "file", data: v3 ? (data as never) : { type: "data", data }, mediaType, ...name };
}

function assistantMessage(message: AssistantMessage, names: WireNames): PromptOf<"assistant"> {
  return { role: "assistant", content: message.content.map((part) => assistantPart(part, names)) };
}

function assistantPart(part: AssistantContent, names: WireNames): PromptOf<"assistant">["content"][number] {
  if (part.type !== "tool_call") return { type: part.type, text: part.text, ...options(part.providerData) };
  return {
    type: "tool-call",
    toolCallId: part.id,
    toolName: names.wire(part.name),
    input: callInput(part),
    ...options(part.providerData),
  };
}

/** The arguments as an object: `{}` for those that are cut, blank, broken or no object, none of which a wire takes back. */
function callInput(call: ToolCall): object {
  if (call.partial === true || call.arguments.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(call.arguments);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

function toolResult(
  message: ToolResultMessage,
  version: SpecificationVersion,
  names: WireNames,
): PromptOf<"tool">["content"][number] {
  return {
    type: "tool-result",
    toolCallId: message.callId,
    toolName: names.wire(message.toolName),
    output: toolOutput(message, version) as Extract<
      PromptOf<"tool">["content"][number],
      { type: "tool-result" }
    >["output"],
  };
}

function options(data: ProviderData | undefined): { providerOptions?: SharedV4ProviderOptions } {
  return data === undefined ? {} : { providerOptions: data as SharedV4ProviderOptions };
}
