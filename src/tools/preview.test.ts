import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { editFile } from "./edit-file.body.ts";
import { previewWrite } from "./preview.ts";
import { allIn, contextOf, makeWorkspace, messageOf } from "./workspace.fixture.ts";
import { openWorkspace } from "./workspace.ts";
import { writeFile } from "./write-file.body.ts";

const write = (path: string, content: string) => ({ name: "write_file", arguments: { path, content } }) as const;

test("a new file, one that is replaced, one that is edited; nothing is changed", () => {
  const { root } = makeWorkspace({ "a.txt": "one\r\ntwo\r\n" });
  const workspace = openWorkspace(root);
  expect(previewWrite(write("new/b.txt", "x\n"), workspace)).toEqual({
    text: "--- /dev/null\n+++ b/new/b.txt\n@@ -0,0 +1 @@\n+x",
    added: 1,
    removed: 0,
  });
  expect(previewWrite(write("a.txt", "one\n2\n"), workspace).text).toContain("\n one\n-two\n+2");
  const edit = { name: "edit_file", arguments: { path: "a.txt", old_string: "one", new_string: "1" } } as const;
  expect(previewWrite(edit, workspace).text).toBe("--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-one\n+1\n two");
  expect(allIn(root)).toEqual(["a.txt"]);
});

test("what cannot be written says why", async () => {
  const { root } = makeWorkspace({ ".env": "KEY=1\n" });
  const workspace = openWorkspace(root);
  const opened = openWorkspace(root, { allowSecrets: true });
  expect(await messageOf(() => previewWrite(write(".env", "x"), workspace))).toContain("secrets");
  expect(await messageOf(() => previewWrite(write("../x", "x"), workspace))).toContain("outside of the workspace");
  const edit = { name: "edit_file", arguments: { path: "b.txt", old_string: "a", new_string: "b" } } as const;
  expect(await messageOf(() => previewWrite(edit, workspace))).toContain("does not exist");
  expect(await messageOf(() => previewWrite(write(".env", "KEY=1\n"), opened))).toBe(
    '".env" has this content already; nothing was written.',
  );
});

test("what cannot be shown is no empty file", async () => {
  const { root } = makeWorkspace({ "a.txt": "one\ntwo\n" });
  const workspace = openWorkspace(root);
  expect(await messageOf(() => previewWrite(write("run.sh", "echo\n#\0\n"), workspace))).toContain("NUL character");
  const edit = { name: "edit_file", arguments: { path: "a.txt", old_string: "two", new_string: "x\0" } } as const;
  expect(await messageOf(() => previewWrite(edit, workspace))).toContain("NUL character");
});

test.each([
  ["a\nb\n", "a\r\nb\r\n", "(line ends of the whole file: CRLF, before: LF)"],
  ["a\nb\r\n", "a\r\nb\n", "(line ends: mixed before and after, on other lines)"],
  ["a\nb\n", "a\nb\r\n", "(line ends of the whole file: mixed, before: LF)"],
  ["a\r\nb\n", "a\r\nb\r\n", "(line ends of the whole file: CRLF, before: mixed)"],
  ["a\n", "\uFEFFa\n", "(byte order mark: added)"],
])("%j to %j says what the lines do not show", (old, content, note) => {
  const { root } = makeWorkspace({ "a.txt": old });
  expect(previewWrite(write("a.txt", content), openWorkspace(root))).toEqual({
    text: `--- a/a.txt\n+++ b/a.txt\n${note}`,
    added: 0,
    removed: 0,
  });
});

test("a new file with CRLF or a mark says so", () => {
  const { root } = makeWorkspace();
  expect(previewWrite(write("a.txt", "\uFEFFa\r\n"), openWorkspace(root)).text).toBe(
    "--- /dev/null\n+++ b/a.txt\n(line ends: CRLF)\n(byte order mark: added)\n@@ -0,0 +1 @@\n+a",
  );
});

test("a call that was shown writes only over what was shown", async () => {
  const { root, at } = makeWorkspace({ "a.txt": "debug = x\n", "b.txt": "old\n" });
  const ctx = { ...contextOf(root), callId: "call_1" };
  const args = { path: "a.txt", old_string: "x", new_string: "true" };
  const show = (callId: string) =>
    previewWrite({ name: "edit_file", arguments: args }, openWorkspace(root), { callId });
  show("call_1");
  writeFileSync(at("a.txt"), "allow_everything = x\n");
  expect(await messageOf(() => editFile(args, ctx))).toBe(
    '"a.txt" was changed by somebody else while the user was asked, so nothing was written. Read it again.',
  );
  expect(readFileSync(at("a.txt"), "utf8")).toBe("allow_everything = x\n");
  show("call_2");
  await editFile(args, { ...ctx, callId: "call_2" });
  expect(readFileSync(at("a.txt"), "utf8")).toBe("allow_everything = true\n");

  previewWrite(write("new/c.txt", "mine\n"), openWorkspace(root), { callId: "call_3" });
  mkdirSync(at("new"));
  writeFileSync(at("new/c.txt"), "theirs\n");
  // Another file behind the same path, even one that holds the same.
  writeFileSync(at("a.txt"), "debug = x\n");
  show("call_4");
  mkdirSync(at("real"));
  writeFileSync(at("real/a.txt"), "debug = x\n");
  renameSync(at("a.txt"), at("old.txt"));
  symlinkSync("real/a.txt", at("a.txt"));
  expect(await messageOf(() => editFile(args, { ...ctx, callId: "call_4" }))).toContain("was asked");
  expect(readFileSync(at("real/a.txt"), "utf8")).toBe("debug = x\n");

  const third = { ...ctx, callId: "call_3" };
  expect(await messageOf(() => writeFile({ path: "new/c.txt", content: "mine\n" }, third))).toContain("was asked");
  expect(readFileSync(at("new/c.txt"), "utf8")).toBe("theirs\n");
});
