import { expect, test } from "vitest";
import { RondoError } from "../error.ts";
import { failureOf } from "./failure.ts";
import { type ResolveOptions, resolveModel } from "./resolve.ts";

const twoLines = "k3y.on.one.line\nand.more.of.it";
const server = "http://127.0.0.1:8080/v1#m";

const mistake = (spec: string, options: unknown): RondoError => {
  try {
    resolveModel(spec, options as ResolveOptions);
  } catch (error) {
    if (RondoError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
};

test.each<[string, unknown, string]>([
  ["anthropic/m", { env: { ANTHROPIC_API_KEY: twoLines } }, "ANTHROPIC_API_KEY"],
  ["openai/m", { env: { OPENAI_API_KEY: twoLines } }, "OPENAI_API_KEY"],
  ["google/m", { env: { GOOGLE_GENERATIVE_AI_API_KEY: twoLines } }, "GOOGLE_GENERATIVE_AI_API_KEY"],
  ["bedrock/m", { env: { AWS_BEARER_TOKEN_BEDROCK: twoLines } }, "AWS_BEARER_TOKEN_BEDROCK"],
  [server, { apiKey: twoLines }, '"apiKey"'],
  [server, { apiKey: "k3y…" }, '"apiKey"'],
  [server, { apiKey: 5 }, '"apiKey"'],
  [server, { headers: { "x-mine": twoLines } }, '"x-mine"'],
  [server, { headers: { "x-mine": undefined } }, '"x-mine"'],
  [server, { headers: { "x mine": "a" } }, '"x mine"'],
  [server, { headers: null }, '"headers"'],
  [server, { queryParams: { a: 1 } }, '"a"'],
  [server, { baseURL: "localhost:8080/v1" }, '"baseURL"'],
  [server, { baseURL: "http://me:k3y.on.one.line@127.0.0.1/v1" }, "user and a password"],
  ["openai/m", { env: { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "nope" } }, "base URL"],
  ["bedrock/m", { apiKey: "k", region: "eu west" }, '"region"'],
])("what no request can be sent with is said at once, and not told: %s %j", (spec, options, said) => {
  const { code, message } = mistake(spec, options);
  expect(code).toBe("invalid_option");
  expect(message).toContain(said);
  expect(message).not.toMatch(/k3y|more\.of/);
});

test("a line break behind a key, as files end with one, is no matter", () => {
  expect(resolveModel("anthropic/m", { env: { ANTHROPIC_API_KEY: "k\n" } }).id).toBe("anthropic/m");
  expect(resolveModel(server, { apiKey: "k\n", headers: { a: "é\tb " } }).id).toBe(server);
});

test("a header that cannot be sent is not quoted", () => {
  let thrown: unknown;
  try {
    new Headers({ "x-api-key": twoLines });
  } catch (error) {
    thrown = error;
  }
  const { message } = failureOf(thrown);
  expect(message).toContain("no header can hold");
  expect(message).not.toMatch(/k3y|more\.of/);
});
