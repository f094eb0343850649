import { expect, test } from "vitest";
import { arithmeticIn, codeOf, formulaIn } from "./formula.ts";

const cut = (text: string, found: { readonly start: number; readonly end: number } | undefined) =>
  found && text.slice(found.start, found.end);

test.each([
  ["the derivative of 3x^2 + 2x - 1 at 2", "3x^2 + 2x - 1"],
  ["of the function 2x^2 at x = 1", "2x^2"],
  ["evaluate (12.5 + 7) / 3.", "(12.5 + 7) / 3"],
  ["from 5 to 10", undefined],
  ["a and I", undefined],
  ["", undefined],
])("the formula in %j", (text, expected) => {
  expect(cut(text, formulaIn(text))).toBe(expected);
});

test.each([
  ["what is 17 * 23?", "17 * 23"],
  ["12*3+4", "12*3+4"],
  ["2 ** 10 - 24", "2 ** 10 - 24"],
  ["on 2026-03-01", undefined],
  ["lines 5-10", undefined],
  ["3x + 1", undefined],
  ["call 555-1234", undefined],
])("the sum in %j", (text, expected) => {
  expect(cut(text, arithmeticIn(text))).toBe(expected);
});

test.each([
  ["2 ^ 10", "2 ** 10"],
  ["(2+3)^2", "(2+3)**2"],
  ["010 + 0.50 + 100", "10 + 0.50 + 100"],
  ["0 + 00", "0 + 0"],
  ["2(3 + 4)", undefined],
  ["(1 + 2) 3", undefined],
  ["2024-12-01 - 5", undefined],
])("the sum %j as code", (sum, expected) => {
  expect(codeOf(sum)).toBe(expected);
});
