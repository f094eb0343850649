import { expect, test } from "vitest";
import { readFile } from "./read-file.body.ts";
import { allIn, contextOf, makeWorkspace, messageOf } from "./workspace.fixture.ts";
import { writeFile } from "./write-file.body.ts";

test.each([
  ["READ\u200bME.md", "U+200B"],
  ["\ufeffa.txt", "U+FEFF"],
  ["new\u2060/a.txt", "U+2060"],
  ["a\u3164.ts", "U+3164"],
  ["gpj.\u202ets", "U+202E"],
  ["a\u{e0041}.ts", "U+E0041"],
])("a new file is not made with a character in its name that nobody sees: %j", async (path, code) => {
  const { root } = makeWorkspace({ "README.md": "x" });
  const message = await messageOf(() => writeFile({ path, content: "x" }, contextOf(root)));
  expect(message).toContain(`its name has the character ${code}, which nobody sees`);
  expect(message).not.toMatch(/[\u200b\ufeff\u2060\u3164\u202e\u{e0041}]/u);
  expect(allIn(root)).toEqual(["README.md"]);
});

test.each(["❤️.md", "👩‍👩‍👧.md", "می\u200cخواهم.md"])(
  "one that stands where it belongs is no matter: %j",
  async (path) => {
    const { root } = makeWorkspace();
    expect(await writeFile({ path, content: "x" }, contextOf(root))).toContain("Created");
  },
);

test("a file that has such a name already is read and written", async () => {
  const { root } = makeWorkspace({ "a\u200b.txt": "old" });
  const ctx = contextOf(root);
  expect(await readFile({ path: "a\u200b.txt" }, ctx)).toBe("old");
  expect(await writeFile({ path: "a\u200b.txt", content: "new" }, ctx)).toBeDefined();
});
