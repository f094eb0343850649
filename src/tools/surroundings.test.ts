import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { editFile } from "./edit-file.body.ts";
import { glob } from "./glob.body.ts";
import { grep } from "./grep.body.ts";
import { listDir } from "./list-dir.body.ts";
import { readFile } from "./read-file.body.ts";
import { allIn, contextOf, makeWorkspace, messageOf } from "./workspace.fixture.ts";
import { openWorkspace } from "./workspace.ts";
import { writeFile } from "./write-file.body.ts";

/** A folder with a file in it, to be a workspace of its own, and what it takes to work in it. */
function inside(folder: string, file = "notes.txt") {
  const { at, root } = makeWorkspace();
  const path = join(at(folder), file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "password=1\n");
  return { root, at, folder: at(folder), file, content: () => readFileSync(path, "utf8") };
}

const signal = new AbortController().signal;

test.each([".ssh", ".gnupg/private-keys-v1.d", ".aws", ".azure/cli", ".config/gcloud/x", ".config/gh", ".kube"])(
  "nothing is read or written where the workspace is a folder of secrets, or lies in one: %s",
  async (folder) => {
    const there = inside(folder);
    const ctx = contextOf(there.folder);
    const path = there.file;
    for (const work of [
      () => readFile({ path }, ctx),
      () => listDir({}, ctx),
      () => glob({ pattern: "**" }, ctx),
      () => grep({ pattern: "." }, ctx),
      () => writeFile({ path: "new.txt", content: "x" }, ctx),
      () => editFile({ path, old_string: "1", new_string: "2" }, ctx),
    ]) {
      const message = await messageOf(work);
      expect(message).toContain("The workspace folder is a folder of keys, passwords or other secrets, or lies in one");
      expect(message).toContain("allowSecrets");
      expect(message).not.toContain(there.root);
    }
    const open = contextOf(there.folder, signal, { allowSecrets: true });
    expect(await readFile({ path }, open)).toBe("password=1\n");
  },
);

test("also by a symbolic link of such a name", async () => {
  const { at } = makeWorkspace({ "keys/a.txt": "" });
  symlinkSync("keys", at(".ssh"));
  expect(await messageOf(() => openWorkspace(at(".ssh")))).toContain("allowSecrets");
});

test.each([
  [".docker", "config.json"],
  [".git", "config"],
  [".git/modules/sub", "config"],
  [".config", "gh/hosts.yml"],
  [".config/git", "credentials"],
  [".cargo", "credentials.toml"],
  [".terraform.d", "credentials.tfrc.json"],
])("in %s the file %s is a secret, as it is from above", async (folder, file) => {
  const there = inside(folder, file);
  const ctx = contextOf(there.folder, signal, { allowUnsafePaths: true });
  expect(await messageOf(() => readFile({ path: file }, ctx))).toContain("secrets");
  expect(await messageOf(() => writeFile({ path: file, content: "x" }, ctx))).toContain("allowSecrets");
  expect(await grep({ pattern: "password" }, ctx)).not.toContain("password=1");
  if (!file.includes("/")) expect(await listDir({}, ctx)).toContain(`${file} (11 bytes, secret, cannot be read)`);
  expect(await messageOf(() => readFile({ path: file.slice(0, -1) }, ctx))).not.toContain(`mean "${file}"`);
  const open = contextOf(there.folder, signal, { allowSecrets: true, allowUnsafePaths: true });
  expect(await readFile({ path: file }, open)).toBe("password=1\n");
  expect(await grep({ pattern: "password" }, open)).toContain("password=1");
});

test.each([
  [".git", "version control"],
  [".git/hooks", "version control"],
  ["project.git/hooks", "version control"],
  [".github/workflows", "continuous integration"],
  [".vscode", "editors"],
  [".husky", "git hooks"],
  ["node_modules/some", "installed packages"],
  [".claude", "agents"],
])("nothing is written where the workspace is or lies in %s", async (folder, what) => {
  const there = inside(folder);
  const ctx = contextOf(there.folder);
  for (const message of [
    await messageOf(() => writeFile({ path: "new/x.txt", content: "x" }, ctx)),
    await messageOf(() => editFile({ path: there.file, old_string: "1", new_string: "2" }, ctx)),
  ]) {
    expect(message).toContain(`the workspace folder lies among files of ${what}`);
    expect(message).toContain("allowUnsafePaths");
    expect(message).not.toContain(there.root);
  }
  expect(allIn(there.folder)).toEqual([there.file]);
  expect(there.content()).toBe("password=1\n");
  expect(await readFile({ path: there.file }, ctx)).toBe("password=1\n");
  const open = contextOf(there.folder, signal, { allowUnsafePaths: true });
  expect(await writeFile({ path: "new/x.txt", content: "x" }, open)).toContain("Created");
});

test("a folder inside a repository without a worktree, whatever its name", async () => {
  const there = inside("repository/hooks");
  writeFileSync(there.at("repository/HEAD"), "ref: refs/heads/main\n");
  const message = await messageOf(() => writeFile({ path: "pre-commit", content: "x" }, contextOf(there.folder)));
  expect(message).toContain("version control");
});

test.each([
  ["a link into it", "repository/hooks", "linked", "linked/pre-commit"],
  ["a link out of it", "elsewhere", "repository/hooks", "repository/hooks/pre-commit"],
])("nor through %s, from where no checkout is around", async (_, folder, link, path) => {
  const { root, at } = makeWorkspace({ "repository/HEAD": "ref: refs/heads/main\n" });
  mkdirSync(at(folder));
  symlinkSync(at(folder), at(link));
  expect(await messageOf(() => writeFile({ path, content: "x" }, contextOf(root)))).toContain("version control");
  expect(allIn(at(folder))).toEqual([]);
  // Without the file HEAD it is a folder like any other.
  rmSync(at("repository/HEAD"));
  expect(await writeFile({ path, content: "x" }, contextOf(root))).toContain("Created");
});

test("what is around a checkout of its own does not count: worktrees lie in such folders", async () => {
  for (const folder of [".claude/worktrees/task", "project.git/main", "node_modules/linked"]) {
    const there = inside(folder);
    writeFileSync(join(there.folder, ".git"), "gitdir: elsewhere\n");
    mkdirSync(join(there.folder, "packages/one"), { recursive: true });
    for (const at of [there.folder, join(there.folder, "packages/one")])
      expect(await writeFile({ path: "src/x.ts", content: "x" }, contextOf(at))).toContain("Created");
    mkdirSync(join(there.folder, ".github"));
    expect(
      await messageOf(() => writeFile({ path: "x.yml", content: "x" }, contextOf(join(there.folder, ".github")))),
    ).toContain("allowUnsafePaths");
  }
});

test("a refusal names the option that would allow it", async () => {
  const { root } = makeWorkspace({ ".npmrc": "x", ".git/config": "x", ".envrc": "x", ".m2/settings.xml": "x" });
  const write = (path: string, allowed: object) =>
    messageOf(() => writeFile({ path, content: "y" }, contextOf(root, signal, allowed)));
  for (const path of [".npmrc", ".git/config", ".envrc", ".m2/settings.xml"]) {
    expect(await write(path, { allowUnsafePaths: true })).toContain("allowSecrets");
    expect(await write(path, { allowSecrets: true })).toContain("allowUnsafePaths");
    expect(await write(path, {})).toMatch(/allowSecrets.*allowUnsafePaths/);
    expect(await messageOf(() => readFile({ path }, contextOf(root)))).toContain("allowSecrets");
  }
});
