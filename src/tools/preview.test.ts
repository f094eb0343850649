import { expect, test } from "vitest";
import { previewWrite } from "./preview.ts";
import { allIn, makeWorkspace, messageOf } from "./workspace.fixture.ts";
import { openWorkspace } from "./workspace.ts";

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
  expect(previewWrite(write("a.txt", "one\ntwo\n"), workspace).text).toBe("");
  expect(allIn(root)).toEqual(["a.txt"]);
});

test("what cannot be written says why", async () => {
  const { root } = makeWorkspace({ ".env": "KEY=1\n" });
  const workspace = openWorkspace(root);
  expect(await messageOf(() => previewWrite(write(".env", "x"), workspace))).toContain("secrets");
  expect(await messageOf(() => previewWrite(write("../x", "x"), workspace))).toContain("outside of the workspace");
  const edit = { name: "edit_file", arguments: { path: "b.txt", old_string: "a", new_string: "b" } } as const;
  expect(await messageOf(() => previewWrite(edit, workspace))).toContain("does not exist");
});
