import fc from "fast-check";
import { expect, test } from "vitest";
import { showBytes, showName } from "./show-name.ts";

test.each([
  ["plain name.ts", "plain name.ts"],
  ["a\nb\tc\r", "a\\nb\\tc\\r"],
  ["\u001b[31mred", "\\x1b[31mred"],
  ["txt.\u202egnp", "txt.\\u202egnp"],
  ["half \ud83d", "half \\ud83d"],
  ["größe 😀", "größe 😀"],
])("%j is shown as %j", (name, shown) => {
  expect(showName(name)).toBe(shown);
});

test("bytes that are not UTF-8 are shown one by one", () => {
  expect(showBytes(Buffer.from([0x63, 0xe9, 0x2e, 0xc3, 0xa9, 0x0a, 0xff]))).toBe("c\\xe9.é\\n\\xff");
});

test("any name is one well-formed line, and text is shown the same from its bytes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (name) => {
      const shown = showName(name);
      expect(shown).not.toMatch(/[\n\r\u2028\u2029\0]/);
      expect(shown.isWellFormed()).toBe(true);
      expect(showBytes(Buffer.from(name.toWellFormed()))).toBe(showName(name.toWellFormed()));
    }),
    { numRuns: 500 },
  );
});
