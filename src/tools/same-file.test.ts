import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
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
const hasCp = process.platform === "linux" && has("cp") && run("cp", "--version").includes("GNU coreutils");

type Way = "another file takes its place" | "it is written over";

/** Writes and edits a file, with coreutils' cp at hand or without; it is then as it was, but for what it holds. */
async function staysTheSame(root: string, path: string, look: () => unknown, way: Way) {
  const before = look();
  const { ino } = statSync(join(root, path));
  if (way === "it is written over") vi.stubEnv("PATH", "");
  onTestFinished(() => void vi.unstubAllEnvs());
  await writeFile({ path, content: "much longer than before\n" }, contextOf(root));
  // Only now: after two files in its place, the first number may come again.
  const same = statSync(join(root, path)).ino === ino;
  await editFile({ path, old_string: "much longer than before", new_string: "now" }, contextOf(root));
  vi.unstubAllEnvs();
  expect(readFileSync(join(root, path), "utf8")).toBe("now\n");
  expect(look()).toEqual(before);
  expect(same).toBe(way === "it is written over" || !hasCp);
  expect(allIn(root)).toEqual([path]);
}

const ways = ["another file takes its place", "it is written over"] as const;

const lists = [
  ["its owner, and one more", "u::rw,u:65533:rw,g::-,m::rw,o::-"],
  ["everybody, but for one", "u::rw,u:65533:-,g::r,m::r,o::r"],
  ["its owner and group", "u::rw,g::r,o::-"],
] as const;
const each = ways.flatMap((way) => lists.map(([who, list]) => [way, who, list] as const));

test.runIf(has("setfacl")).each(each)("%s: who may read and write it stays so: %s", async (way, _, list) => {
  const { root, at } = makeWorkspace({ "a.txt": "words\n" });
  run("setfacl", "-m", list, at("a.txt"));
  // A file that is new here would be open to somebody else.
  run("setfacl", "-d", "-m", "u:65532:rwx,g::rwx,m::rwx,o::rwx", root);
  await staysTheSame(root, "a.txt", () => run("getfacl", "--omit-header", "--absolute-names", at("a.txt")), way);
});

test.runIf(has("setfattr")).each(ways)("%s: further attributes stay", async (way) => {
  const { root, at } = makeWorkspace({ "a.txt": "words\n" });
  if (!works("setfattr", "-n", "user.note", "-v", "mine", at("a.txt"))) return; // This file system has none.
  await staysTheSame(root, "a.txt", () => run("getfattr", "--dump", "--absolute-names", at("a.txt")), way);
});

test.each(ways)("%s: mode bits and owner stay, whatever a new file would get", async (way) => {
  const { root, at } = makeWorkspace({ "a.txt": "words\n" });
  chmodSync(at("a.txt"), 0o646);
  if (isRoot) chownSync(at("a.txt"), 0, 54_321);
  await staysTheSame(root, "a.txt", () => ({ ...rightsOf(at("a.txt")), ino: 0 }), way);
});

test.runIf(isRoot && has("setfattr")).each(["other", ""])(
  "capabilities of a program go with the write of %j",
  async (content) => {
    const { root, at } = makeWorkspace({ program: "words\n" });
    const value = "0x0100000200200000000000000000000000000000";
    if (!works("setfattr", "-n", "security.capability", "-v", value, at("program"))) return; // The same.
    await writeFile({ path: "program", content }, contextOf(root));
    expect(run("getfattr", "-d", "-m", "-", "--absolute-names", at("program"))).not.toContain("capability");
  },
);

test.runIf(isRoot)("owner and group of a file stay, also if it is nobody's here", async () => {
  const { root, at } = makeWorkspace({ "a.txt": "words\n" });
  chownSync(at("a.txt"), 12_345, 54_321);
  chmodSync(at("a.txt"), 0o640);
  await staysTheSame(root, "a.txt", () => rightsOf(at("a.txt")), "it is written over");
});

test.runIf(isRoot).each([0, 12_345])("bits that lend the rights of owner %i go with the write", async (uid) => {
  const { root, at } = makeWorkspace({ "a.sh": "words\n" });
  chownSync(at("a.sh"), uid, 54_321);
  chmodSync(at("a.sh"), 0o6755);
  await writeFile({ path: "a.sh", content: "other\n" }, contextOf(root));
  expect(rightsOf(at("a.sh"))).toMatchObject({ uid, gid: 54_321, mode: 0o755 });
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
  vi.stubEnv("PATH", "");
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
    vi.unstubAllEnvs();
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
    const there = () => readdirSync(${JSON.stringify(root)}, { recursive: true }).some((name) => name.includes(".rondo-"));
    while (!there()) await new Promise(setImmediate);
    console.log("in the middle");
    process.exit();`;
  const told = run(
    process.execPath,
    "--disable-warning=ExperimentalWarning",
    "--input-type=module-typescript",
    "-e",
    code,
  );
  expect(told).toBe("in the middle\n");
  expect(allIn(root).filter((name) => name.includes(".rondo-"))).toEqual([]);
  expect(readFileSync(at("a.txt"), "utf8")).toBe("old");
});
