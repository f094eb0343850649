import { expect, test } from "vitest";
import { applyEdits } from "./apply-edits.ts";

const apply =
  (text: string, old_string: string, replace_all = false) =>
  () =>
    applyEdits(text, [{ old_string, new_string: "x", replace_all }], '"f"');

test("a text that overlaps itself at a great many places is counted no further than is told", () => {
  const zeros = "0".repeat(2_000_000);
  expect(apply(zeros, "0".repeat(1_000_000))).toThrow(/^old_string is more than 10 times in "f" \(lines 1, 1, /);
  const lines = `${"-".repeat(79)}\n`.repeat(100_000);
  expect(apply(lines, `${"-".repeat(79)}\n`.repeat(2_000))).toThrow(/more than 10 times in "f" \(lines 1, 2, 3, /);
});

test("exactly ten places are counted", () => {
  expect(apply("a ".repeat(10), "a")).toThrow(/^old_string is 10 times in "f" \(lines 1, /);
});

test("more places than are replaced at once are refused", () => {
  expect(apply("a".repeat(20_001), "a", true)).toThrow(/at most 20,000 are replaced at once/);
  expect(apply("a".repeat(20_000), "a", true)().text).toBe("x".repeat(20_000));
});

test("nothing like a huge text is looked for", () => {
  const error = /is not in "f", and with 3,000,000 characters it is too long to look for what is like it/;
  expect(apply("b\n".repeat(1_500_000), "a\n".repeat(1_500_000))).toThrow(error);
});
