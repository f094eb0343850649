import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { ask, request } from "./ask.ts";
import { hang, reset } from "./failures/broken.ts";
import { grammars } from "./raw/grammars.ts";
import { type Answer, type RawServer, rawServer } from "./raw/server.ts";
import { closed, listen } from "./recorder.ts";
import { connect, type Wire, wires } from "./wires.ts";

let server: RawServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** A port at which nobody listens any more. */
async function freePort(): Promise<number> {
  const once = createServer();
  await listen(once);
  const { port } = once.address() as AddressInfo;
  await closed(once);
  return port;
}

async function askAt(wire: Wire, url: string) {
  const { events, end } = await ask(connect(wire, url), request());
  expect(end.message).toMatchObject({ stopReason: "error", content: [] });
  expect(events.map(({ type }) => type).filter((type) => type !== "warning")).toEqual(["retry", "end"]);
  expect(end.error?.kind).toBe("transport");
  return end.error?.message;
}

async function askFor(wire: Wire, answer: Answer) {
  const { contentType } = grammars[wire.grammar];
  server = await rawServer(() => ({ headers: { "content-type": contentType }, ...answer }));
  const message = await askAt(wire, server.url);
  expect(server.requests).toHaveLength(2);
  return message;
}

describe.each(wires)("$name", (wire) => {
  test("nobody listens", async () => {
    const port = await freePort();
    const advice =
      wire.name === "Ollama" ? "Start Ollama with: ollama serve" : "Is the server running, and the address right?";
    expect(await askAt(wire, `http://127.0.0.1:${port}`)).toBe(
      `Nothing answers at 127.0.0.1:${port} (ECONNREFUSED). ${advice}`,
    );
  });

  test("the host does not exist", async () => {
    expect(await askAt(wire, "http://no-such-host.invalid")).toMatch(
      /^The host no-such-host\.invalid was not found \((ENOTFOUND|EAI_AGAIN)\)\.$/,
    );
  });

  test("the server speaks no TLS", async () => {
    const port = await freePort();
    const plain = createServer((_, response) => response.end());
    await new Promise<void>((resolve) => plain.listen(port, "127.0.0.1", resolve));
    expect(await askAt(wire, `https://127.0.0.1:${port}`)).toMatch(
      /^No secure connection \(\w+\): .*wrong version number/,
    );
    await closed(plain);
  });

  test("the connection breaks before the headers", async () => {
    expect(await askFor(wire, { silent: true, ...reset })).toMatch(
      /^The connection was lost \((UND_ERR_SOCKET|ECONNRESET)\)\.$/,
    );
  });

  test("the connection breaks before any content", async () => {
    expect(await askFor(wire, reset)).toMatch(/^The connection was lost/);
  });

  const json = { "content-type": "application/json" };
  const page = "<html><head><title>Sign in</title></head><body>Sign in to the network</body></html>";
  const served: readonly (readonly [string, Answer])[] = [
    ["nothing", {}],
    ["a page", { headers: { "content-type": "text/html" }, body: [page] }],
    ["JSON that is no reply", { headers: json, body: ['{"hello":1}'] }],
  ];
  test.each(served)("200 with %s is no reply", async (_, answer) => {
    expect(await askFor(wire, answer)).toMatch(
      /^(\S+ closed the stream without a reply\.|The server sent what is no reply: \{"hello":1\}|The server sent a page.*)$/,
    );
  });

  test.runIf(wire.grammar !== "bedrock")("200 with a page is told with its title", async () => {
    const headers = { "content-type": "text/html; charset=utf-8" };
    expect(await askFor(wire, { headers, body: [page] })).toBe(
      'The server sent a page ("Sign in") and no reply: is the address right?',
    );
  });

  test("events that are called a page are a reply", async () => {
    const { events } = grammars[wire.grammar];
    const body = events([{ text: "Here." }, { end: "stop" }]);
    server = await rawServer(() => ({ headers: { "content-type": "text/html" }, body }));
    const { end } = await ask(connect(wire, server.url), request());
    expect(end.message).toMatchObject({ stopReason: "stop", content: [{ type: "text", text: "Here." }] });
  });

  test("a failed response that never ends is read to a point, and the rest left", async () => {
    const body = ['{"error":{"message":"', ...new Array<string>(64).fill("a".repeat(1 << 16))];
    server = await rawServer(() => ({ status: 429, headers: { ...json, "retry-after": "0" }, body, ...hang }));
    const { end } = await ask(connect(wire, server.url), request());
    expect(end.error).toMatchObject({ kind: "rate_limit", status: 429 });
    expect(server.left()).toBeGreaterThan(0);
  });

  // Bedrock's frames have no place for one.
  test.runIf(wire.grammar !== "bedrock")("200 with an error is that error", async () => {
    const body = [JSON.stringify({ error: { message: "Provider returned error", code: 502, type: "server_error" } })];
    server = await rawServer(() => ({ headers: json, body }));
    const { events, end } = await ask(connect(wire, server.url), request());
    expect(events.map(({ type }) => type)).toEqual(["retry", "end"]);
    expect(end.error).toMatchObject({ kind: "overloaded", message: "Provider returned error" });
  });
});
