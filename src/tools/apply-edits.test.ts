import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdits, checkEdits, type Edit } from "./apply-edits.ts";
import { messageOf } from "./workspace.fixture.ts";

const edit = (old_string: string, new_string: string, replace_all?: boolean): Edit =>
  replace_all === undefined ? { old_string, new_string } : { old_string, new_string, replace_all };
const apply = (text: string, ...edits: Edit[]) => applyEdits(text, edits, '"a.txt"');
const message = (text: string, ...edits: Edit[]) => messageOf(() => apply(text, ...edits));

test("one place is replaced, all of them on request, and edits build on each other", () => {
  expect(apply("a b c", edit("b", "x")).text).toBe("a x c");
  const all = apply("b b b", edit("b", "bb", true));
  expect(all).toEqual({
    text: "bb bb bb",
    steps: [{ text: "b b b", found: [0, 2, 4], old_string: "b", new_string: "bb" }],
  });
  expect(apply("a b", edit("a", "x"), edit("x b", "y")).text).toBe("y");
});

test("what is put in is taken as it is", () => {
  expect(apply("a b", edit("b", "$& $1 $$ \\n")).text).toBe("a $& $1 $$ \\n");
});

test("a text that is there twice is told with its lines, also if the places overlap", async () => {
  expect(await message("x\ny\nx\n", edit("x", "z"))).toBe(
    'old_string is 2 times in "a.txt" (lines 1, 3), so it is not clear which is meant. Give more of the lines around it, or set replace_all to replace them all. Nothing was changed.',
  );
  expect(await message("aaa", edit("aa", "b"))).toContain("2 times");
  expect(await message("x\n".repeat(1_234), edit("x", "z"))).toContain(
    'more than 10 times in "a.txt" (lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and so on)',
  );
});

test("the edit that cannot be applied is named", async () => {
  expect(await message("a b", edit("a", "x"), edit("q", "y"))).toMatch(/^edits\[1\]: old_string is not in "a.txt"/);
  expect(await message("a b", edit("a", "x"), edit("a b", "y"))).toBe(
    'edits[1]: old_string is no longer in "a.txt": an edit before it changed that text. Edits are applied in order, each to the result of the one before. Nothing was changed.',
  );
  expect(await message("a b", edit("a", "x"), edit("x", "a"))).toContain("take each other back");
});

test("edits that say nothing are refused", async () => {
  expect(await messageOf(() => checkEdits([]))).toContain("There is no edit");
  expect(await messageOf(() => checkEdits([edit("", "x")]))).toContain("old_string is empty");
  expect(await messageOf(() => checkEdits([edit("a", "b"), edit("x", "x")]))).toContain(
    "edits[1]: old_string and new_string are equal",
  );
});

test("of any text, a part that is there once is replaced and nothing else", () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), fc.string(), (before, old, now, behind) => {
      const text = before + old + behind;
      fc.pre(text.indexOf(old) === before.length && text.indexOf(old, before.length + 1) === -1 && old !== now);
      expect(apply(text, edit(old, now)).text).toBe(before + now + behind);
    }),
    { numRuns: 1_000 },
  );
});

test("too many places, and a text that would grow too long, are refused before anything is built", async () => {
  const many = "a".repeat(10_001);
  expect(await message(many, edit("a", "b", true), edit("b", "c", true))).toContain(
    'edits[1]: old_string is at too many places of "a.txt"; at most 20,000 are replaced at once.',
  );
  const huge = edit("a", "x".repeat(1_000_000), true);
  expect(await messageOf(() => applyEdits(many, [huge], '"a.txt"', 1_000_000))).toMatch(
    /^With these edits "a\.txt" would have .* Nothing was changed\.$/,
  );
});
