import { expect, test } from "vitest";
import { painter, wantsColor } from "./color.ts";

test.each([
  [true, {}, true, true],
  [true, {}, false, false],
  [true, { TERM: "dumb" }, true, false],
  [true, { NO_COLOR: "1" }, true, false],
  [true, { NO_COLOR: "" }, true, true],
  [true, { FORCE_COLOR: "1" }, false, true],
  [true, { FORCE_COLOR: "0" }, true, false],
  [true, { FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
  [false, { FORCE_COLOR: "1" }, true, false],
])("allowed %s, %j, terminal %s: %s", (allowed, env, terminal, expected) => {
  expect(wantsColor(allowed, env, terminal)).toBe(expected);
});

test("paints or leaves the text", () => {
  expect(painter(true)("red", "x")).toBe("\u001b[31mx\u001b[39m");
  expect(painter(false)("red", "x")).toBe("x");
});
