import { readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type GrepArguments, grep } from "./grep.body.ts";
import { contextOf, makeWorkspace, messageOf } from "./workspace.fixture.ts";

const tree = {
  ".gitignore": "dist/",
  "src/a.ts": "one\ntwo needle\nthree\nfour\nfive\nNeedle six\n",
  "src/b.js": "needle\r\nno\r\n",
  "docs/c.md": "\uFEFFneedle at the start",
  "dist/a.js": "needle",
  ".git/x": "needle",
  "node_modules/p/i.js": "needle",
  ".env": "needle",
  "data.bin": "needle\0",
};
const search = (root: string, pattern: string, more: Omit<GrepArguments, "pattern"> = {}) =>
  grep({ pattern, ...more }, contextOf(root));

test("shows matching lines with their path and number, and what was not searched", async () => {
  const { root } = makeWorkspace(tree);
  expect(await search(root, "needle")).toBe(
    "docs/c.md:1:needle at the start\nsrc/a.ts:2:two needle\nsrc/b.js:1:needle\n\n[Not searched: binary: 1; secret: 1.]",
  );
});

test.each<[string, Partial<GrepArguments>, string]>([
  [
    "the case can be ignored",
    { pattern: "NEEDLE", ignore_case: true, path: "src/a.ts" },
    "src/a.ts:2:two needle\nsrc/a.ts:6:Needle six",
  ],
  ["a folder limits the search", { path: "docs" }, "docs/c.md:1:needle at the start"],
  ["a glob without a slash is about names", { glob: "*.ts" }, "src/a.ts:2:two needle"],
  ["a glob with a slash is relative to the path", { glob: "src/*.js" }, "src/b.js:1:needle"],
  ["a glob is relative to the path", { path: "src", glob: "./*.js" }, "src/b.js:1:needle"],
  ["an ignored folder that is named is searched", { path: "dist" }, "dist/a.js:1:needle"],
  ["an ignored folder in the glob is searched", { glob: "node_modules/**" }, "node_modules/p/i.js:1:needle"],
  ["anchors are about lines", { pattern: "^needle$", path: "src" }, "src/b.js:1:needle"],
  [
    "context is shown with dashes",
    { path: "src/a.ts", context: 1 },
    "src/a.ts-1-one\nsrc/a.ts:2:two needle\nsrc/a.ts-3-three",
  ],
  [
    "neighbouring context is joined",
    { pattern: "two|four", path: "src/a.ts", context: 1 },
    "src/a.ts-1-one\nsrc/a.ts:2:two needle\nsrc/a.ts-3-three\nsrc/a.ts:4:four\nsrc/a.ts-5-five",
  ],
  [
    "distant context is kept apart",
    { pattern: "one|six", path: "src/a.ts", context: 1 },
    "src/a.ts:1:one\nsrc/a.ts-2-two needle\n--\nsrc/a.ts-5-five\nsrc/a.ts:6:Needle six",
  ],
  [
    "files are kept apart too",
    { path: "src", context: 1 },
    "src/a.ts-1-one\nsrc/a.ts:2:two needle\nsrc/a.ts-3-three\n--\nsrc/b.js:1:needle\nsrc/b.js-2-no",
  ],
  ["files only", { output: "files", path: "src" }, "src/a.ts\nsrc/b.js"],
  ["counts", { pattern: "e", output: "count", path: "src" }, "src/a.ts: 5\nsrc/b.js: 1\n6 lines in 2 files"],
  ["unicode classes", { pattern: "^\\p{Lu}", path: "src/a.ts" }, "src/a.ts:6:Needle six"],
  ["escapes that unicode mode forbids", { pattern: "two\\ needle\\-?", path: "src/a.ts" }, "src/a.ts:2:two needle"],
])("%s", async (_, args, expected) => {
  const { root } = makeWorkspace(tree);
  const text = await grep({ pattern: "needle", ...args }, contextOf(root));
  expect(text.replace(/\n\n\[Not searched.*\]$/, "")).toBe(expected);
});

test("nothing found says how much was searched", async () => {
  const { root } = makeWorkspace({ "a.txt": "a\nb", "b.txt": "" });
  expect(await search(root, "zzz")).toBe("[No match for /zzz/ in 2 files.]");
  expect(await search(root, "a\\nb")).toContain("a pattern with a line break never matches");
  expect(await search(root, "a", { glob: "*.md" })).toBe("[No match for /a/ in 0 files.]");
});

test("as many matches as wanted are shown, and that there are more", async () => {
  const { root } = makeWorkspace({ "a.txt": "x\n".repeat(5), "b.txt": "x\n".repeat(5) });
  const more = /\n\n\[There are more matches than are shown/;
  expect(await search(root, "x", { max: 3 })).toMatch(/^a.txt:1:x\na.txt:2:x\na.txt:3:x\n\n\[There are more/);
  expect((await search(root, "x", { max: 7 })).split(more)[0]?.split("\n")).toHaveLength(7);
  expect(await search(root, "x", { max: 5 })).toMatch(more);
  expect(await search(root, "x", { max: 10 })).not.toMatch(more);
  expect(await search(root, "x", { max: 1, output: "files" })).toMatch(/^a.txt\n\n\[There are more/);
});

test("the result is bounded in characters, and long lines show what is around the match", async () => {
  const { root } = makeWorkspace({
    "a.txt": `${"x".repeat(10_000)}needle${"y".repeat(10_000)}\n`,
    "b.txt": `${"z".repeat(390)}\n`.repeat(1_000),
  });
  const text = await search(root, "needle");
  expect(text).toMatch(/^a\.txt:1:… x{100}needley{294} …$/);
  const long = await search(root, "z", { max: 2_000 });
  expect(long.length).toBeLessThan(28_300);
  expect(long).toContain("There are more matches");
});

test("files of more than 5 MB are named, not searched; a file of its own size is", async () => {
  const { root } = makeWorkspace({
    "big.log": "x\n".repeat(3_000_000),
    "fits.log": `${"x\n".repeat(2_000_000)}needle`,
  });
  expect(await search(root, "needle")).toBe("fits.log:2000001:needle\n\n[Not searched: larger than 5 MB: big.log.]");
});

test("many files in many batches are all searched, in order", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, n) => [
      `d${n % 7}/f${String(n).padStart(3, "0")}`,
      `${"filler\n".repeat(1_000)}needle ${n}\n`,
    ]),
  );
  const { root } = makeWorkspace(files);
  const lines = (await search(root, "needle", { max: 2_000 })).split("\n");
  expect(lines).toHaveLength(300);
  expect(lines.map((line) => line.split(":")[0])).toEqual(Object.keys(files).sort());
  expect(lines.every((line) => line.includes(":1001:needle "))).toBe(true);
});

test("nothing outside is searched", async () => {
  const { root, outside, at } = makeWorkspace({ "a.txt": "words" });
  symlinkSync(outside, at("folder"));
  symlinkSync(`${outside}/private.txt`, at("file"));
  symlinkSync("a.txt", at("again"));
  expect(await search(root, "words")).toBe("a.txt:1:words");
  for (const path of ["folder", "file", "..", outside])
    expect(await messageOf(() => search(root, "words", { path }))).toContain("outside of the workspace");
});

test("a file that is named but cannot be searched is an error; a binary one is said to be skipped", async () => {
  const { root } = makeWorkspace(tree);
  expect(await messageOf(() => search(root, "needle", { path: ".env" }))).toContain("is not read");
  expect(await messageOf(() => search(root, "needle", { path: "src/z.ts" }))).toContain("does not exist");
  expect(await search(root, "needle", { path: "data.bin" })).toBe(
    "[No match for /needle/ in 0 files. Not searched: binary: 1.]",
  );
});

test("names that are not UTF-8 are counted as unreadable and break nothing", async () => {
  const { root, at } = makeWorkspace({ "a\nb": "needle" });
  writeFileSync(Buffer.concat([Buffer.from(at("caf")), Buffer.from([0xe9])]), "needle");
  expect(await search(root, "needle")).toBe("a\\nb:1:needle\n\n[Not searched: unreadable: 1.]");
});

test.each([
  ["(foo", "Unterminated group"],
  ["(?i)foo", "use ignore_case"],
  ["", "is empty"],
  ["x".repeat(6_000), "5,000 characters"],
])("%j is no pattern", async (pattern, problem) => {
  const { root } = makeWorkspace();
  expect(await messageOf(() => search(root, pattern))).toContain(problem);
});

test("a pattern that would run forever is stopped while everything else goes on", async () => {
  const { root } = makeWorkspace({ "before.txt": "aaa", "evil.txt": `${"a".repeat(5_000)}b` });
  let turns = 0;
  const timer = setInterval(() => turns++, 5);
  const message = await messageOf(() => grep({ pattern: "(a+)+$" }, contextOf(root), 300));
  clearInterval(timer);
  expect(message).toContain('The search was stopped: the pattern /(a+)+$/ takes too long on "evil.txt"');
  expect(turns).toBeGreaterThan(5);
});

test("a signal stops a search in the middle of a match, and before it begins", async () => {
  const { root } = makeWorkspace({ "evil.txt": `${"a".repeat(5_000)}b` });
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error("enough")), 200);
  expect(await messageOf(() => grep({ pattern: "(a+)+$" }, contextOf(root, controller.signal), 60_000))).toBe("enough");
  expect(await messageOf(() => grep({ pattern: "a" }, contextOf(root, AbortSignal.abort(new Error("before")))))).toBe(
    "before",
  );
});

test("a pattern that runs out of memory is an error that names the file", async () => {
  const { root } = makeWorkspace({ "a.txt": "a", "b.txt": "ab".repeat(2_600_000) });
  const message = await messageOf(() => search(root, "^((a)|(b)|(c)|(d))*[x]"));
  expect(message).toMatch(/ failed on "b\.txt": .+\. Use a simpler one\.$/);
});

test.runIf(process.platform === "linux")("no thread is left behind, however a search ends", async () => {
  const { root } = makeWorkspace({ "evil.txt": `${"a".repeat(5_000)}b` });
  const threads = () => readdirSync("/proc/self/task").length;
  await search(root, "a");
  const before = threads();
  for (let n = 0; n < 6; n++) {
    await search(root, "a");
    await messageOf(() => grep({ pattern: "(a+)+$" }, contextOf(root), 20));
  }
  // The pool that reads files may have grown meanwhile.
  expect(threads() - before).toBeLessThan(6);
});

test("no name is suggested that would be refused", async () => {
  const { root, outside, at } = makeWorkspace({ ".ssx/a": "", ".ssh/id": "", ".env": "", notes: "" });
  symlinkSync(`${outside}/private.txt`, at("note1"));
  symlinkSync(".env", at("note2"));
  const message = (path: string, allowed = {}) =>
    messageOf(() => grep({ pattern: "x", path }, contextOf(root, undefined, allowed)));
  expect(await message(".ssj")).toMatch(/ Did you mean "\.ssx"\?$/);
  expect(await message("note")).toMatch(/ Did you mean "notes"\?$/);
  expect(await message(".en")).not.toContain(".env");
  expect(await message(".en", { allowSecrets: true })).toContain('Did you mean ".env"?');
});
