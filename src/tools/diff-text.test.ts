import { applyPatch } from "diff";
import fc from "fast-check";
import { expect, test } from "vitest";
import { diffText } from "./diff-text.ts";

test("a unified diff with three lines around", () => {
  const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
  expect(diffText(before, before.replace("5", "five"), { path: "a/b.txt" })).toEqual({
    text: "--- a/a/b.txt\n+++ b/a/b.txt\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8",
    added: 1,
    removed: 1,
  });
});

test("a new file, an emptied one, an equal one", () => {
  expect(diffText(undefined, "a\nb\n", { path: "x" }).text).toBe("--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n+b");
  expect(diffText("a\n", "", { path: "x" }).text).toBe("--- a/x\n+++ b/x\n@@ -1 +0,0 @@\n-a");
  expect(diffText("a\n", "a\n", { path: "x" })).toEqual({ text: "", added: 0, removed: 0 });
});

test("it is never longer than it may be, and says what is missing", () => {
  const { text, added } = diffText("", `${"x".repeat(500)}\n`.repeat(1_000), { path: "x", maxLines: 5, maxWidth: 20 });
  const rows = text.split("\n");
  expect(rows).toHaveLength(8);
  expect(rows[3]).toBe(`+${"x".repeat(19)} … [481 more characters]`);
  expect(rows[7]).toBe("… 996 more lines of the diff");
  expect(added).toBe(1_000);
});

test("of two large texts with nothing in common all lines count as changed", () => {
  const before = Array.from({ length: 30_000 }, (_, i) => `old ${i}\n`).join("");
  const after = Array.from({ length: 30_000 }, (_, i) => `new ${i}\n`).join("");
  const found = diffText(`same\n${before}`, `same\n${after}`, { path: "x", maxLines: 3 });
  expect(found).toMatchObject({ added: 30_000, removed: 30_000 });
  expect(found.text).toContain("@@ -1,30001 +1,30001 @@\n same\n-old 0\n");
});

test("a name cannot break out of its line", () => {
  expect(diffText("a", "b", { path: "x\n+y" }).text.split("\n")[0]).toBe("--- a/x\\n+y");
});

test("applied to the old text it gives the new one", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 }).map((all) => all.join("\n"));
  fc.assert(
    fc.property(text, text, fc.nat(3), (before, after, context) => {
      const { text: patch } = diffText(before, after, { path: "x", context, maxLines: 1_000 });
      if (before !== after) expect(applyPatch(before, `${patch}\n`)).toBe(after);
    }),
    { numRuns: 500 },
  );
});
