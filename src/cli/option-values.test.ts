import { describe, expect, test } from "vitest";
import { deniedOf, durationOf, namesOf, numberOf, oneOf, toolChoiceOf } from "./option-values.ts";

describe("times", () => {
  test.each([
    ["90", 90_000],
    ["90s", 90_000],
    ["2m", 120_000],
    ["500ms", 500],
    ["1.5s", 1500],
    [".5", 500],
    ["1h", 3_600_000],
    [" 3 ", 3000],
  ])("%s is %i ms", (value, ms) => {
    expect(durationOf("--timeout", value)).toBe(ms);
  });

  test.each(["", "0", "-5", "abc", "5d", "1e3", "NaN", "Infinity", "2 m", "600h"])("%j is refused", (value) => {
    expect(() => durationOf("--timeout", value)).toThrow(/^--timeout: /);
  });
});

describe("numbers", () => {
  test.each([
    ["5", 5],
    ["2.5", 2.5],
    ["-1", -1],
    ["0", 0],
    ["infinity", Number.POSITIVE_INFINITY],
  ])("%s is %d", (value, number) => {
    expect(numberOf("--max-iterations", value)).toBe(number);
  });

  test.each(["", "many", "NaN", "0x10", "1e3", "5 rounds"])("%j is refused", (value) => {
    expect(() => numberOf("--max-iterations", value)).toThrow(/is not a number/);
  });
});

test("names are split at commas, blanks and empty ones dropped", () => {
  expect(namesOf(" read_file, grep,,")).toEqual(["read_file", "grep"]);
  expect(namesOf("")).toEqual([]);
});

test("one of a few words, else the near one is named", () => {
  expect(oneOf("--at-limit", "stop", ["close", "stop"])).toBe("stop");
  expect(() => oneOf("--at-limit", "clos", ["close", "stop"])).toThrow(
    '--at-limit: "clos" is not one of close, stop; did you mean close?',
  );
});

test.each([
  ["auto", "auto"],
  ["required", "required"],
  ["none", "none"],
  ["grep", { type: "function", name: "grep" }],
  ["grep, glob", ["grep", "glob"]],
])("tool choice %s", (value, choice) => {
  expect(toolChoiceOf("--tool-choice", value)).toEqual(choice);
});

test("an empty tool choice is refused", () => {
  expect(() => toolChoiceOf("--tool-choice", ",")).toThrow(/write auto, required, none/);
});

test.each([
  ["bash,glob", ["bash", "glob"]],
  ["write_file(a,b),bash", ["write_file(a,b)", "bash"]],
  ["bash(rm (*)", ["bash(rm (*)"]],
  ["bash(rm \\(*),glob", ["bash(rm \\(*)", "glob"]],
])("--deny %s is these rules", (text, rules) => {
  expect(deniedOf(`=${text}`)?.rules).toEqual(rules);
});

test("a rule behind a bracket that does not close is not lost in the one before", () => {
  expect(() => deniedOf("=bash(rm (*),write_file(x)")).toThrow(/--deny: where .* ends cannot be told/);
});
