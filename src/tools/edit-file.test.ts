import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { editFile } from "./edit-file.body.ts";
import { readFile } from "./read-file.body.ts";
import { allIn, contextOf, inRun, makeWorkspace, messageOf } from "./workspace.fixture.ts";
import { writeFile } from "./write-file.body.ts";

const edited = async (old: string | Uint8Array, args: Omit<Parameters<typeof editFile>[0], "path">) => {
  const { root, at } = makeWorkspace({ "a.txt": old });
  const answer = await editFile({ path: "a.txt", ...args }, contextOf(root)).catch((error: Error) => error.message);
  expect(allIn(root)).toEqual(["a.txt"]);
  return { answer, now: readFileSync(at("a.txt")).toString("latin1"), text: readFileSync(at("a.txt"), "utf8") };
};

test("one edit given flat, with what it changed as the answer", async () => {
  const { answer, text } = await edited("one\ntwo\nthree\n", { old_string: "two", new_string: "2" });
  expect(text).toBe("one\n2\nthree\n");
  expect(answer).toBe(
    'Edited "a.txt" (1 replacement, +1 -1 lines).\n\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three',
  );
});

test("several edits at once, all or none", async () => {
  const edits = [
    { old_string: "one", new_string: "1" },
    { old_string: "t", new_string: "T", replace_all: true },
  ];
  const good = await edited("one\ntwo\nthree\n", { edits });
  expect(good.text).toBe("1\nTwo\nThree\n");
  expect(good.answer).toContain("(3 replacements, +3 -3 lines)");
  const bad = await edited("one\ntwo\n", { edits: [...edits, { old_string: "four", new_string: "4" }] });
  expect(bad.text).toBe("one\ntwo\n");
  expect(bad.answer).toMatch(/^edits\[2\]: old_string is not in "a.txt"\..* Nothing was changed\.$/);
});

test("mode bits stay", async () => {
  const { root, at } = makeWorkspace({ "run.sh": "a" });
  chmodSync(at("run.sh"), 0o700);
  await editFile({ path: "run.sh", old_string: "a", new_string: "b" }, contextOf(root));
  expect(statSync(at("run.sh")).mode & 0o777).toBe(0o700);
});

test("line ends and mark of the file stay, whatever the model writes", async () => {
  const crlf = await edited("\uFEFFone\r\ntwo\r\n", { old_string: "one\ntwo", new_string: "1\n2\n3" });
  expect(crlf.text).toBe("\uFEFF1\r\n2\r\n3\r\n");
  const said = await edited("one\r\ntwo\r\n", { old_string: "one\r\ntwo", new_string: "1\r\n2" });
  expect(said.text).toBe("1\r\n2\r\n");
  const lf = await edited("one\ntwo\n", { old_string: "one\r\n", new_string: "1\r\n" });
  expect(lf.text).toBe("1\ntwo\n");
  const mixed = await edited("one\r\ntwo\nthree\r\nfour\n", { old_string: "two\nthree", new_string: "two\nand\n3" });
  expect(mixed.text).toBe("one\r\ntwo\nand\r\n3\r\nfour\n");
});

test.each([
  ["at the end of new_string", "one\ntwo\n", [{ old_string: "one", new_string: "1\r" }], "1\ntwo\n"],
  ["in a file with CRLF", "one\r\ntwo\r\n", [{ old_string: "one", new_string: "1\r" }], "1\r\ntwo\r\n"],
  [
    "in a file with both",
    "one\ntwo\r\n",
    [{ old_string: "o", new_string: "0\r", replace_all: true }],
    "0\rne\ntw0\r\n",
  ],
  ["twice", "one\ntwo\n", [{ old_string: "one\n", new_string: "1\r\r\n" }], "1\ntwo\n"],
  ["of the file itself", "one\rX\ntwo\n", [{ old_string: "X", new_string: "" }], "one\ntwo\n"],
  [
    "that another edit would have to know of",
    "one\ntwo\n",
    [
      { old_string: "one", new_string: "1\r" },
      { old_string: "1\ntwo", new_string: "2" },
    ],
    "2\n",
  ],
])("a CR that would come before a line end is left out, and said to be: %s", async (_, old, edits, expected) => {
  const { answer, text } = await edited(old, { edits });
  expect(text).toBe(expected);
  expect(answer).toContain("A CR (\\r) before a line end was left out: the file keeps its own line ends.");
});

test("an edit that would do no more than that changes nothing, and a CR elsewhere is written and told", async () => {
  const none = await edited("one\ntwo\n", { old_string: "one", new_string: "one\r" });
  expect([none.text, none.answer]).toEqual([
    "one\ntwo\n",
    'A CR (\\r) before a line end is left out, as "a.txt" keeps its own line ends, so there is nothing to change.',
  ]);
  const alone = await edited("one two\n", { old_string: "one", new_string: "1\r" });
  expect(alone.text).toBe("1\r two\n");
  expect(alone.answer).toContain("It has a CR (\\r) more that ends no line here.");
  // Where the file has such ends already, what is given is written.
  const odd = await edited("one\r\r\ntwo\n", { old_string: "two", new_string: "2\r" });
  expect(odd.text).toBe("one\r\r\n2\r\n");
  expect(odd.answer).toContain("It has a CR (\\r) more that ends no line here.");
  expect((await edited("a\rb\n", { old_string: "b", new_string: "c" })).answer).not.toContain("CR");
});

test("a file that is no UTF-8 text is refused and stays as it is", async () => {
  const latin = await edited(Buffer.from("caf\xe9 one", "latin1"), { old_string: "one", new_string: "1" });
  expect([latin.answer, latin.now]).toEqual(['"a.txt" is not UTF-8 text, so it cannot be edited.', "caf\xe9 one"]);
  const binary = await edited(Buffer.from("one\0"), { old_string: "one", new_string: "1" });
  expect([binary.answer, binary.now]).toEqual([
    '"a.txt" is a binary file (of unknown kind), so it cannot be edited.',
    "one\0",
  ]);
});

test("arguments that say nothing, or too much", async () => {
  const answer = async (args: object) => (await edited("one", args)).answer;
  expect(await answer({})).toContain("There is no edit");
  expect(await answer({ edits: [] })).toContain("There is no edit");
  expect(await answer({ old_string: "one" })).toContain("new_string is missing");
  expect(await answer({ new_string: "one" })).toContain("old_string is missing");
  expect(await answer({ old_string: "", new_string: "x" })).toContain("old_string is empty");
  expect(await answer({ old_string: "a", new_string: "a" })).toContain("are equal");
  expect(await answer({ old_string: "a\r\n", new_string: "a\n" })).toContain("are equal");
  expect(await answer({ old_string: "one", new_string: "\ud800" })).toContain("new_string has half of a character");
  // It would be found in a character that has it as a half, and what is left of that is no text.
  const half = await edited("😀", { old_string: "\ud83d", new_string: "x" });
  expect([half.text, half.answer]).toEqual(["😀", expect.stringContaining("old_string has half of a character")]);
  const both = { old_string: "one", new_string: "1", edits: [{ old_string: "one", new_string: "1" }] };
  expect(await answer(both)).toContain("not both");
});

test("a file that is not there is told with the names that are near", async () => {
  const { root } = makeWorkspace({ "src/index.ts": "" });
  const args = { path: "src/index.js", old_string: "a", new_string: "b" };
  expect(await messageOf(() => editFile(args, contextOf(root)))).toContain('Did you mean "src/index.ts"?');
  expect(await messageOf(() => editFile({ ...args, path: "new/a.ts" }, contextOf(root)))).toContain("does not exist");
  expect(allIn(root)).toEqual(["src", "src/index.ts"]);
});

test("a file that somebody else has changed since it was read is not edited; one that was never read is", async () => {
  const { root, at } = makeWorkspace({ "a.txt": "one two", "b.txt": "one" });
  await inRun(root, async (ctx) => {
    await readFile({ path: "a.txt" }, ctx);
    writeFileSync(at("a.txt"), "one three");
    const edit = (path: string) => editFile({ path, old_string: "one", new_string: "1" }, ctx);
    expect(await messageOf(() => edit("a.txt"))).toContain("was changed by somebody else since you read it");
    expect(readFileSync(at("a.txt"), "utf8")).toBe("one three");
    await edit("b.txt");
  });
  expect(readFileSync(at("b.txt"), "utf8")).toBe("1");
});

test("it goes nowhere else than write_file does", async () => {
  const { root, outside, at } = makeWorkspace({ ".github/x.yml": "private words", ".env": "private words" });
  symlinkSync(join(outside, "private.txt"), at("link"));
  for (const path of ["link", "../outside/private.txt", ".github/x.yml", ".env"]) {
    const args = { path, old_string: "private", new_string: "public" };
    expect(await messageOf(() => editFile(args, contextOf(root)))).toMatch(/outside|is not written/);
  }
  expect(readFileSync(join(outside, "private.txt"), "utf8")).toBe("private words\n");
  expect(readFileSync(at(".env"), "utf8")).toBe("private words");
});

test("after an edit the run knows of the file what it knew before", async () => {
  const { root, at } = makeWorkspace({ "read.txt": "one two", "unread.txt": "one two" });
  await inRun(root, async (ctx) => {
    await readFile({ path: "read.txt" }, ctx);
    for (const path of ["read.txt", "unread.txt"]) {
      await editFile({ path, old_string: "one", new_string: "1" }, ctx);
      await editFile({ path, old_string: "1", new_string: "uno" }, ctx);
    }
    await writeFile({ path: "read.txt", content: "2" }, ctx);
    expect(await messageOf(() => writeFile({ path: "unread.txt", content: "2" }, ctx))).toBe(
      '"unread.txt" was edited in this run, but not all of it was read, so it is not replaced: what you have not seen would be lost. Read it first, or change a part of it with edit_file.',
    );
  });
  expect([readFileSync(at("read.txt"), "utf8"), readFileSync(at("unread.txt"), "utf8")]).toEqual(["2", "uno two"]);
});

test("edits that would make it a binary file are refused", async () => {
  const { answer, text } = await edited("one two", { old_string: "one", new_string: "1\0" });
  expect([answer, text]).toEqual([
    'With these edits "a.txt" would have a NUL character, and be no text any more. Leave it out. Nothing was changed.',
    "one two",
  ]);
});

test("more edits than can be made in a short time are refused", async () => {
  const old = Array.from({ length: 400_000 }, (_, i) => `line ${i}\n`).join("");
  const edits = Array.from({ length: 101 }, (_, i) => ({ old_string: `line ${i}\n`, new_string: `LINE ${i}\n` }));
  expect((await edited(old, { edits })).answer).toContain("There are 101 edits; at most 100 are made at once.");
  const big = await edited(old, { edits: edits.slice(1) });
  expect(big.answer).toMatch(
    /too many edits for a file of this size\. Give at most 6 at once\. Nothing was changed\.$/,
  );
  expect((await edited(old, { edits: edits.slice(0, 3) })).answer).toContain("3 replacements, +3 -3 lines");
});
