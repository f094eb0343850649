import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { editFile } from "./edit-file.body.ts";
import { openFolder } from "./open-folder.ts";
import { replaceFile } from "./replace-file.ts";
import { allIn, contextOf, makeWorkspace, messageOf } from "./workspace.fixture.ts";
import { writeFile } from "./write-file.body.ts";

const isRoot = process.getuid?.() === 0;
const works = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const has = (program: string) => works(program, "--version");
const rightsOf = (path: string) => {
  const { uid, gid, mode, ino } = statSync(path);
  return { uid, gid, mode: mode & 0o7777, ino };
};
const run = (program: string, ...args: string[]) => execFileSync(program, args, { encoding: "utf8" });

/** Writes and edits a file; it is then as it was, but for what it holds. */
async function staysTheSame(root: string, path: string, look: () => unknown) {
  const before = look();
  const { ino } = statSync(join(root, path));
  await writeFile({ path, content: "much longer than before\n" }, contextOf(root));
  await editFile({ path, old_string: "much longer than before", new_string: "now" }, contextOf(root));
  expect(readFileSync(join(root, path), "utf8")).toBe("now\n");
  expect(look()).toEqual(before);
  expect(statSync(join(root, path)).ino).toBe(ino);
  expect(allIn(root)).toEqual([path]);
}

test.runIf(has("setfacl")).each([
  ["its owner, and one more", "u::rw,u:65533:rw,g::-,m::rw,o::-"],
  ["everybody, but for one", "u::rw,u:65533:-,g::r,m::r,o::r"],
])("who may read and write a file stays so: %s", async (_, list) => {
  const { root, at } = makeWorkspace({ "a.txt": "words\n" });
  run("setfacl", "-m", list, at("a.txt"));
  // A file that is new here would be open to somebody else.
  run("setfacl", "-d", "-m", "u:65532:rwx,g::rwx,m::rwx,o::rwx", root);
  await staysTheSame(root, "a.txt", () => run("getfacl", "--omit-header", "--absolute-names", at("a.txt")));
});

test.runIf(has("setfattr"))("further attributes of a file stay", async (context) => {
  const { root, at } = makeWorkspace({ "a.txt": "words\n" });
  if (!works("setfattr", "-n", "user.note", "-v", "mine", at("a.txt")))
    return context.skip("this file system has no attributes");
  await staysTheSame(root, "a.txt", () => run("getfattr", "--dump", "--absolute-names", at("a.txt")));
});

test.runIf(isRoot)("owner and group of a file stay, also if it is nobody's here", async () => {
  const { root, at } = makeWorkspace({ "a.txt": "words\n" });
  chownSync(at("a.txt"), 12_345, 54_321);
  chmodSync(at("a.txt"), 0o640);
  await staysTheSame(root, "a.txt", () => rightsOf(at("a.txt")));
});

test.runIf(isRoot)("bits that lend the owner's rights go with the write", async () => {
  const { root, at } = makeWorkspace({ "a.sh": "words\n" });
  chownSync(at("a.sh"), 12_345, 54_321);
  chmodSync(at("a.sh"), 0o6755);
  await writeFile({ path: "a.sh", content: "other\n" }, contextOf(root));
  expect(rightsOf(at("a.sh"))).toMatchObject({ uid: 12_345, gid: 54_321, mode: 0o755 });
});

test.runIf(isRoot).each([
  [0o666, 0, 0],
  [0o6676, 0, 0],
  [0o660, 12_345, 65_534],
])("somebody else's file with mode %o is written as it is, and lends nothing", (mode, uid, gid) => {
  const { root, at } = makeWorkspace({ "a.txt": "words\n" });
  chmodSync(join(root, ".."), 0o755);
  chmodSync(root, 0o777);
  chownSync(at("a.txt"), uid, gid);
  chmodSync(at("a.txt"), mode);
  const code = `
    import { writeFile } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, "write-file.body.ts")))};
    process.setgroups([65_534]);
    process.setgid(65_534);
    process.setuid(65_534);
    const ctx = { runtime: { workspace: ${JSON.stringify(root)} }, signal: new AbortController().signal };
    await writeFile({ path: "a.txt", content: "other\\n" }, ctx);`;
  run(process.execPath, "--disable-warning=ExperimentalWarning", "--input-type=module-typescript", "-e", code);
  expect(readFileSync(at("a.txt"), "utf8")).toBe("other\n");
  expect(rightsOf(at("a.txt"))).toMatchObject({ uid, gid, mode: mode & 0o777 });
  expect(allIn(root)).toEqual(["a.txt"]);
});

test("while a file is written over, what it held is kept beside it, for its owner's eyes", async () => {
  const { root, at } = makeWorkspace({ "a.txt": "old" });
  const mask = process.umask(0);
  const folder = openFolder(root);
  const kept: unknown[] = [];
  const check = () => {
    const [name] = readdirSync(root).filter((one) => one.startsWith(".rondo-"));
    kept.push(readFileSync(at(name!), "utf8"), rightsOf(at(name!)).mode, readFileSync(at("a.txt"), "utf8"));
  };
  try {
    const bytes = Buffer.from("new");
    await replaceFile({ folder, name: "a.txt", bytes, before: Buffer.from("old"), shown: '"a.txt"', check });
  } finally {
    folder.close();
    process.umask(mask);
  }
  expect(kept).toEqual(["old", 0o600, "old"]);
  expect([readFileSync(at("a.txt"), "utf8"), allIn(root)]).toEqual(["new", ["a.txt"]]);
});

test("one that changed within a tick of its clock is left as it is", async () => {
  const { root, at } = makeWorkspace({ "a.txt": "old" });
  utimesSync(at("a.txt"), 1, 1);
  const writing = writeFile({ path: "a.txt", content: "new" }, contextOf(root));
  writeFileSync(at("a.txt"), "odd");
  utimesSync(at("a.txt"), 1, 1);
  expect(await messageOf(() => writing)).toContain("at this very moment");
  expect([readFileSync(at("a.txt"), "utf8"), allIn(root)]).toEqual(["odd", ["a.txt"]]);
});

test.each([
  ["of a file that is there", "a.txt"],
  ["of a new one", "new/b.txt"],
])("a process that ends in the middle of the write %s leaves nothing behind", (_, path) => {
  const { root, at } = makeWorkspace({ "a.txt": "old" });
  const code = `
    import { readdirSync } from "node:fs";
    import { writeFile } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, "write-file.body.ts")))};
    const ctx = { runtime: { workspace: ${JSON.stringify(root)} }, signal: new AbortController().signal };
    writeFile({ path: ${JSON.stringify(path)}, content: "x".repeat(9_000_000) }, ctx);
    const there = readdirSync(${JSON.stringify(root)}, { recursive: true }).filter((name) => name.includes(".rondo-"));
    console.log(there.length);
    process.exit();`;
  const told = run(
    process.execPath,
    "--disable-warning=ExperimentalWarning",
    "--input-type=module-typescript",
    "-e",
    code,
  );
  expect(told).toBe("1\n");
  expect(allIn(root).filter((name) => name.includes(".rondo-"))).toEqual([]);
  expect(readFileSync(at("a.txt"), "utf8")).toBe("old");
});
