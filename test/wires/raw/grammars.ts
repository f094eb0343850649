import { anthropic } from "./anthropic.ts";
import { bedrock, frame } from "./bedrock.ts";
import { chat } from "./chat.ts";
import { gemini } from "./gemini.ts";
import { responses } from "./responses.ts";
import type { Said } from "./said.ts";

/** The stream grammars that providers speak. */
export type GrammarName = "chat" | "responses" | "anthropic" | "gemini" | "bedrock";

/** How a grammar writes what was said, event by event; `events` gives what goes on the socket, one entry an event. */
export type Grammar = {
  readonly contentType: string;
  events(said: readonly Said[]): (string | Uint8Array)[];
  /** An error of this kind in the middle of a stream. */
  error(type: string, message: string): string | Uint8Array;
};

/** The data of one event as server-sent events have it; Anthropic's and the Responses' say their type a second time. */
export function sse(data: string, ends = "\n"): string {
  const type = /^\{"type":"([a-z_.]+)"/.exec(data)?.[1];
  return `${type === undefined ? "" : `event: ${type}${ends}`}data: ${data}${ends}${ends}`;
}

const overSse = (
  write: (said: readonly Said[]) => string[],
  error: (type: string, message: string) => object,
): Grammar => ({
  contentType: "text/event-stream",
  events: (said) => write(said).map((data) => sse(data)),
  error: (type, message) => sse(JSON.stringify(error(type, message))),
});

export const grammars: { readonly [G in GrammarName]: Grammar } = {
  chat: overSse(chat, (type, message) => ({ error: { message, type, code: type } })),
  responses: overSse(responses, (code, message) => ({ type: "error", sequence_number: 9, code, message, param: null })),
  anthropic: overSse(anthropic, (type, message) => ({ type: "error", error: { type, message } })),
  gemini: overSse(gemini, (status, message) => ({ error: { code: 503, message, status } })),
  bedrock: {
    contentType: "application/vnd.amazon.eventstream",
    events: bedrock,
    error: (type, message) => frame(type, { message }, "exception"),
  },
};
