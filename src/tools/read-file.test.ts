import { closeSync, ftruncateSync, openSync, symlinkSync, writeSync } from "node:fs";
import { expect, test } from "vitest";
import { type ReadFileArguments, readFile } from "./read-file.body.ts";
import { contextOf, makeWorkspace, messageOf } from "./workspace.fixture.ts";

async function read(content: string | Uint8Array, args: Omit<ReadFileArguments, "path"> = {}): Promise<string> {
  const { root } = makeWorkspace({ "a.txt": content });
  return await readFile({ path: "a.txt", ...args }, contextOf(root));
}
const numbered = (count: number, width = 0) =>
  Array.from({ length: count }, (_, n) => `${n + 1}`.padEnd(width, ".")).join("\n");

test("a text file is shown as it is", async () => {
  expect(await read("one\n two\n\nthree 😀\n")).toBe("one\n two\n\nthree 😀\n");
  expect(await read("no line end")).toBe("no line end");
  expect(await read("\n\n")).toBe("\n\n");
});

test("an empty file says so, one with only a mark is empty text", async () => {
  expect(await read("")).toBe("[The file is empty.]");
  expect(await read("\uFEFF")).toBe("");
});

test("a byte order mark is dropped and CRLF is shown as LF, with a note", async () => {
  expect(await read("\uFEFFa\r\nb\r\n")).toBe("a\nb\n\n[Lines of the file end with CRLF, shown as LF.]");
});

test("a part of a file says which part it is and how to go on", async () => {
  const ten = `${numbered(10)}\n`;
  expect(await read(ten, { limit: 2 })).toBe("1\n2\n\n[Lines 1 to 2 of 10. Go on with offset 3.]");
  expect(await read(ten, { offset: 4, limit: 3 })).toBe("4\n5\n6\n\n[Lines 4 to 6 of 10. Go on with offset 7.]");
  expect(await read(ten, { offset: 9 })).toBe("9\n10\n\n[Lines 9 to 10 of 10. This is the end of the file.]");
  expect(await read(ten, { limit: 10 })).toBe(ten);
});

test("at most 2,000 lines and 28,000 characters are shown, and the parts make up the whole", async () => {
  expect(await read(numbered(2_500))).toMatch(/\n2000\n\n\[Lines 1 to 2,000 of 2,500\. Go on with offset 2001\.\]$/);
  const { root } = makeWorkspace({ "a.txt": numbered(1_000, 100) });
  let [whole, offset] = ["", 1];
  for (let parts = 0; offset > 0; parts++) {
    const part = await readFile({ path: "a.txt", offset }, contextOf(root));
    expect(part.length).toBeLessThan(28_300);
    whole += `${part.slice(0, part.indexOf("\n\n["))}\n`;
    offset = Number(/Go on with offset (\d+)/.exec(part)?.[1] ?? 0);
    expect(parts).toBeLessThan(5);
  }
  expect(whole).toBe(`${numbered(1_000, 100)}\n`);
});

test("a long line is cut with a mark", async () => {
  expect(await read(`a\n${"x".repeat(9_000)}\nb`)).toBe(`a\n${"x".repeat(2_000)} … [line cut: it has 9,000 bytes]\nb`);
});

test("an offset behind the end says how many lines there are", async () => {
  expect(await messageOf(() => read("a\nb\n", { offset: 3 }))).toBe(
    '"a.txt" has only 2 lines, so there is nothing from line 3 on.',
  );
  expect(await messageOf(() => read("a", { offset: 1_000 }))).toBe(
    '"a.txt" has only 1 line, so there is nothing from line 1,000 on.',
  );
});

test("a binary file is refused with its size and kind", async () => {
  const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(2_000)]);
  expect(await messageOf(() => read(png))).toBe(
    '"a.txt" is a binary file (2.0 KB, a PNG image); only text can be read.',
  );
  expect(await messageOf(() => read(Buffer.from("\uFEFFhi", "utf16le")))).toContain("UTF-16 text");
  expect(await messageOf(() => read("a\0b"))).toContain("(3 bytes, of unknown kind)");
});

test("text that is not UTF-8 is shown with replacements and a note", async () => {
  expect(await read(Buffer.from("café\n", "latin1"))).toBe(
    "caf\uFFFD\n\n[The file is not all UTF-8; bytes that are not text are shown as \uFFFD.]",
  );
});

test("a file of gigabytes is not loaded, and its lines are not all counted", async () => {
  const { root, at } = makeWorkspace();
  const fd = openSync(at("huge.log"), "w");
  writeSync(fd, `${"x".repeat(50)}\n`.repeat(1_000));
  ftruncateSync(fd, 20 * 1024 ** 3);
  closeSync(fd);
  const before = process.memoryUsage().rss;
  const text = await readFile({ path: "huge.log", limit: 1 }, contextOf(root));
  expect(text).toBe(
    `${"x".repeat(50)}\n\n[Lines 1 to 1 of at least 1,001 (the file has 20.0 GB). Go on with offset 2.]`,
  );
  expect(process.memoryUsage().rss - before).toBeLessThan(150e6);
});

test("reading stops when the signal fires", async () => {
  const { root, at } = makeWorkspace({ "a.txt": "a" });
  const fd = openSync(at("huge.log"), "w");
  writeSync(fd, "x\n".repeat(10_000));
  ftruncateSync(fd, 500 * 1024 ** 3);
  closeSync(fd);
  const controller = new AbortController();
  const reading = readFile({ path: "huge.log", offset: 1_000_000 }, contextOf(root, controller.signal));
  setTimeout(() => controller.abort(new Error("enough")), 20);
  expect(await messageOf(() => reading)).toBe("enough");
  expect(
    await messageOf(() => readFile({ path: "a.txt" }, contextOf(root, AbortSignal.abort(new Error("before"))))),
  ).toBe("before");
});

test("what cannot be read says why", async () => {
  const { root, outside, at } = makeWorkspace({ "src/a.ts": "", ".env": "KEY=1" });
  symlinkSync(`${outside}/private.txt`, at("link.txt"));
  const message = (path: string) => messageOf(() => readFile({ path }, contextOf(root)));
  expect(await message("src")).toContain("Use list_dir");
  expect(await message("src/b.ts")).toContain('Did you mean "src/a.ts"?');
  expect(await message("src/a.ts/x")).toContain('"src/a.ts" is a file, not a folder');
  expect(await message(".env")).toContain("is not read");
  expect(await message("link.txt")).toContain("outside of the workspace");
});
