/**
 * What a provider streams, said once for all of them; each grammar of `grammars.ts` writes it in its own events, one event per
 * entry as far as it can. `call` is the call's place in the reply, from 0; pieces of several calls may alternate.
 */
export type Said =
  | { readonly text: string }
  | { readonly thinking: string }
  /** Ends a thinking block: what the provider wants back with it. */
  | { readonly signature: string }
  /** Thinking that only the provider can read. */
  | { readonly redacted: string }
  | { readonly call: number; readonly id: string; readonly name: string }
  | { readonly call: number; readonly args: string }
  | { readonly ended: number }
  | { readonly end: End; readonly usage?: TokensSaid };

export type End = "stop" | "tool_calls" | "length" | "refusal" | "pause";

/** Tokens as providers count them: `read` and `written` are parts of `input`, `reasoning` is part of `output`. */
export type TokensSaid = {
  readonly input: number;
  readonly output: number;
  readonly read?: number;
  readonly written?: number;
  readonly reasoning?: number;
};

export const defaultUsage: TokensSaid = { input: 10, output: 5 };

/** A whole call in one go. */
export const called = (call: number, id: string, name: string, args: string): Said[] => [
  { call, id, name },
  { call, args },
  { ended: call },
];
