import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { findOllama, firstChatModel } from "./ollama.ts";

const servers: ReturnType<typeof createServer>[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const ollama =
  (tags: unknown): RequestListener =>
  (request, response) =>
    response.end(request.url === "/api/tags" ? JSON.stringify(tags) : "Ollama is running");

test("the first model that can chat", async () => {
  const tags = { models: [{ name: "nomic-embed-text:latest" }, { name: "qwen3:4b" }, { name: "llama3" }] };
  expect(await findOllama(await serve(ollama(tags)))).toBe("qwen3:4b");
});

test("an Ollama without models is not chosen", async () => {
  expect(await findOllama(await serve(ollama({ models: [] })))).toBeUndefined();
});

test("somebody else on that port is left alone after one request", async () => {
  const urls: (string | undefined)[] = [];
  const url = await serve((request, response) => {
    urls.push(request.url);
    response.end("It works!");
  });
  expect(await findOllama(url)).toBeUndefined();
  expect(urls).toEqual(["/"]);
});

test("a redirect is not followed", async () => {
  const target = await serve(ollama({ models: [{ name: "m" }] }));
  const url = await serve((_, response) => response.writeHead(302, { location: target }).end());
  expect(await findOllama(url)).toBeUndefined();
});

test("one that never answers is given up", async () => {
  expect(await findOllama(await serve(() => {}))).toBeUndefined();
});

test("nobody there", async () => {
  expect(await findOllama("http://127.0.0.1:1")).toBeUndefined();
});

test.each([[undefined], [null], [{}], [{ models: "x" }], [{ models: [null, {}, { name: 1 }] }]])(
  "%j holds no model",
  (tags) => {
    expect(firstChatModel(tags)).toBeUndefined();
  },
);
