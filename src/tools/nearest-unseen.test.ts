import { expect, test } from "vitest";
import { nearestText } from "./nearest-text.ts";

/** What nobody would see, and what could be taken for it. */
const raw = /[\u00a0\u00ad\u200b-\u200f\u202a-\u202f\u2060-\u206f\ufeff\u3000\u0080-\u009f\u{e0000}-\u{e007f}]/u;

const told = (there: string, given: string) => {
  const answer = nearestText(`before\n${there}\nbehind\n`, given);
  expect(answer).not.toMatch(raw);
  return answer;
};

test.each([
  [
    "a no-break space in the file",
    "const\u00a0x = 1;",
    "const x = 1;",
    'Line 2 differs only in spaces, tabs or empty lines. Line 2 is "const\\u00a0x = 1;"; old_string has "const x = 1;". At character 6 the file has U+00A0 (no-break space), old_string U+0020 (space). Written out: \\u00a0 no-break space.',
  ],
  [
    "a no-break space in old_string",
    "const x = 1;",
    "const\u00a0x = 1;",
    "At character 6 the file has U+0020 (space), old_string U+00A0 (no-break space).",
  ],
  [
    "a zero width space",
    "const\u200b x = 1;",
    "const x = 1;",
    'Line 2 differs only in characters that are not seen. Line 2 is "const\\u200b x = 1;"; old_string has "const x = 1;". At character 6 the file has U+200B (zero width space) U+0020 (space), old_string U+0020 (space).',
  ],
  [
    "an override of the direction",
    "if (admin\u202e) {",
    "if (admin) {",
    "At character 10 the file has U+202E (right-to-left override), old_string nothing.",
  ],
  [
    "an isolate in old_string",
    "const x = 1;",
    "const \u2066x = 1;",
    'old_string has "const \\u2066x = 1;". At character 6 the file has U+0020 (space), old_string U+0020 (space) U+2066 (left-to-right isolate). Written out: \\u2066 left-to-right isolate.',
  ],
  ["a byte order mark", "x\ufeff = 1;", "x = 1;", "U+FEFF (byte order mark)"],
  ["a tag", "const x\u{e0041} = 1;", "const x = 1;", "\\udb40\\udc41 character that is not seen"],
  ["a soft hyphen", "const xy = 1;", "const x\u00ady = 1;", "old_string U+00AD (soft hyphen)."],
  [
    "tabs and spaces",
    "\tconst x = 1;",
    "    const x = 1;",
    "At character 1 the file has U+0009 (tab), old_string 4 × U+0020 (space).",
  ],
  ["in the middle of a line", "  a(b, c\u3000d);", "c d", "At character 9 the file has U+3000 (ideographic space)"],
  ["line ends", "const x = 1;", "const x = 1;\r", "old_string U+000D (carriage return)."],
  ["quotes", 'say("it’s");', `say("it's");`, `At character 8 the file has "’" (U+2019), old_string "'" (U+0027).`],
  [
    "composed letters",
    "const caf\u00e9 = 1;",
    "const cafe\u0301 = 1;",
    'Line 2 differs only in how letters with marks are put together (Unicode NFC or NFD). Line 2 is "const caf\u00e9 = 1;"; old_string has "const cafe\\u0301 = 1;". At character 10 the file has "\u00e9" (U+00E9), old_string "e" (U+0065) U+0301 (combining mark).',
  ],
  [
    "letters of another script",
    "const \u0441ount = 1;",
    "const count = 1;",
    'At character 7 the file has "\u0441" (U+0441), old_string "c" (U+0063).',
  ],
])("it says which character differs: %s", (_, there, given, expected) => {
  expect(told(there, given)).toContain(expected);
});

test.each([
  [
    "if (a) {\n  one();",
    "if (a) {\none();",
    "Line 3",
    "At character 1 the file has 2 × U+0020 (space), old_string nothing.",
  ],
  ["one(); \ntwo();", "one();\ntwo();", "Line 2", "At character 7 the file has U+0020 (space), old_string nothing."],
  ["a caf\u00e9 b", "cafe\u0301", "Line 2", '"cafe\\u0301". At character 6 the file has "\u00e9" (U+00E9)'],
])("of several lines, and of a part of one, it says which: %j", (there, given, line, expected) => {
  expect(told(there, given)).toContain(`${line} is `);
  expect(told(there, given)).toContain(expected);
});

test("what is not seen is written out in lines that differ in words too", () => {
  const answer = told("export const\u00a0one = first\u200b(1);", "export const one = second(1);");
  expect(answer).toContain('"export const\\u00a0one = first\\u200b(1);"');
  expect(answer).toContain("Written out: \\u00a0 no-break space, \\u200b zero width space.");
});

test("what a file writes out itself is told apart from it", () => {
  expect(told("a = '\\u00a0' ;", "a = '\\u00a0';")).toContain(`"a = '\\\\u00a0' ;"`);
});

test("a difference far to the right is shown", () => {
  const line = (end: string) => `${"word ".repeat(200)}${end} = 1;`;
  const answer = told(line("a\u200bb"), line("ab"));
  expect(answer).toContain("At character 1,002 the file has U+200B (zero width space), old_string nothing.");
  expect(answer).toContain('a\\u200bb = 1;"');
  expect(answer.length).toBeLessThan(1_200);
});

test("an emoji is not cut in two", () => {
  expect(told(`${"😀".repeat(200)} x`, `${"😀".repeat(200)}x`)).not.toContain("\\ud83d");
});
