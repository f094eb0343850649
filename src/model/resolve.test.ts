import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { ask } from "../../test/wires/ask.ts";
import { closed, listen } from "../../test/wires/recorder.ts";
import { RondoError } from "../error.ts";
import { lazyModel } from "./lazy.ts";
import { type ResolveOptions, resolveModel } from "./resolve.ts";

/** What `resolveModel` throws. */
function mistake(spec: string, options: ResolveOptions = { env: {} }): { code: string; message: string } {
  try {
    resolveModel(spec, options);
  } catch (error) {
    if (RondoError.isInstance(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("nothing was thrown");
}

/** Asks a model over a real socket and gives back the request line, headers and body that the server saw. */
async function seen(spec: (url: string) => string, options: (url: string) => ResolveOptions) {
  const requests: { url: string; host: string | undefined; auth: string | undefined; body: Record<string, unknown> }[] =
    [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { authorization: auth, host } = request.headers;
    requests.push({ url: request.url ?? "", host, auth, body: JSON.parse(body) });
    response.writeHead(400).end("{}");
  });
  await listen(server);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const model = resolveModel(spec(url), options(url));
    const request = { messages: [{ role: "user" as const, content: "Hi" }], tools: [], toolChoice: "auto" as const };
    const { end } = await ask(model, request);
    return { model, end, request: requests[0] };
  } finally {
    await closed(server);
  }
}

describe("mistakes", () => {
  test.each(["", "anthropic", "anthropic/", "/x", "nobody/model", "toString/x", "claude sonnet"])(
    "%j stands for nothing",
    (spec) => {
      const { code, message } = mistake(spec);
      expect(code).toBe("unknown_model");
      expect(message).toContain(JSON.stringify(spec));
      expect(message).toContain('"anthropic/…"');
      expect(message).toContain('"offline"');
    },
  );

  test.each([
    ["claude-sonnet-5", "anthropic/claude-sonnet-5"],
    ["gpt-5", "openai/gpt-5"],
    ["o3-mini", "openai/o3-mini"],
    ["gemini-3", "google/gemini-3"],
  ])("%s without a provider is answered with the whole name", (spec, whole) => {
    expect(mistake(spec).message).toContain(`Did you mean "${whole}"?`);
  });

  test("what a model can do is an object", () => {
    expect(mistake("offline", { supports: "tools" as never })).toMatchObject({ code: "invalid_option" });
  });

  test.each(["http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1#", "http://"])("%s names no model", (spec) => {
    expect(mistake(spec)).toMatchObject({ code: "unknown_model", message: expect.stringContaining("/v1#") });
  });

  test.each([
    ["anthropic/x", "ANTHROPIC_API_KEY"],
    ["openai/x", "OPENAI_API_KEY"],
    ["openai-chat/x", "OPENAI_API_KEY"],
    ["azure/x", "AZURE_API_KEY"],
    ["google/x", "GOOGLE_GENERATIVE_AI_API_KEY"],
    ["bedrock/x", "AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"],
  ])("%s without a key names %s", (spec, variable) => {
    const { code, message } = mistake(spec);
    expect(code).toBe("invalid_option");
    expect(message).toBe(`Model "${spec}" needs a key: set ${variable}.`);
    expect(mistake(spec, { env: { [variable]: " " } }).code).toBe("invalid_option");
  });
});

describe("names", () => {
  test("keep their name as the model's id, and need no package or server yet", () => {
    const keys = { OPENAI_API_KEY: "k", AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "s" };
    for (const spec of [
      "openai/gpt-5",
      "bedrock/amazon.nova-pro-v1:0",
      "ollama/qwen3:4b",
      "https://host/v1#a/b",
      "offline",
    ]) {
      expect(resolveModel(spec, { env: keys }).id).toBe(spec);
    }
  });

  test("a server's URL: model behind the #, no key unless one is given", async () => {
    const { request, end } = await seen(
      (url) => `${url}/v1/#org/name%20x`,
      () => ({ env: { OPENAI_API_KEY: "secret" } }),
    );
    expect(request).toMatchObject({ url: "/v1/chat/completions", auth: undefined, body: { model: "org/name x" } });
    expect(end.error).toMatchObject({ kind: "invalid", status: 400 });
    const given = await seen(
      (url) => `${url}/v1#m`,
      () => ({ apiKey: "k" }),
    );
    expect(given.request?.auth).toBe("Bearer k");
  });

  test("key and base URL come from the environment that is given", async () => {
    const env = (url: string) => ({ env: { OPENAI_API_KEY: "k", OPENAI_BASE_URL: `${url}/base` } });
    const { request } = await seen(() => "openai-chat/gpt", env);
    expect(request).toMatchObject({ url: "/base/chat/completions", auth: "Bearer k", body: { model: "gpt" } });
  });

  test.each([
    ["azure", "/openai/v1/responses"],
    ["azure-chat", "/openai/v1/chat/completions"],
  ])("%s is reached at its endpoint", async (name, path) => {
    const env = (url: string) => ({ env: { AZURE_API_KEY: "k", AZURE_OPENAI_ENDPOINT: `${url}/` } });
    const { request } = await seen(() => `${name}/my-deployment`, env);
    expect(request).toMatchObject({ url: path, body: { model: "my-deployment" } });
  });

  test.each([
    [{}, "AZURE_RESOURCE_NAME or AZURE_OPENAI_ENDPOINT"],
    [{ AZURE_RESOURCE_NAME: "a.b/c" }, "letters, digits and hyphens"],
  ])("azure without a resource: %j", (env, said) => {
    const { code, message } = mistake("azure/x", { env: { AZURE_API_KEY: "k", ...env } });
    expect(code).toBe("invalid_option");
    expect(message).toContain(said);
  });

  test.each([
    ["a URL", (url: string) => url],
    ["host and port", (url: string) => url.replace("http://", "")],
    ["every address", (url: string) => url.replace("http://127.0.0.1", "0.0.0.0")],
  ])("OLLAMA_HOST as %s", async (_, host) => {
    const { request } = await seen(
      () => "ollama/qwen3:4b",
      (url) => ({ env: { OLLAMA_HOST: host(url) } }),
    );
    expect(request).toMatchObject({ url: "/v1/chat/completions", body: { model: "qwen3:4b" } });
    expect(request?.host).toMatch(/^127\.0\.0\.1:/);
  });
});

test("a lazy model hands on what loading it failed with, and tries again", async () => {
  let loads = 0;
  const model = lazyModel("m", async () => {
    loads += 1;
    throw new RondoError("missing_package", "npm install it");
  });
  const request = { messages: [], tools: [], toolChoice: "auto" as const };
  for (let turn = 0; turn < 2; turn++)
    await expect(ask(model, request)).rejects.toMatchObject({ code: "missing_package" });
  expect(loads).toBe(2);
});
