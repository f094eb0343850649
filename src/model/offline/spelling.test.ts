import { expect, test } from "vitest";
import { spelling } from "./spelling.ts";

const correct = spelling(["search", "weather", "list", "file", "file_name"]);

test.each([
  ["serch", "search"],
  ["wether", "weather"],
  ["saerch", "search"],
  ["search", undefined],
  ["lisp", undefined],
  ["perch", undefined],
  ["xyzzy", undefined],
  ["filename", undefined],
  ["", undefined],
])("%j is %j", (word, expected) => {
  expect(correct(word)).toBe(expected);
});
