import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { makeWorkspace } from "../tools/workspace.fixture.ts";
import { previewOf } from "./preview.ts";

const confined = (workspace: string) => ({ workspace, allowSecrets: false, allowUnsafePaths: false });

test("a write is shown as what it changes, and nothing is written", () => {
  const { root, at } = makeWorkspace({ "a.txt": "one\r\ntwo\r\n" });
  const show = (name: string, args: unknown) => previewOf(name, args, confined(root));
  expect(show("write_file", { path: "new/b.txt", content: "x\n" })).toBe(
    "--- /dev/null\n+++ b/new/b.txt\n@@ -0,0 +1 @@\n+x",
  );
  expect(show("write_file", { path: "a.txt", content: "one\nthree\n" })).toMatch(/\n one\n-two\n\+three$/);
  expect(show("edit_file", { path: "a.txt", old_string: "two", new_string: "2" })).toMatch(/\n one\n-two\n\+2$/);
  expect(readFileSync(at("a.txt"), "utf8")).toBe("one\r\ntwo\r\n");
});

test("a call that will fail, and other tools, have none", () => {
  const { root, outside, at } = makeWorkspace({ "a.txt": "one\n", ".env": "KEY=1", "b.bin": "a\0b" });
  symlinkSync(`${outside}/private.txt`, at("link.txt"));
  mkdirSync(at("folder"));
  writeFileSync(at("huge.txt"), "x".repeat(11e6));
  const show = (name: string, args: unknown) => previewOf(name, args, confined(root));
  for (const path of [
    ".env",
    "../x.txt",
    "link.txt",
    "folder",
    "b.bin",
    "huge.txt",
    ".git/hooks/x",
    "",
    5,
    undefined,
  ]) {
    expect([path, show("write_file", { path, content: "x" })]).toEqual([path, undefined]);
  }
  expect(show("edit_file", { path: "a.txt", old_string: "none", new_string: "x" })).toBeUndefined();
  expect(show("edit_file", { path: "gone.txt", old_string: "one", new_string: "x" })).toBeUndefined();
  expect(show("write_file", { path: "a.txt", content: "one\n" })).toBeUndefined();
  expect(show("write_file", undefined)).toBeUndefined();
  expect(show("read_file", { path: "a.txt" })).toBeUndefined();
});
