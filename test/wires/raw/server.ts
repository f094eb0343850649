import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { closed, listen } from "../recorder.ts";

/** One request as it came over the socket. */
export type Received = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
  /** The body's very bytes. */
  readonly text: string;
};

/**
 * How one request is answered. The pieces of `body` are written one by one, each in a packet of its own; a number waits that
 * many milliseconds, a promise until it settles. Then the answer ends cleanly (`close`, the default), the socket is
 * destroyed (`reset`), or nothing more comes until the client goes (`hang`).
 */
export type Answer = {
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: readonly (string | Uint8Array | number | Promise<unknown>)[];
  readonly then?: "close" | "reset" | "hang";
  /** Nothing is sent, not even headers, before what `then` says. */
  readonly silent?: true;
};

export type RawServer = {
  readonly url: string;
  readonly requests: readonly Received[];
  /** How many answers the client left before they ended. */
  readonly left: () => number;
  close(): Promise<void>;
};

/** A loopback server that answers byte for byte as it is told; `at` counts requests from 0. */
export async function rawServer(answer: (request: Received, at: number) => Answer): Promise<RawServer> {
  const requests: Received[] = [];
  let left = 0;
  const server = createServer({ noDelay: true }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    const received = { path: request.url ?? "", headers: request.headers, body: text ? JSON.parse(text) : {}, text };
    requests.push(received);
    response.on("close", () => {
      if (!response.writableFinished && !response.errored) left += 1;
    });
    await give(response, answer(received, requests.length - 1));
  });
  await listen(server);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    left: () => left,
    close: () => closed(server),
  };
}

async function give(response: ServerResponse, answer: Answer): Promise<void> {
  const { status = 200, headers = { "content-type": "text/event-stream" }, body = [], then = "close" } = answer;
  if (answer.silent !== true) {
    response.writeHead(status, headers);
    response.flushHeaders();
  }
  for (const piece of body) {
    if (response.destroyed) return;
    if (typeof piece === "number") await pause(piece);
    else if (typeof piece === "string" || piece instanceof Uint8Array) {
      await new Promise<void>((resolve) => response.write(piece, () => resolve()));
      // The next piece comes in a packet of its own.
      await new Promise(setImmediate);
    } else await piece;
  }
  if (then === "close") response.end();
  else if (then === "reset") response.destroy(new Error("reset"));
}
