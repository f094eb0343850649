import fc from "fast-check";
import { expect, test } from "vitest";
import { scanSource, sureText } from "./matcher-text.ts";

test.each([
  ["needle", "needle"],
  ["needle number \\d+7$", "needle number "],
  ["import .* from", "import "],
  ["foo\\(bar", "foo(bar"],
  ["abc?def", "def"],
  ["ab{0,3}cd", "cd"],
  ["a(longer)?b", "a"],
  ["colou+r", "colou"],
  ["(x|y)zz", "zz"],
  ["one|two", ""],
  ["(?!ab)abc", ""],
  ["\\x41bc", ""],
  ["[abc]", ""],
])("what /%s/ matches has %j in it", (pattern, text) => {
  expect(sureText(new RegExp(pattern))).toBe(text);
});

test("where case does not count, no text is sure", () => {
  expect(sureText(/needle/i)).toBe("");
});

const pieces =
  "a b ab c . * + ? *? ^ $ | ( ) (?: [ab] [^a] [^-b] [\\s\\S] [^] [] \\s \\S \\w \\W \\d \\D \\b \\B \\. \\n \\r \\t \\1 {0,2} {2} (?!a) (?<=b) \\x61 é 😀 \\p{L} - 1";
const patterns = fc
  .tuple(
    fc.array(fc.constantFrom(...pieces.split(" "), " "), { minLength: 1, maxLength: 6 }),
    fc.constantFrom("", "i", "u"),
  )
  .map(([parts, flags]) => {
    try {
      return new RegExp(parts.join(""), flags);
    } catch {
      return undefined;
    }
  })
  .filter((regex) => regex !== undefined);
const lines = fc.array(
  fc.array(fc.constantFrom("a", "b", "ab", "c", " ", ".", "A", "é", "😀", "1", "\t", "\r", "\u2028"), { maxLength: 6 }),
  { minLength: 1, maxLength: 4 },
);

test("a line that matches has the sure text, and the scan finds it in the whole text", () => {
  fc.assert(
    fc.property(patterns, lines, fc.constantFrom("\n", "\r\n"), (regex, parts, end) => {
      const all = parts.map((line) => line.join(""));
      const text = all.join(end);
      const matches = text.split("\n").some((line) => regex.test(line.replace(/\r$/, "")));
      const scan = scanSource(regex);
      if (!matches) return;
      expect(text).toContain(sureText(regex));
      if (scan !== undefined) expect(new RegExp(scan, `${regex.flags}m`).test(text)).toBe(true);
    }),
    { numRuns: 5_000 },
  );
});

test("a scan stays in its line, so that it takes no longer than the lines do", () => {
  for (const pattern of ["a\\sb", "a[^x]b", "a[\\s,]b", "a\\Wb", "a[^]b", "a\\Db"])
    expect(new RegExp(scanSource(new RegExp(pattern))!, "m").test("a\nb")).toBe(false);
});
