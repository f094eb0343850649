import { expect, test } from "vitest";
import { nearestText } from "./nearest-text.ts";

const code = `import { a } from "./a.ts";

export function add(left: number, right: number): number {
\tconst sum = left + right;
\treturn sum;
}

export const name = "it’s";
`;

test.each([
  [
    "indentation",
    "  const sum = left + right;\n  return sum;",
    'Lines 4 to 5 differs only in spaces, tabs or empty lines. Line 4 is "\\tconst sum = left + right;"; old_string has "  const sum = left + right;".',
  ],
  ["an empty line", "sum;\n\n}", "differs only in spaces, tabs or empty lines"],
  ["one line in the middle", "const sum  =", "Line 4 differs only in spaces, tabs or empty lines"],
  ["case", "Export Function add", "Line 3 differs only in upper and lower case"],
  ["quotes", `name = "it's"`, "Line 8 differs only in quotes, dashes or other characters that look alike"],
  ["several at once", `Name = "it's"`, "Line 8 differs only in white space, case or characters that look alike"],
  ["line numbers", "4:\tconst sum = left + right;\n5:\treturn sum;", "old_string has line numbers"],
  [
    "other words",
    "export function add(first: number, right: number): number {",
    'The most similar text: line 3. Line 3 is "export function add(left: number, right: number): number {"; old_string has',
  ],
  [
    "one line of several",
    "\tconst sum = left + right;\n\treturn summe;",
    'The most similar text: lines 4 to 5. Line 5 is "\\treturn sum;"; old_string has "\\treturn summe;".',
  ],
  [
    "the last of several, the first one without its indentation",
    "const sum = left + right;\n\treturn summe;",
    'The most similar text: lines 4 to 5. Line 5 is "\\treturn sum;"; old_string has "\\treturn summe;".',
  ],
  [
    "the first of several, the last one without its end",
    "\tconst sum = left - right;\n\treturn",
    'The most similar text: lines 4 to 5. Line 4 is "\\tconst sum = left + right;"; old_string has "\\tconst sum = left - right;".',
  ],
  [
    "letters behind an indentation that is left out",
    "const súm = left + right;",
    'At character 9 the file has "u" (U+0075), old_string "ú" (U+00FA).',
  ],
])("what differs: %s", (_, wanted, expected) => {
  expect(nearestText(code, wanted)).toContain(expected);
});

test.each([["nothing like it at all, really"], ["\n \n"], ["zz"]])("nothing is near %j", (wanted) => {
  expect(nearestText(code, wanted)).toBe("");
});

test("a place that is there more than once is told as the first of them", () => {
  expect(nearestText("a  b\na  b\n", "a b")).toContain("Line 1 (the first of 2) differs only");
});

test("a long line is cut", () => {
  expect(nearestText(`${"x ".repeat(5_000)}\n`, "x".repeat(5_000)).length).toBeLessThan(1_000);
});
