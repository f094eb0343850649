import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { ask } from "../../test/wires/ask.ts";
import { closed, listen } from "../../test/wires/recorder.ts";
import { createRuntime } from "../core.ts";
import { RondoError } from "../error.ts";
import { type ResolveOptions, resolveModel } from "./resolve.ts";
import { serverOf } from "./server-url.ts";

describe("a server's URL", () => {
  test.each([
    ["http://host/v1#m", { id: "http://host/v1#m", model: "m", baseURL: "http://host/v1" }],
    ["https://host/v1/#a/b", { id: "https://host/v1/#a/b", model: "a/b", baseURL: "https://host/v1" }],
    [
      "http://me:pass%20word@host:81/v1#m",
      {
        id: "http://host:81/v1#m",
        model: "m",
        baseURL: "http://host:81/v1",
        headers: { authorization: `Basic ${btoa("me:pass word")}` },
      },
    ],
    [
      "http://host/v1?key=k1&v=2#m",
      { id: "http://host/v1#m", model: "m", baseURL: "http://host/v1", queryParams: { key: "k1", v: "2" } },
    ],
    ["http://host/v1#a%20b", { id: "http://host/v1#a%20b", model: "a b", baseURL: "http://host/v1" }],
  ])("%s", (spec, server) => {
    expect(serverOf(spec)).toEqual(server);
  });

  test.each([
    ["http://me:hidden@host/v1", /names no model/],
    ["http://host/v1?key=hidden", /names no model/],
    ["http://me:hidden@[::1/v1#m", /is no URL/],
    ["http://me:hid/den@[x/v1?key=hidden#m", /is no URL/],
    ["http://me:hidden@host/v1#%zz", /%25/],
  ])("what is secret in %s is in no error", (spec, says) => {
    try {
      serverOf(spec);
      throw new Error("nothing was thrown");
    } catch (error) {
      if (!RondoError.isInstance(error)) throw error;
      expect(error).toMatchObject({ code: "unknown_model", message: expect.stringMatching(says) });
      expect(error.message).not.toContain("hidden");
    }
  });
});

/** Answers every request with this status, and tells what was asked for. */
async function serving<T>(status: number, body: (url: string) => Promise<T>) {
  const seen: { url: string | undefined; auth: string | undefined }[] = [];
  const server = createServer((request, response) => {
    seen.push({ url: request.url, auth: request.headers.authorization });
    request.resume();
    response.writeHead(status).end("{}");
  });
  await listen(server);
  try {
    const value = await body(`127.0.0.1:${(server.address() as AddressInfo).port}`);
    return { value, seen };
  } finally {
    await closed(server);
  }
}

const request = { messages: [{ role: "user" as const, content: "Hi" }], tools: [], toolChoice: "auto" as const };
const quick = { retry: { retries: 0 } };

describe("on the wire", () => {
  test.each<[string, ResolveOptions, { url: string; auth: string | undefined }]>([
    ["me:pw@", {}, { url: "/v1/chat/completions", auth: `Basic ${btoa("me:pw")}` }],
    ["me:pw@", { apiKey: "k" }, { url: "/v1/chat/completions", auth: "Bearer k" }],
    ["", {}, { url: "/v1/chat/completions", auth: undefined }],
  ])("user and password of %j with the options %j", async (user, options, wanted) => {
    const { seen } = await serving(400, (host) =>
      ask(resolveModel(`http://${user}${host}/v1#m`, { ...quick, ...options }), request),
    );
    expect(seen).toEqual([wanted]);
  });

  test("the query goes behind the path of each request, unless the options have their own", async () => {
    const { seen } = await serving(400, async (host) => {
      await ask(resolveModel(`http://${host}/v1?key=k1#m`, quick), request);
      await ask(resolveModel(`http://${host}/v1?key=k1#m`, { ...quick, queryParams: { key: "k2" } }), request);
    });
    expect(seen.map(({ url }) => url)).toEqual(["/v1/chat/completions?key=k1", "/v1/chat/completions?key=k2"]);
  });

  test.each<[string, ResolveOptions, string]>([
    ["me:hidden-password@", {}, "hidden-password"],
    ["", { headers: { authorization: "Bearer hidden.password" } }, "hidden.password"],
    ["", { headers: { "x-pass": "hidden password" } }, "hidden password"],
  ])("what is secret in a header is not told when the server quotes that alone (%s)", async (user, options, quoted) => {
    const server = createServer((_, response) => response.writeHead(401).end(`What is ${quoted}?`));
    await listen(server);
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { end } = await ask(resolveModel(`http://${user}${host}/v1#m`, { ...quick, ...options }), request);
    await closed(server);
    expect(end.error?.message).toMatch(/^What is \[redacted\]\?/);
  });

  test.each([401, 500])("neither is in the events, the result or the error of a run (%i)", async (status) => {
    const { value } = await serving(status, async (host) => {
      const model = resolveModel(`http://me:hidden1@${host}/v1?key=hidden2#m`, quick);
      expect(model.id).toBe(`http://${host}/v1#m`);
      const run = createRuntime({ model }).run("go", { toolset: "none" });
      const events: unknown[] = [];
      for await (const event of run) events.push(event);
      return { events, result: await run.result };
    });
    expect(value.result.outcome).toBe("error");
    const told = JSON.stringify(value) + value.result.error?.message;
    expect(told).not.toMatch(/hidden|aGlkZGVu/);
  });
});
