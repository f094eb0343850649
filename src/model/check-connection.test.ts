import { describe, expect, test } from "vitest";
import { RondoError } from "../error.ts";
import { failureOf } from "./failure.ts";
import { type ResolveOptions, resolveModel } from "./resolve.ts";

const first = "first-line-of-a-key";
const second = "second-line-of-it";

/** What `resolveModel` throws. */
function mistake(spec: string, options: ResolveOptions): { code: string; message: string } {
  try {
    resolveModel(spec, { env: {}, ...options });
  } catch (error) {
    if (RondoError.isInstance(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("what no header can hold is told before the first request, and not shown", () => {
  test.each<[string, ResolveOptions]>([
    ["openai/gpt-4o", { apiKey: `${first}\n${second}` }],
    ["anthropic/claude-sonnet-4-5", { env: { ANTHROPIC_API_KEY: `${first}\r\n${second}` } }],
    ["google/gemini-2.5-flash", { apiKey: `${first}\0${second}` }],
    ["bedrock/amazon.nova-pro-v1:0", { env: { AWS_BEARER_TOKEN_BEDROCK: `${first}\n${second}` } }],
    ["http://127.0.0.1:8080/v1#m", { apiKey: `${first}ключ${second}` }],
    ["http://127.0.0.1:8080/v1#m", { headers: { "x-key": `${first}\n${second}` } }],
  ])("%s %j", (spec, options) => {
    const { code, message } = mistake(spec, options);
    expect(code).toBe("invalid_option");
    expect(message).toMatch(/^The (key|header "x-key") for model .* at place 20: /);
    expect(message).not.toMatch(/line-of/);
  });

  test("a key that ends with a line break is a key", () => {
    expect(resolveModel("openai/gpt-4o", { apiKey: `${first}\n`, env: {} }).id).toBe("openai/gpt-4o");
  });
});

test.each<[string, ResolveOptions]>([
  ["openai/gpt-4o", { apiKey: "k", baseURL: "api.example.com/v1" }],
  ["openai/gpt-4o", { env: { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "http//user:hidden@host/v1" } }],
  ["azure/mine", { env: { AZURE_API_KEY: "k", AZURE_OPENAI_ENDPOINT: "my-resource" } }],
  ["ollama/qwen3", { baseURL: "localhost:11434/v1" }],
])("a base URL that is no address is told: %s %j", (spec, options) => {
  const { code, message } = mistake(spec, options);
  expect(code).toBe("invalid_option");
  expect(message).toContain("is no address");
  expect(message).not.toContain("hidden");
});

test("the error of a package that quotes such a header, of a model object of one's own, shows nothing of it", () => {
  let thrown: unknown;
  try {
    new Headers({ authorization: `Bearer ${first}\n${second}` });
  } catch (error) {
    thrown = error;
  }
  expect(String(thrown)).toContain(first);
  const { message } = failureOf(thrown);
  expect(message).toContain("header");
  expect(message).not.toMatch(/line-of/);
});
