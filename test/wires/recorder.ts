import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** One request as it came over the socket. */
export type Recorded = { readonly path: string; readonly body: Record<string, unknown> };

/** A server that keeps the body of every request and hands the request on; the reply streams through untouched. */
export type Recorder = { readonly url: string; readonly requests: readonly Recorded[]; close(): Promise<void> };

export async function recorder(target: string): Promise<Recorder> {
  const requests: Recorded[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    requests.push({ path: request.url ?? "", body: JSON.parse(body.toString("utf8")) });
    const { method, headers } = request;
    const onward = httpRequest(new URL(request.url ?? "", target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    onward.end(body);
  });
  await listen(server);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => closed(server),
  };
}

/** Listens on a free loopback port. */
export const listen = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });

export const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
