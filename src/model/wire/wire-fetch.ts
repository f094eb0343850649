/** The grammars of event streams that the packages read through our `fetch`. Bedrock's binary one is its package's own. */
export type WireGrammar = "chat" | "responses" | "anthropic" | "gemini";

/** What may be done to a request on its way out. */
export type WireHooks = {
  /** Gives the request as it is to be sent; `init.body` is the JSON text that the package wrote. */
  readonly request?: (url: string, init: RequestInit) => RequestInit;
};

/**
 * The `fetch` that a provider's package is given: here the request can be corrected before it is sent, and the stream
 * before the package reads it.
 */
export function wireFetch(_grammar: WireGrammar, hooks: WireHooks = {}): typeof fetch {
  return async (input, init = {}) => {
    const sent = hooks.request === undefined ? init : hooks.request(urlOf(input), init);
    // Looked up per request: a program may set its own.
    return globalThis.fetch(input, sent);
  };
}

const urlOf = (input: string | URL | Request): string => (input instanceof Request ? input.url : String(input));
