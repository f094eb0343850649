import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readFile } from "./read-file.body.ts";
import { contextOf, makeWorkspace } from "./workspace.fixture.ts";
import { writeFile } from "./write-file.body.ts";

async function written(old: string, content: string) {
  const { root, at } = makeWorkspace({ "a.txt": old });
  const answer = await writeFile({ path: "a.txt", content }, contextOf(root));
  return { now: readFileSync(at("a.txt"), "utf8"), answer };
}

test("a file with both kinds of line ends keeps those of the lines that stay", async () => {
  const { now, answer } = await written("\uFEFFone\r\ntwo\nthree\r\nfour\n", "one\n2\nthree\nnew\nfour\n");
  expect(now).toBe("\uFEFFone\r\n2\nthree\r\nnew\r\nfour\n");
  expect(answer).toContain("Some lines end with CRLF and some with LF, as before.");
});

test("the same content is not written, and content that says line ends itself is taken as it is", async () => {
  expect((await written("one\r\ntwo\n", "one\ntwo\n")).answer).toContain("has this content already");
  expect((await written("one\r\ntwo\n", "one\r\ntwo\r\n")).now).toBe("one\r\ntwo\r\n");
});

test("sizes are those of the file", async () => {
  expect((await written("\uFEFFa\r\nb\r\n", "a\nbc\n")).answer).toBe(
    'Replaced "a.txt" (2 lines, 10 bytes; before: 2 lines, 9 bytes). Lines end with CRLF, as before.',
  );
});

test("a read says how the lines of the file end, whichever are shown", async () => {
  const { root } = makeWorkspace({ "a.txt": "one\r\ntwo\nthree\n" });
  const note = "Lines of the file end partly with LF, partly with CRLF (mixed), shown as LF.";
  expect(await readFile({ path: "a.txt" }, contextOf(root))).toBe(`one\ntwo\nthree\n\n[${note}]`);
  expect(await readFile({ path: "a.txt", offset: 3 }, contextOf(root))).toContain(note);
});
