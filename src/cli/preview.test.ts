import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createRuntime } from "../agent/create-runtime.ts";
import { scripted } from "../testing/index.ts";
import { editFile } from "../tools/index.ts";
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

test("a script with a NUL character in it is not shown as an empty file", () => {
  const { root } = makeWorkspace();
  const args = { path: "run.sh", content: "#!/bin/sh\necho words\n#\0\n" };
  expect(previewOf("write_file", args, confined(root))).toBeUndefined();
});

test("a change of line ends alone is shown", () => {
  const { root } = makeWorkspace({ "a.txt": "one\ntwo\n" });
  expect(previewOf("write_file", { path: "a.txt", content: "one\r\ntwo\r\n" }, confined(root))).toContain(
    "CRLF, before: LF",
  );
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

test("a yes is for what was shown: a file that changed meanwhile is not edited", async () => {
  const { root, at } = makeWorkspace({ "a.txt": "debug = x\n" });
  const args = { path: "a.txt", old_string: "x", new_string: "true" };
  const runtime = createRuntime({
    workspace: root,
    model: scripted([{ calls: [{ name: "edit_file", arguments: args }] }, "done"]),
    requiresApproval: ["edit_file"],
    approve: ({ call, arguments: shown, runtime: its }) => {
      expect(previewOf(call.name, shown, its, call.id)).toContain("+debug = true");
      writeFileSync(at("a.txt"), "allow_everything = x\n");
      return true;
    },
  });
  const run = runtime.run("go", { tools: [editFile] });
  const { messages } = await run.result;
  expect(JSON.stringify(messages)).toContain("was changed by somebody else while the user was asked");
  expect(readFileSync(at("a.txt"), "utf8")).toBe("allow_everything = x\n");
});
