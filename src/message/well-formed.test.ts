import { expect, test } from "vitest";
import { isWellFormed, wellFormed } from "./well-formed.ts";

test("text without lone surrogates stays the same", () => {
  for (const text of ["", "plain", "é", "😀 and 😀"]) {
    expect(isWellFormed(text)).toBe(true);
    expect(wellFormed(text)).toBe(text);
  }
});

test.each([
  ["a\ud83d", "a\ufffd"],
  ["\udc00b", "\ufffdb"],
  ["\ude00\ud83d", "\ufffd\ufffd"],
  ["😀".slice(0, 1), "\ufffd"],
])("a lone surrogate becomes U+FFFD: %j", (text, expected) => {
  expect(isWellFormed(text)).toBe(false);
  expect(wellFormed(text)).toBe(expected);
});
