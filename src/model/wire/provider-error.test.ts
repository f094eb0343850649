import { expect, test } from "vitest";
import { providerError } from "./provider-error.ts";

const choices = [{ index: 0, delta: { content: "Hi" } }];

test.each([
  [{ choices, error: "" }],
  [{ choices, error: {} }],
  [{ choices, error: null }],
  [{ choices, error: false }],
])("%j tells no error", (event) => {
  expect(providerError(event, undefined)).toBeUndefined();
});

test.each([
  [{ error: "busy" }, "busy"],
  [{ choices, error: { message: "busy" } }, "busy"],
  [{ type: "error", error: {} }, '{"type":"error","error":{}}'],
  [{ message: "busy" }, "busy"],
])("%j does", (event, message) => {
  expect(providerError(event, undefined)?.message).toBe(message);
});
