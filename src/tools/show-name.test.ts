import fc from "fast-check";
import { expect, test } from "vitest";
import type { ToolContext } from "../menu/context.ts";
import { listDir } from "./list-dir.body.ts";
import { readFile } from "./read-file.body.ts";
import { showBytes, showName, showPath } from "./show-name.ts";
import { contextOf, makeWorkspace, messageOf } from "./workspace.fixture.ts";
import { writeFile } from "./write-file.body.ts";

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

test("a path in an error is cut in its middle if it is very long", () => {
  expect(showPath("a/b.txt\n")).toBe("a/b.txt\\n");
  expect(showPath("x".repeat(200))).toBe("x".repeat(200));
  const long = showPath(`begin/${"x".repeat(5_000)}/end.ts`);
  expect(long).toMatch(/^begin\/x+…x+\/end\.ts$/);
  expect(long).toHaveLength(200);
});

test("no error of the tools for files repeats a very long path", async () => {
  const { root } = makeWorkspace({ "a.txt": "" });
  for (const path of [
    "x/".repeat(9_000),
    `${"x".repeat(50_000)}`,
    `a.txt/${"x".repeat(3_000)}`,
    `~${"x".repeat(9_000)}`,
  ])
    for (const work of [
      readFile,
      listDir,
      (args: { path: string }, ctx: ToolContext) => writeFile({ ...args, content: "" }, ctx),
    ])
      expect((await messageOf(() => work({ path }, contextOf(root)))).length).toBeLessThan(700);
});
