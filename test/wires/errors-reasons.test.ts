import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { ask, request } from "./ask.ts";
import { grammars } from "./raw/grammars.ts";
import { connect, type Wire, wires } from "./wires.ts";

/** What a request comes to that is answered with these bytes, which no server of Node's would send. */
async function answered(wire: Wire, answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("data", () => answer(socket));
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    return (await ask(connect(wire, url, { retry: { retries: 0 } }), request())).end;
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

const busy = JSON.stringify({ error: { message: "Too many." }, message: "Too many." });
const head = (status: string, length: number) =>
  `HTTP/1.1 ${status}\r\nretry-after: 3\r\nx-note: größe 太\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

describe.each(wires)("$name", (wire) => {
  const reasons: [string, BufferEncoding][] = [
    ["太多请求", "utf8"],
    ["Trop de requêtes", "latin1"],
  ];

  test.each(reasons)("NET-02 a status that is told as %s is what it is", async (reason, encoding) => {
    const failed = await answered(wire, (socket) =>
      socket.end(Buffer.from(`${head(`429 ${reason}`, busy.length)}${busy}`, encoding)),
    );
    expect(failed.error).toEqual({ kind: "rate_limit", status: 429, message: "Too many.", retryAfterMs: 3_000 });
  });

  test.each(reasons)("a reply whose status is told as %s is one", async (reason, encoding) => {
    const { contentType, events } = grammars[wire.grammar];
    const end = await answered(wire, (socket) => {
      const headers = `content-type: ${contentType}\r\nconnection: close\r\n\r\n`;
      socket.write(Buffer.from(`HTTP/1.1 200 ${reason}\r\n${headers}`, encoding));
      for (const event of events([{ text: "Here." }, { end: "stop" }])) socket.write(event);
      socket.end();
    });
    expect(end.message).toMatchObject({ stopReason: "stop", content: [{ type: "text", text: "Here." }] });
  });

  test("NET-02 what a failed response said before it broke counts", async () => {
    const failed = await answered(wire, (socket) => {
      socket.write(`${head("429 Busy", 5_000)}${busy}`);
      setTimeout(() => socket.resetAndDestroy(), 20);
    });
    expect(failed.error).toEqual({ kind: "rate_limit", status: 429, message: "Too many.", retryAfterMs: 3_000 });
  });
});
