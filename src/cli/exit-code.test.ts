import { expect, test } from "vitest";
import { RondoError } from "../error.ts";
import { exitCodeOf, exitCodeOfError } from "./exit-code.ts";

test.each([
  ["stop", 0],
  ["max_iterations", 3],
  ["max_tool_calls", 3],
  ["max_tokens", 3],
  ["max_cost", 3],
  ["timeout", 3],
  ["length", 3],
  ["stuck", 3],
  ["undecided", 3],
  ["aborted", 130],
  ["error", 1],
  ["refusal", 1],
  ["empty", 1],
  ["diverged", 1],
] as const)("outcome %s exits with %i", (outcome, code) => {
  expect(exitCodeOf(outcome)).toBe(code);
});

test.each([
  [new RondoError("invalid_option", "x"), 2],
  [new RondoError("unknown_tool", "x"), 2],
  [new RondoError("unknown_model", "x"), 2],
  [new RondoError("not_yet", "x"), 2],
  [new RondoError("missing_package", "x"), 1],
  [new RondoError("host", "x"), 1],
  [new Error("x"), 1],
  [undefined, 1],
])("error %s exits with %i", (error, code) => {
  expect(exitCodeOfError(error)).toBe(code);
});
