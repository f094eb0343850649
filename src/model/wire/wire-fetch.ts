import { boundedError } from "./error-body.ts";
import { endFrames } from "./frames.ts";
import { jsonOrStream } from "./json-body.ts";
import { type GrammarMender, mendGrammar } from "./mend.ts";
import { mendAnthropic } from "./mend-anthropic.ts";
import { mendChat } from "./mend-chat.ts";
import { mendGemini } from "./mend-gemini.ts";
import { mendResponses } from "./mend-responses.ts";
import { takeNotes, type WireNotes } from "./notes.ts";
import { mendSse } from "./sse.ts";
import { withBody } from "./with-body.ts";

/** The grammars of event streams that the packages read through our `fetch`. Bedrock's binary one is its package's own. */
export type WireGrammar = "chat" | "responses" | "anthropic" | "gemini";

/** What may be done to a request on its way out. */
export type WireHooks = {
  /** Gives the request as it is to be sent; `init.body` is the JSON text that the package wrote. */
  readonly request?: (url: string, init: RequestInit) => RequestInit;
};

const menders: { readonly [G in WireGrammar]: (notes: WireNotes) => GrammarMender } = {
  chat: mendChat,
  responses: mendResponses,
  anthropic: mendAnthropic,
  gemini: mendGemini,
};

/**
 * The `fetch` that a provider's package is given: here the request can be corrected before it is sent, and the stream
 * before the package reads it.
 */
export function wireFetch(grammar: WireGrammar, hooks: WireHooks = {}): typeof fetch {
  return async (input, given = {}) => {
    const { notes, init } = takeNotes(given);
    const sent = hooks.request === undefined ? init : hooks.request(urlOf(input), init);
    // Looked up per request: a program may set its own.
    const response = await globalThis.fetch(input, sent);
    const { body } = response;
    if (!response.ok) return boundedError(response);
    if (body === null) return response;
    const headers = new Headers(response.headers);
    const isEvents = !/\b(?:json|html)\b/.test(headers.get("content-type") ?? "");
    const stream = isEvents ? body : await jsonOrStream(body);
    // That is what it is now.
    if (!isEvents) headers.set("content-type", "text/event-stream");
    return withBody(response, mendSse(stream, mendGrammar(menders[grammar](notes), notes)), headers);
  };
}

/** The `fetch` for Bedrock, whose binary frames are only looked at for their end. */
export const frameFetch: typeof fetch = async (input, init) => {
  const response = await globalThis.fetch(input, init);
  if (!response.ok) return boundedError(response);
  return response.body === null ? response : withBody(response, endFrames(response.body));
};

const urlOf = (input: string | URL | Request): string => (input instanceof Request ? input.url : String(input));
