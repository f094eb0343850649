import { expect, test } from "vitest";
import { parseRule } from "./rule.ts";

test.each([
  ["write_file", { tool: "write_file" }],
  ["write_file(src/**)", { tool: "write_file", pattern: "src/**" }],
  ["bash(echo (a) b)", { tool: "bash", pattern: "echo (a) b" }],
  ["a\\(b\\)", { tool: "a(b)" }],
  ["a\\(b\\)(c)", { tool: "a(b)", pattern: "c" }],
  ["a\\\\b", { tool: "a\\b" }],
  ["bash(a\\\\)", { tool: "bash", pattern: "a\\\\" }],
  ["__proto__(x)", { tool: "__proto__", pattern: "x" }],
])("%s", (text, rule) => {
  expect(parseRule(text)).toEqual(rule);
});

test.each([
  ["", "names no tool"],
  ["  ", "names no tool"],
  ["(x)", "names no tool"],
  [" bash", "blanks around"],
  ["bash (x)", "blanks around"],
  ["bash(x", 'end with ")"'],
  ["bash(", 'end with ")"'],
  ["bash(x\\)", 'end with ")"'],
  ["bash(x) ", 'end with ")"'],
  ["bash()", "pattern is empty"],
  ["bash\\", "ends with a backslash"],
  ["bash)", "does not open"],
])("what cannot be read is quoted with what is wrong: %j", (text, what) => {
  expect(() => parseRule(text)).toThrow(
    expect.objectContaining({ code: "invalid_option", message: expect.stringContaining(what) }),
  );
  expect(() => parseRule(text)).toThrow(JSON.stringify(text));
});
