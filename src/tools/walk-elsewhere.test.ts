import { execFileSync } from "node:child_process";
import { readdirSync, renameSync, symlinkSync } from "node:fs";
import { expect, test, vi } from "vitest";

// A system without paths that stay true while a file is open: there all is looked for by its own path.
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  return { ...fs, existsSync: (path: string) => path !== "/proc/self/fd" && fs.existsSync(path) };
});

const { fdFolder } = await import("./open.ts");
const { glob } = await import("./glob.body.ts");
const { grep } = await import("./grep.body.ts");
const { walk } = await import("./walk.ts");
const { contextOf, makeWorkspace } = await import("./workspace.fixture.ts");
const { locate, openWorkspace } = await import("./workspace.ts");

const tree = { ".gitignore": "dist", "a/b.txt": "words", "a/c/d.txt": "no\nwords", "dist/x": "words", ".env": "words" };

test("files are found and searched all the same, and nothing stays open", async () => {
  expect(fdFolder).toBe(undefined);
  const { root, outside, at } = makeWorkspace(tree);
  symlinkSync(outside, at("out"));
  symlinkSync(`${outside}/private.txt`, at("private"));
  execFileSync("mkfifo", [at("pipe")]);
  const open = () => (process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0);
  const before = open();
  expect(await glob({ pattern: "**" }, contextOf(root))).toBe(".gitignore\na/b.txt\na/c/d.txt");
  expect(await grep({ pattern: "words" }, contextOf(root))).toBe(
    "a/b.txt:1:words\na/c/d.txt:2:words\n\n[Not searched: secret: 1.]",
  );
  expect(open()).toBe(before);
});

test("a folder that was swapped for a link to the outside behind the walk is not read", () => {
  const { root, outside, at } = makeWorkspace({ a: "", "b/private.txt": "" });
  const workspace = openWorkspace(root);
  const walked = walk(workspace, locate(workspace, "."), new Set());
  expect(walked.next().value).toMatchObject({ kind: "files" });
  renameSync(at("b"), at("moved"));
  symlinkSync(outside, at("b"));
  expect(walked.next().value).toMatchObject({ kind: "unreadable", path: "b" });
});
