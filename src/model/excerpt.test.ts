import { expect, test } from "vitest";
import { excerpt } from "./excerpt.ts";

test.each([
  ["short", "short"],
  ["exactly 20 letters..", "exactly 20 letters.."],
  ["The key sk-12345678901234 is wrong.", "The key …"],
  ['{"key":"ab$cd!ef-gh_ij kl"}', '{"key":"…'],
  ["0123456789012345678901234", "0123456789012345678…"],
])("%s", (text, expected) => {
  expect(excerpt(text, 20)).toBe(expected);
});
