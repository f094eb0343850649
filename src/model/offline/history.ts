import type { JsonObject } from "../../message/json.ts";
import {
  callsOf,
  type Message,
  type ToolCall,
  type ToolResultMessage,
  type UserMessage,
} from "../../message/message.ts";

/** A call that was answered. */
export type Done = {
  readonly call: ToolCall;
  readonly arguments: JsonObject;
  readonly result: ToolResultMessage;
  /** The offline model made the call. */
  readonly own: boolean;
};

/** A request of the user, and the calls made behind it. */
export type Stretch = { readonly request: string; readonly done: readonly Done[] };

/** What the offline model knows: it keeps nothing between requests. */
export type Situation = {
  /** Behind the last reply that was only text; the last stretch is the one to go on with. Never empty. */
  readonly stretches: readonly Stretch[];
  /** What came before, oldest first. */
  readonly earlier: readonly Stretch[];
  /** Calls in the whole history, for fresh ids. */
  readonly ids: ReadonlySet<string>;
};

/** Reads the history: where the work of now begins, and what has been done. User messages in a row are one request. */
export function situationOf(messages: readonly Message[], modelId: string): Situation {
  const results = new Map(
    messages.flatMap((message) => (message.role === "tool" ? [[message.callId, message] as const] : [])),
  );
  const stretches: { request: string; done: Done[]; rested: boolean }[] = [];
  const ids = new Set<string>();
  let previous: Message["role"] | undefined;
  for (const message of messages) {
    const last = stretches.at(-1);
    if (message.role === "user") {
      if (previous === "user" && last) last.request += `\n${requestIn(message)}`;
      else stretches.push({ request: requestIn(message), done: [], rested: false });
    } else if (message.role === "assistant" && last) {
      const calls = callsOf(message);
      last.rested = calls.length === 0;
      for (const call of calls) {
        ids.add(call.id);
        const result = results.get(call.id);
        if (result)
          last.done.push({ call, arguments: objectOf(call.arguments), result, own: message.model === modelId });
      }
    }
    previous = message.role;
  }
  const rested = stretches.findLastIndex((stretch, index) => stretch.rested && index < stretches.length - 1);
  const now = stretches.slice(rested + 1);
  return {
    stretches: now.length > 0 ? now : [{ request: "", done: [] }],
    earlier: stretches.slice(0, rested + 1),
    ids,
  };
}

function objectOf(json: string): JsonObject {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
  } catch {
    return {};
  }
}

/** What a message says, its texts apart: behind the first they are what the request is about. */
function requestIn({ content }: UserMessage): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}
