import fc from "fast-check";
import { expect, test } from "vitest";
import { counted, harmless, head, oneLine, seconds, visible } from "./terminal-text.ts";

test("control characters are taken out, line ends and tabs stay", () => {
  expect(harmless("\u001b[31mred\u001b]0;title\u0007\r\nnext\tcell\u202e\u009b")).toBe("[31mred]0;title\nnext\tcell");
});

test("written out: all that is not seen or changes how others look", () => {
  expect(visible("a\tb\n\u001b[2J\r\n\u000b\u0085\u2028\u2029\u202e\u2066\u200f\ufeff\u{e0041}é😀")).toBe(
    "a\tb\n\\x1b[2J\\r\n\\x0b\\x85\\u2028\\u2029\\u202e\\u2066\\u200f\\ufeff\\u{e0041}é😀",
  );
  expect(visible("a\u034f\u115f\u3164\uffa0\ufe0f\u180b\u17b4\u200b\u2060\u{e0100}\u{e0fff}")).toBe(
    "a\\u034f\\u115f\\u3164\\uffa0\\ufe0f\\u180b\\u17b4\\u200b\\u2060\\u{e0100}\\u{e0fff}",
  );
  expect(visible("\ud800")).toBe("\\ud800");
});

test("one line, cut to a length", () => {
  expect(oneLine(" a\n  b\tc ", 10)).toBe("a b c");
  expect(oneLine("abcdefgh", 5)).toBe("abcd…");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
      const line = oneLine(text, 20);
      expect(Array.from(line).length).toBeLessThanOrEqual(20);
      for (const control of ["\n", "\r", "\u001b"]) expect(line).not.toContain(control);
    }),
    { numRuns: 500 },
  );
});

test("the head of a text says how much follows", () => {
  expect(head("one", 10)).toBe("one");
  expect(head("\none\ntwo\n", 10)).toBe("one (+1 line)");
  expect(head("one\ntwo\nthree", 2)).toBe("o… (+2 lines)");
});

test("counts and times", () => {
  expect(counted(1, "round")).toBe("1 round");
  expect(counted(12345, "token")).toBe("12,345 tokens");
  expect(seconds(350.4)).toBe("350 ms");
  expect(seconds(2449)).toBe("2.4 s");
  expect(seconds(200_000)).toBe("3 min 20 s");
});
