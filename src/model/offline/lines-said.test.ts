import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { linesIn, withoutLines } from "./lines-said.ts";
import { converse } from "./offline.fixture.ts";

test.each([
  ["lines 10 to 20 of a.ts", { from: 10, count: 11 }],
  ["lines 10-20 of a.ts", { from: 10, count: 11 }],
  ["a.ts from line 4 to line 8", { from: 4, count: 5 }],
  ["between lines 3 and 5", { from: 3, count: 3 }],
  ["10 lines starting at line 5", { from: 5, count: 10 }],
  ["the first 3 lines", { count: 3 }],
  ["the first three lines", { count: 3 }],
  ["its first line", { count: 1 }],
  ["the second line of it", { from: 2, count: 1 }],
  ["the 12th line", { from: 12, count: 1 }],
  ["line 7 of a.ts", { from: 7, count: 1 }],
  ["starting at line 7", { from: 7 }],
  ["head -n 5 a.ts", { count: 5 }],
  ["the last line", { last: 1 }],
  ["the last 3 lines", { last: 3 }],
  ["the last ten lines", { last: 10 }],
  ["tail -n 4 a.ts", { last: 4 }],
])("%j", (text, lines) => {
  const { start, end, ...said } = linesIn(text) ?? { start: 0, end: 0 };
  expect(said).toEqual(lines);
  expect(withoutLines(text)).not.toMatch(/\blines?\b.*\blines?\b/u);
});

test.each([
  "the last 3 orders",
  "how many lines",
  "with 2 lines of context",
  "line up",
  "lines 20 to 10 of nothing said",
])("names no lines, or none that can be: %j", (text) => {
  expect(linesIn(text)?.last).toBeUndefined();
  expect(linesIn(text)?.count ?? 1).toBe(1);
});

test("any text: what is said of lines lies in it, and counts are whole numbers", () => {
  const part = fc.constantFrom("line", "lines", "first", "last", "3", "to", "10", "-", "the", "tail", "of", "second");
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (said) => {
      const text = said.join(" ");
      const lines = linesIn(text);
      if (!lines) return;
      expect(lines.start).toBeLessThan(lines.end);
      expect(lines.end).toBeLessThanOrEqual(text.length);
      for (const number of [lines.from, lines.count, lines.last])
        if (number !== undefined) expect(Number.isInteger(number)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

describe("the report", () => {
  const file = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`).join("\n");

  test("quotes the end where the tool gave all", async () => {
    const { calls, text } = await converse("Print the last 2 lines of a.txt", () => file);
    expect(calls).toEqual(['read_file {"path":"a.txt"}']);
    expect(text).toContain("the last 2 lines\n   > line 11\n   > line 12\n");
    expect(text).not.toContain("line 10");
  });

  test("says so where the end of what was read is not the end of the file", async () => {
    const note = "[Lines 1 to 12 of 40. Go on with offset 13.]";
    const { text } = await converse("Show me the last line of a.txt", () => `${file}\n\n${note}`);
    expect(text).toContain("the last line of what was read, which is not all of it\n   > line 12\n");
  });

  test("quotes as many lines as were asked for", async () => {
    const { text } = await converse("Show lines 2 to 9 of a.txt", () => file.split("\n").slice(1, 9).join("\n"));
    expect(text).toContain("   > line 9\n");
  });
});
