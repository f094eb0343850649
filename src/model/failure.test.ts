import { describe, expect, test } from "vitest";
import { failureOf, isRetryable } from "./failure.ts";

const api = (statusCode: number | undefined, more: object = {}) =>
  Object.assign(new Error("said no"), { name: "AI_APICallError", statusCode, isRetryable: false, ...more });
const unreadable = (kind: string, value: unknown) =>
  Object.assign(new Error(`${kind} failed: Value: ${JSON.stringify(value)}.\nError message: odd`), {
    name: `AI_${kind}Error`,
    ...(typeof value === "string" ? { text: value } : { value }),
  });
const body = (error: object) => ({ data: { error }, responseBody: JSON.stringify({ error }) });

test.each([
  [{ object: "error", message: "no such thing", code: 400 }, "no such thing"],
  [{ detail: "no such thing" }, "no such thing"],
  [{ error: "no such thing" }, "no such thing"],
  [{ detail: [{ loc: ["body"] }] }, "Bad Request"],
  ["no JSON object", '"no JSON object"'],
])("what a server said in a shape of its own is told: %j", (said, message) => {
  const error = api(400, { message: "Bad Request", responseBody: JSON.stringify(said) });
  expect(failureOf(error).message).toBe(message);
});

describe("kinds", () => {
  test.each([
    [401, {}, "auth"],
    [403, {}, "auth"],
    [402, {}, "quota"],
    [429, {}, "rate_limit"],
    [429, body({ code: "insufficient_quota" }), "quota"],
    [429, body({ status: "RESOURCE_EXHAUSTED" }), "rate_limit"],
    [400, {}, "invalid"],
    [404, {}, "invalid"],
    [400, body({ type: "api_error" }), "invalid"],
    [400, body({ code: "context_length_exceeded" }), "context_overflow"],
    [400, { message: "prompt is too long: 210000 tokens > 200000 maximum" }, "context_overflow"],
    [400, { message: "Your credit balance is too low to access the API" }, "quota"],
    [400, body({ code: "content_policy_violation" }), "refusal"],
    [400, body({ type: "invalid_request_error", message: "Bad schema for 'billing_error'" }), "invalid"],
    [408, {}, "transport"],
    [409, {}, "transport"],
    [500, {}, "overloaded"],
    [503, {}, "overloaded"],
    [529, {}, "overloaded"],
    [200, { message: "Failed to process successful response" }, "transport"],
    [undefined, { isRetryable: true, message: "Cannot connect to API" }, "transport"],
  ] as const)("status %s %o is %s", (status, more, kind) => {
    expect(failureOf(api(status, more)).kind).toBe(kind);
  });

  test.each([
    [{ type: "overloaded_error", message: "Overloaded" }, "overloaded"],
    [{ type: "rate_limit_error", message: "slow" }, "rate_limit"],
    [{ type: "error", error: { type: "api_error", message: "oops" } }, "overloaded"],
    [{ type: "authentication_error", message: "who" }, "auth"],
    [{ type: "invalid_request_error", message: "bad" }, "invalid"],
    [{ type: "invalid_request_error", message: "Bad schema for 'countPerDay': limit: 0" }, "invalid"],
    [{ error: { code: 429, message: "slow" } }, "rate_limit"],
    [{ error: { code: 429, message: "Quota exceeded for metric: x, limit: 0" } }, "quota"],
    [new TypeError("terminated"), "transport"],
    [Object.assign(new Error("x"), { cause: { code: "ECONNRESET" } }), "transport"],
    [Object.assign(new Error("bad line"), { name: "AI_JSONParseError" }), "transport"],
    [Object.assign(new Error("no key"), { name: "AI_LoadAPIKeyError" }), "auth"],
    [Object.assign(new Error("no"), { name: "AI_UnsupportedFunctionalityError" }), "invalid"],
    [new DOMException("stop", "AbortError"), "aborted"],
    [new DOMException("late", "TimeoutError"), "timeout"],
    [new Error("odd"), "unknown"],
    ["odd", "unknown"],
    [undefined, "unknown"],
  ] as const)("%o is %s", (error, kind) => {
    expect(failureOf(error).kind).toBe(kind);
  });

  test.each([
    ["a chunk of a reply that a package cannot read", unreadable("TypeValidation", { delta: "the context window" })],
    ["text that it cannot read", unreadable("JSONParse", 'data: the "context window')],
  ])("%s says nothing about the failure", (_, error) => {
    expect(failureOf(error).kind).toBe("transport");
  });

  test("what such a chunk says of an error does", () => {
    const error = unreadable("TypeValidation", { error: { message: "The prompt is too long.", input: "credit" } });
    expect(failureOf(error).kind).toBe("context_overflow");
  });

  test.each([
    [{ reason: "The prompt is too long." }, "context_overflow"],
    [{ fault: { message: "The prompt is too long." } }, "context_overflow"],
    [{ fault: { prompt: "The prompt is too long." } }, "invalid"],
  ])("a body without code and message is read for words: %j", (said, kind) => {
    expect(failureOf(api(400, { message: "Bad Request", responseBody: JSON.stringify(said) })).kind).toBe(kind);
  });

  test("an error object in a stream is not judged by what it echoes", () => {
    expect(failureOf({ detail: [{ loc: ["body"], input: "my context window" }] }).kind).toBe("unknown");
    expect(failureOf({ detail: [{ msg: "prompt too long", input: "credit" }] }).kind).toBe("context_overflow");
  });

  test("only what may pass is retryable", () => {
    const kinds = [
      "transport",
      "rate_limit",
      "overloaded",
      "auth",
      "quota",
      "invalid",
      "context_overflow",
      "refusal",
      "timeout",
      "aborted",
      "unknown",
    ] as const;
    expect(kinds.filter((kind) => isRetryable({ kind, message: "" }))).toEqual([
      "transport",
      "rate_limit",
      "overloaded",
      "timeout",
    ]);
  });
});

describe("messages", () => {
  test.each([
    ["text", "text"],
    ["", "The provider sent an empty error."],
    [undefined, "The provider failed with undefined."],
    [{ error: { message: "inner" } }, "inner"],
    [{ a: 1 }, '{"a":1}'],
    [new Error("outer"), "outer"],
  ])("%o", (error, message) => {
    expect(failureOf(error).message).toBe(message);
  });

  test("a frame with a wrong checksum may be right when it is sent again", () => {
    const error = new Error("The message checksum (1) did not match the expected value of 2");
    expect(failureOf(error).kind).toBe("transport");
  });

  test("a cycle and a huge text do no harm", () => {
    const cycle: Record<string, unknown> = {};
    cycle.cause = cycle;
    expect(failureOf(cycle).message).toBe('{"cause":"[cycle]"}');
    expect(failureOf("x".repeat(10_000)).message).toHaveLength(500);
  });
});

describe("the pause that a provider asks for", () => {
  const now = () => Date.parse("2026-01-01T00:00:00Z");
  const asked = (responseHeaders: object, more: object = {}) =>
    failureOf(api(429, { responseHeaders, ...more }), now).retryAfterMs;

  test.each([
    [{ "retry-after": "2" }, 2_000],
    [{ "Retry-After": "1.5" }, 1_500],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, 30_000],
    [{ "retry-after": "Wed, 31 Dec 2025 00:00:30 GMT" }, 0],
    [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "5, 7" }, 7_000],
    [{ "retry-after": "30s" }, 30_000],
    [{ "retry-after": "-5" }, undefined],
    [{ "retry-after": "9".repeat(400) }, Number.MAX_SAFE_INTEGER],
    [{}, undefined],
  ])("%o is %s ms", (headers, ms) => {
    expect(asked(headers)).toBe(ms);
  });

  test.each([
    ["Rate limit reached. Please try again in 1m12.5s.", 72_500],
    ["Please try again in 250ms.", 250],
    ["Please retry after 9 seconds.", 9_000],
    ["Please retry in 34.07s.", 34_070],
    ["Try again later.", undefined],
    ["We tried in 3 steps.", undefined],
  ])("in words: %s", (message, ms) => {
    expect(failureOf({ type: "rate_limit_error", message }).retryAfterMs).toBe(ms);
  });

  test("in a Google error's body", () => {
    expect(asked({}, { responseBody: '{"error":{"details":[{"retryDelay": "34.1s"}]}}' })).toBe(34_100);
  });
});
