import type { AssistantMessage, Message, ToolResultMessage, UserMessage } from "../../message/message.ts";
import { goOnNotice } from "../text-tools/prompt.ts";
import type { FunctionCallItem, HistoryItem } from "./llama-types.ts";

type Converted = {
  readonly items: HistoryItem[];
  readonly calls: Map<string, FunctionCallItem>;
  /** The last call of the last reply: the notice stands with its result. */
  lastCall: FunctionCallItem | undefined;
  count: number;
};

type ModelItem = Extract<HistoryItem, { type: "model" }>;

/** Turns a history into items; what was turned before is kept, as the same array only grows. */
export type HistoryConverter = (system: string | undefined, messages: readonly Message[]) => readonly HistoryItem[];

/**
 * Makes a converter. `thoughts`: the model's template has a place for reasoning. Whatever a reply and the results of its
 * calls say until the next user message is one item, as `node-llama-cpp` wants it.
 */
export function historyConverter(thoughts: boolean): HistoryConverter {
  const known = new WeakMap<readonly Message[], Converted>();
  return (system, messages) => {
    let converted = known.get(messages);
    if (converted === undefined || converted.count > messages.length) {
      converted = { items: [], calls: new Map(), lastCall: undefined, count: 0 };
      known.set(messages, converted);
    }
    for (; converted.count < messages.length; converted.count++) add(converted, messages[converted.count]!, thoughts);
    return system === undefined ? converted.items : [{ type: "system", text: system }, ...converted.items];
  };
}

function add(converted: Converted, message: Message, thoughts: boolean): void {
  const { items, calls } = converted;
  if (message.role === "user") {
    const last = items.at(-1)?.type === "model" ? (items.at(-1) as ModelItem).response.at(-1) : undefined;
    // Behind results the template opens a reply. To say something first, it would have to close it without a word, and
    // small models learn from that to say nothing: so it stands with the results.
    if (typeof last === "object" && last.type === "functionCall") {
      last.result = `${withoutNotice(last.result)}\n\n${userText(message)}`;
      return;
    }
    items.push({ type: "user", text: userText(message) });
  } else if (message.role === "assistant") {
    converted.lastCall = addReply(items, calls, message, thoughts);
  } else {
    const call = calls.get(message.callId);
    if (call === undefined) return;
    const text = resultText(message);
    call.result = call === converted.lastCall ? `${text.trimEnd()}\n\n${goOnNotice(message.isError)}` : text;
  }
}

/** A result that something else follows: what is to be done is said there. */
function withoutNotice(result: unknown): string {
  const text = String(result);
  const notice = [false, true].map((isError) => `\n\n${goOnNotice(isError)}`).find((one) => text.endsWith(one));
  return notice === undefined ? text : text.slice(0, -notice.length);
}

function addReply(
  items: HistoryItem[],
  calls: Map<string, FunctionCallItem>,
  message: AssistantMessage,
  thoughts: boolean,
): FunctionCallItem | undefined {
  let lastCall: FunctionCallItem | undefined;
  let last = items.at(-1);
  if (last?.type !== "model") {
    last = { type: "model", response: [] };
    items.push(last);
  }
  let first = true;
  for (const part of message.content) {
    if (part.type === "text") {
      last.response.push(part.text);
    } else if (part.type === "reasoning") {
      if (thoughts) last.response.push({ type: "segment", segmentType: "thought", text: part.text, ended: true });
    } else {
      const params = paramsOf(part.arguments);
      const call: FunctionCallItem = {
        type: "functionCall",
        name: part.name,
        params,
        result: "",
        startsNewChunk: first,
      };
      first = false;
      calls.set(part.id, call);
      last.response.push(call);
      lastCall = call;
    }
  }
  return lastCall;
}

/** Arguments that are no object cannot be written down as a call: it stands there without any, its result says why. */
function paramsOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

function userText({ content }: UserMessage): string {
  if (typeof content === "string") return content;
  return content
    .map((part) => {
      if (part.type === "text") return part.text;
      return part.type === "image"
        ? "(an image, which you cannot see)"
        : `(a file, ${part.mediaType}, which you cannot read)`;
    })
    .join("\n");
}

function resultText({ content }: ToolResultMessage): string {
  return content
    .map((part) => {
      if (part.type === "text") return part.text;
      return part.type === "json" ? JSON.stringify(part.value) : "(an image, which you cannot see)";
    })
    .join("\n");
}
