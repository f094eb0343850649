import { createRuntime, tool } from "../../src/core.ts";
import type { AssistantMessage } from "../../src/message/message.ts";
import { ask, request } from "./ask.ts";
import { grammars } from "./raw/grammars.ts";
import type { Said } from "./raw/said.ts";
import { type Answer, type RawServer, rawServer } from "./raw/server.ts";
import { connect, type Wire } from "./wires.ts";

/** What goes on the socket, a piece a packet. */
export type Pieces = NonNullable<Answer["body"]>;

/** What was said, as this wire writes it, an event a piece. */
export const written = (wire: Wire, said: readonly Said[]): (string | Uint8Array)[] =>
  grammars[wire.grammar].events(said);

/** One call of a tool, as it was run. */
export type Ran = { readonly name: string; readonly input: unknown };

/** The socket is destroyed behind the last piece. */
// biome-ignore lint/suspicious/noThenProperty: what comes then; no promise.
export const reset: Pick<Answer, "then"> = { then: "reset" };

async function served<T>(
  wire: Wire,
  answer: (at: number) => Answer,
  act: (url: string, server: RawServer) => Promise<T>,
): Promise<T> {
  const headers = { "content-type": grammars[wire.grammar].contentType };
  const server = await rawServer((_, at) => ({ headers, ...answer(at) }));
  try {
    return await act(server.url, server);
  } finally {
    await server.close();
  }
}

/** What a request comes to when it is answered with these bytes; a failed one is not sent again. */
export const replyTo = (wire: Wire, body: Pieces, more: Omit<Answer, "body"> = {}) =>
  served(
    wire,
    () => ({ body, ...more }),
    async (url) => {
      const { events, end } = await ask(connect(wire, url, { retry: { retries: 0 } }), request());
      const warnings = events.flatMap((event) => (event.type === "warning" ? [event.code] : []));
      return { events, end, message: end.message, parts: partsOf(end.message), warnings };
    },
  );

/** The parts of a message without the data of their provider. */
export const partsOf = ({ content }: AssistantMessage) => content.map(({ providerData: _, ...part }) => part);

const names = ["a", "b", "write", "now"];

/** A whole run with tools that count; the last answer stays. `first` are the bytes of the first reply. */
export const runOf = (wire: Wire, first: Pieces, more: Omit<Answer, "body"> = {}) =>
  served(
    wire,
    (at) => (at === 0 ? { body: first, ...more } : { body: written(wire, [{ text: "Done." }, { end: "stop" }]) }),
    async (url, server) => {
      const ran: Ran[] = [];
      const tools = names.map((name) =>
        tool({
          name,
          description: "Counts.",
          input: name === "write" ? needsText : anything,
          execute: (input) => {
            ran.push({ name, input });
            return "ok";
          },
        }),
      );
      const runtime = createRuntime({ model: connect(wire, url, { retry: { retries: 0 } }), tools });
      const run = runtime.run("Go.");
      const warnings: string[] = [];
      for await (const event of run) if (event.type === "warning") warnings.push(event.code);
      const result = await run.result;
      const results = result.messages.flatMap((message) => (message.role === "tool" ? [message] : []));
      return { ...result, ran, results, warnings, requests: server.requests };
    },
  );

const anything = { type: "object", properties: {} };
const needsText = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
