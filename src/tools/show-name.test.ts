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
  ["READ\u200bME.md", "READ\\u200bME.md"],
  ["\ufeffa.txt", "\\ufeffa.txt"],
  ["a\u00ad\u034f\u2060\u3164\u115f\uffa0\ufff9", "a\\xad\\u034f\\u2060\\u3164\\u115f\\uffa0\\ufff9"],
  ["a\u200d\u200c\ufe0f\u{e0041}\u{e0100}", "a\\u200d\\u200c\\ufe0f\\u{e0041}\\u{e0100}"],
  ["1\ufe0f", "1\\ufe0f"],
  ["\u{1f3f4}\u{e0067}", "\u{1f3f4}\\u{e0067}"],
])("%j is shown as %j", (name, shown) => {
  expect(showName(name)).toBe(shown);
});

test.each([
  "❤️ 1️⃣ 👩‍👩‍👧 👩🏽‍💻 🏳️‍🌈.txt",
  "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
  "می\u200cخواهم",
  "क्\u200dष",
  "葛\u{e0100}城",
  "ᠠ\u180b",
])("%j is shown as it is: nothing in it is there for nobody to see", (name) => {
  expect(showName(name)).toBe(name);
  expect(showBytes(Buffer.concat([Buffer.from(name), Buffer.from([0xff]), Buffer.from(name)]))).toBe(
    `${name}\\xff${name}`,
  );
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
