import type { ResolveOptions } from "../../src/model/resolve.ts";
import { grammars } from "./raw/grammars.ts";
import type { Said } from "./raw/said.ts";
import { type Received, rawServer } from "./raw/server.ts";
import { refusals } from "./raw/valid.ts";
import { signedBy } from "./raw/valid-parts.ts";
import { connect, type Wire, wires } from "./wires.ts";

const wire = (name: string): Wire => wires.find((row) => row.name === name) as Wire;

/** Every wire of the shared table, and the models whose reasoning is kept in a way of its own. */
export const talkers: readonly Wire[] = [
  ...wires,
  { ...wire("OpenAI Responses"), name: "OpenAI reasoning", spec: "openai/gpt-5" },
  { ...wire("Gemini"), name: "Gemini 3", spec: "google/gemini-3-pro-preview" },
  { ...wire("OpenAI-compatible"), name: "Mistral on a server", spec: "{url}/v1#mistral-small" },
];

export const talker = (name: string): Wire => talkers.find((row) => row.name === name) as Wire;

/** A server that speaks for any wire, and refuses what the provider would refuse. */
export type Talk = {
  readonly url: string;
  readonly requests: readonly Received[];
  /** What was refused since the last `model`, and why. */
  readonly refused: readonly string[];
  /** A model of this wire that will say these replies, one a request. */
  model(wire: Wire, replies: readonly (readonly Said[])[], options?: ResolveOptions): ReturnType<typeof connect>;
  /** What the last requests held: the messages without the system prompt. */
  messages(from?: number): readonly (readonly unknown[])[];
  close(): Promise<void>;
};

export async function talk(): Promise<Talk> {
  const refused: string[] = [];
  let speaks: Wire = talkers[0] as Wire;
  let left: (readonly Said[])[] = [];
  const server = await rawServer(({ text }) => {
    const problems = refusals(speaks.grammar, text, speaks.spec);
    if (problems.length > 0) {
      const message = problems.join("; ");
      refused.push(message);
      const error = { type: "invalid_request_error", code: 400, status: "INVALID_ARGUMENT", message };
      return {
        status: 400,
        headers: { "content-type": "application/json" },
        body: [JSON.stringify({ type: "error", message, error })],
      };
    }
    const { contentType, events } = grammars[speaks.grammar];
    const reply = left.shift() ?? [{ text: "Nothing left to say." }, { end: "stop" }];
    return { headers: { "content-type": contentType }, body: events(reply) };
  });
  return {
    url: server.url,
    requests: server.requests,
    refused,
    model(row, replies, options) {
      refused.length = 0;
      speaks = row;
      left = replies.slice();
      return connect(row, server.url, options);
    },
    messages: (from = 0) => server.requests.slice(from).map(({ body }) => said(body)),
    close: server.close,
  };
}

/** The conversation in a body, wherever the wire has it, without the system prompt. */
function said({ messages, input, contents }: Received["body"]): readonly unknown[] {
  const all = (messages ?? input ?? contents) as { readonly role?: string }[];
  return all.filter(({ role }) => role !== "system" && role !== "developer");
}

/** What a model of this wire signs its thinking with. */
export const signature = ({ spec }: Wire): string => signedBy(spec);

/** Thinking and its signature, where the wire streams any. */
export const thought = (row: Wire, text = "Hm."): Said[] =>
  row.noThinking ? [] : [{ thinking: text }, { signature: signature(row) }];
