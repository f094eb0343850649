import { afterEach } from "vitest";
import { grammars } from "./raw/grammars.ts";
import type { Said } from "./raw/said.ts";
import { type Answer, type RawServer, rawServer } from "./raw/server.ts";
import type { Wire } from "./wires.ts";

/** Serves a wire for one test; the server is closed behind it. */
export function serving() {
  let server: RawServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });
  /** A server that gives these answers, one a request, the last one again and again. */
  return async (wire: Wire, ...answers: readonly Answer[]): Promise<RawServer> => {
    const { contentType } = grammars[wire.grammar];
    server = await rawServer((_, at) => ({
      headers: { "content-type": contentType },
      ...(answers[at] ?? answers.at(-1)),
    }));
    return server;
  };
}

/** A body in which the wire says this. */
export const says = ({ grammar }: Wire, ...said: Said[]): Answer => ({ body: grammars[grammar].events(said) });
