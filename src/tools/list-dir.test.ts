import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { glob } from "./glob.body.ts";
import { grep } from "./grep.body.ts";
import { listDir } from "./list-dir.body.ts";
import { contextOf, makeWorkspace, messageOf } from "./workspace.fixture.ts";

test("shows everything in a folder, sorted, each by its kind", async () => {
  const { root, outside, at } = makeWorkspace({
    "b.txt": "12345",
    ".hidden": "",
    ".gitignore": "b.txt",
    "a/x": "",
    ".git/HEAD": "",
    ".env": "K=1",
    "z.bin": new Uint8Array(3_000),
  });
  symlinkSync("a", at("inside"));
  symlinkSync("a/x", at("l.txt"));
  symlinkSync(outside, at("out"));
  symlinkSync("nowhere", at("dangling"));
  execFileSync("mkfifo", [at("pipe")]);
  expect((await listDir({}, contextOf(root))).split("\n")).toEqual([
    ".env (3 bytes, secret, cannot be read)",
    ".git/",
    ".gitignore (5 bytes)",
    ".hidden (0 bytes)",
    "a/",
    "b.txt (5 bytes)",
    "dangling -> (outside of the workspace, or missing)",
    "inside -> a/",
    "l.txt -> a/x",
    "out -> (outside of the workspace, or missing)",
    "pipe (a named pipe, cannot be read)",
    "z.bin (2.9 KB)",
  ]);
  expect(await listDir({ path: "inside" }, contextOf(root))).toBe("x (0 bytes)");
  expect(await listDir({ path: ".git" }, contextOf(root))).toBe("HEAD (0 bytes)");
});

test("an empty folder says so", async () => {
  const { root, at } = makeWorkspace();
  mkdirSync(at("empty"));
  expect(await listDir({ path: "empty" }, contextOf(root))).toBe("[The folder is empty.]");
});

test("odd names are one visible line, with their size", async () => {
  const { root, at } = makeWorkspace({ "a\nb.txt": "1" });
  writeFileSync(Buffer.concat([Buffer.from(at("caf")), Buffer.from([0xe9])]), "22");
  expect(await listDir({}, contextOf(root))).toBe("a\\nb.txt (1 byte)\ncaf\\xe9 (2 bytes)");
});

test("a large folder is cut with a note", async () => {
  const tree = Object.fromEntries(Array.from({ length: 1_010 }, (_, n) => [`f${String(n).padStart(4, "0")}`, ""]));
  const { root } = makeWorkspace(tree);
  const lines = (await listDir({}, contextOf(root))).split("\n");
  expect(lines).toHaveLength(1_002);
  expect(lines.at(-1)).toBe("[1000 of 1,010 entries. glob finds the others by a pattern.]");
});

test("long names are bounded in characters too", async () => {
  const tree = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`${"n".repeat(200)}${n}`, ""]));
  const { root } = makeWorkspace(tree);
  const text = await listDir({}, contextOf(root));
  expect(text.length).toBeLessThan(28_200);
  expect(text).toMatch(/\[\d+ of 300 entries/);
});

test("a file, a missing folder, one outside and one of keys are errors", async () => {
  const { root } = makeWorkspace({ "src/a.ts": "", ".ssh/known_hosts": "" });
  const message = (path: string) => messageOf(() => listDir({ path }, contextOf(root)));
  expect(await message("src/a.ts")).toContain("Use read_file");
  expect(await message("scr")).toContain('Did you mean "src"?');
  expect(await message("..")).toContain("outside of the workspace");
  expect(await message(".ssh")).toContain("is not read");
});

test("an aborted call does nothing", async () => {
  const { root } = makeWorkspace();
  expect(await messageOf(() => listDir({}, contextOf(root, AbortSignal.abort(new Error("enough")))))).toBe("enough");
});

test("an empty text for an optional path is none, as small models write it", async () => {
  const { root } = makeWorkspace({ "a.txt": "TODO" });
  expect(await listDir({ path: "" }, contextOf(root))).toBe("a.txt (4 bytes)");
  expect(await glob({ pattern: "*.txt", path: "" }, contextOf(root))).toBe("a.txt");
  expect(await grep({ pattern: "TODO", path: "", glob: "" }, contextOf(root))).toContain("a.txt");
});
