import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { editFile } from "./edit-file.body.ts";
import { glob } from "./glob.body.ts";
import { listDir } from "./list-dir.body.ts";
import { allIn, contextOf, makeWorkspace, messageOf } from "./workspace.fixture.ts";
import { writeFile } from "./write-file.body.ts";

const root = process.getuid?.() === 0;
const linux = process.platform === "linux";
const openFds = () => readdirSync("/proc/self/fd").length;

/** Mounts a small disk at a folder, if that is allowed here; it goes with the test. */
function mounted(at: string, options: string): boolean {
  mkdirSync(at);
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", at]);
  if (status === 0) onTestFinished(() => void spawnSync("umount", ["-l", at]));
  return status === 0;
}

/** Files of a disk keep what they hold and nothing is left behind, whatever was asked for. */
async function failsWhole(top: string, path: string, because: string) {
  const before = allIn(top);
  const bytes = readFileSync(join(top, path));
  const [write, edit] = [
    await messageOf(() => writeFile({ path, content: "x".repeat(200_000) }, contextOf(top))),
    await messageOf(() => editFile({ path, old_string: "old", new_string: "x".repeat(200_000) }, contextOf(top))),
  ];
  for (const message of [write, edit])
    expect(message).toBe(`"${path}" is not written: ${because}. Nothing was changed.`);
  expect(allIn(top)).toEqual(before);
  expect(readFileSync(join(top, path)).equals(bytes)).toBe(true);
}

test.runIf(linux && root)("a full disk leaves the old file whole and nothing behind", async (context) => {
  const { root: top, at } = makeWorkspace();
  if (!mounted(at("disk"), "size=64k")) return context.skip("mounting is not allowed here");
  writeFileSync(at("disk/a.txt"), "old content\n");
  await failsWhole(top, "disk/a.txt", "the disk is full");
  // Folders made on the way go too.
  const message = await messageOf(() =>
    writeFile({ path: "disk/new/deep/b.txt", content: "x".repeat(200_000) }, contextOf(top)),
  );
  expect(message).toContain("the disk is full");
  expect(allIn(at("disk"))).toEqual(["a.txt"]);
});

test.runIf(linux && root)("a disk that takes no more files", async (context) => {
  const { root: top, at } = makeWorkspace();
  if (!mounted(at("disk"), "nr_inodes=3")) return context.skip("mounting is not allowed here");
  writeFileSync(at("disk/a.txt"), "old content\n");
  writeFileSync(at("disk/b.txt"), "");
  await failsWhole(top, "disk/a.txt", "the disk is full");
});

test.runIf(linux && root)("a read-only disk", async (context) => {
  const { root: top, at } = makeWorkspace();
  if (!mounted(at("disk"), "size=64k")) return context.skip("mounting is not allowed here");
  writeFileSync(at("disk/a.txt"), "old content\n");
  execFileSync("mount", ["-o", "remount,ro", at("disk")]);
  await failsWhole(top, "disk/a.txt", "the disk is read-only");
});

test.runIf(linux && root)("a file on which something is mounted is written where it is", async (context) => {
  const { root: top, outside, at } = makeWorkspace({ "a.txt": "" });
  writeFileSync(join(outside, "b.txt"), "old content\n");
  if (spawnSync("mount", ["--bind", join(outside, "b.txt"), at("a.txt")]).status !== 0)
    return context.skip("mounting is not allowed here");
  onTestFinished(() => void spawnSync("umount", ["-l", at("a.txt")]));
  await editFile({ path: "a.txt", old_string: "old", new_string: "new" }, contextOf(top));
  expect(readFileSync(join(outside, "b.txt"), "utf8")).toBe("new content\n");
  expect(allIn(top)).toEqual(["a.txt"]);
});

test.runIf(linux && root)("a file that may not be changed, as the system says", async (context) => {
  const { root: top, at } = makeWorkspace({ "a.txt": "old content\n" });
  if (spawnSync("chattr", ["+i", at("a.txt")]).status !== 0) return context.skip("chattr is not to be had here");
  try {
    await failsWhole(top, "a.txt", "permission denied");
  } finally {
    execFileSync("chattr", ["-i", at("a.txt")]);
  }
});

test.runIf(linux)("somebody without the right to write is told so", async (context) => {
  const { root: top, at } = makeWorkspace({ "a.txt": "old content\n", "mine/x": "" });
  const [uid, was] = [65_534, process.geteuid?.()];
  chmodSync(join(top, ".."), 0o755);
  chmodSync(at("a.txt"), 0o444);
  // Here a file could be put in its place all the same: that it may not be written counts.
  chmodSync(top, 0o777);
  chmodSync(at("mine"), 0o555);
  if (root) process.seteuid?.(uid);
  onTestFinished(() => {
    if (root) process.seteuid?.(was!);
  });
  if (process.geteuid?.() === 0) return context.skip("the test runs as root");
  await failsWhole(top, "a.txt", "permission denied");
  const message = await messageOf(() => writeFile({ path: "mine/new/y", content: "x" }, contextOf(top)));
  expect(message).toBe('"mine/new/y" is not written: permission denied. Nothing was changed.');
});

test("folders, pipes, sockets and devices are refused at once", async () => {
  const { root: top, at } = makeWorkspace({ "folder/a": "" });
  execFileSync("mkfifo", [at("pipe")]);
  const server = createServer().listen(at("socket"));
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  const both = async (workspace: string, path: string) => [
    await messageOf(() => writeFile({ path, content: "x" }, contextOf(workspace))),
    await messageOf(() => editFile({ path, old_string: "a", new_string: "b" }, contextOf(workspace))),
  ];
  for (const path of ["folder", ".", "folder/..", "folder/"])
    for (const message of await both(top, path)) expect(message).toMatch(/folder\b.* Give the path of a file/);
  for (const path of ["pipe", "socket"])
    for (const message of await both(top, path)) expect(message).toContain("not a regular file");
  if (linux) for (const message of await both("/dev", "null")) expect(message).toContain("not a regular file");
  expect(allIn(top)).toEqual(["folder", "folder/a", "pipe", "socket"]);
});

test.each([
  ["", "The path is empty"],
  ["  ", "The path is empty"],
  ["a\0b", "NUL"],
  ["~/x", "home folder"],
  ["new/", "names a folder"],
  ["new/.", "names a folder"],
  ["a.txt/b", "is a file, not a folder"],
  ["a.txt/b/c", "is a file, not a folder"],
  ["x".repeat(300), "too long"],
  [`${"x/".repeat(3_000)}y`, "too long"],
  ["new\n", "control character"],
  ["a\nb/c", "control character"],
  ["\ud800", "half of a character"],
  ["caf\ufffd", "not valid UTF-8"],
])("the path %j is refused", async (path, expected) => {
  const { root: top } = makeWorkspace({ "a.txt": "words" });
  expect(await messageOf(() => writeFile({ path, content: "x" }, contextOf(top)))).toContain(expected);
  expect(allIn(top)).toEqual(["a.txt"]);
});

test("content that is huge, or no text", async () => {
  const { root: top, at } = makeWorkspace({ "a.txt": "words" });
  const huge = await messageOf(() => writeFile({ path: "b/c.txt", content: "x".repeat(50_000_000) }, contextOf(top)));
  expect(huge).toBe("The content has 47.7 MB; at most 10.0 MB are written at once. Write less, or several files.");
  expect(await messageOf(() => writeFile({ path: "b.txt", content: "\udc00" }, contextOf(top)))).toContain(
    "half of a character",
  );
  const grown = { path: "a.txt", old_string: "words", new_string: "x".repeat(11_000_000) };
  expect(await messageOf(() => editFile(grown, contextOf(top)))).toContain("would have 10.5 MB");
  writeFileSync(at("large.txt"), "x".repeat(11_000_000));
  const large = { path: "large.txt", old_string: "xyz", new_string: "b" };
  expect(await messageOf(() => editFile(large, contextOf(top)))).toContain("has 10.5 MB");
  expect(allIn(top)).toEqual(["a.txt", "large.txt"]);
});

test.runIf(linux)("names that are no plain text are shown as escapes, and never stand for another file", async () => {
  const { root: top, at } = makeWorkspace({ "line\nbreak": "old", "plain\\x": "" });
  const raw = Buffer.concat([Buffer.from(`${top}/caf`), Buffer.from([0xe9])]);
  writeFileSync(raw, "latin");
  expect(await listDir({}, contextOf(top))).toBe("caf\\xe9 (5 bytes)\nline\\nbreak (3 bytes)\nplain\\x (0 bytes)");
  expect((await glob({ pattern: "*" }, contextOf(top))).split("\n")).toContain("caf\\xe9");
  for (const path of ["caf\\xe9", "line\\nbreak"]) {
    const message = await messageOf(() => writeFile({ path, content: "x" }, contextOf(top)));
    expect(message).toContain("is how a file is shown whose name is not plain text");
  }
  // A name that is given as it is names its file.
  await editFile({ path: "line\nbreak", old_string: "old", new_string: "new" }, contextOf(top));
  await writeFile({ path: "plain\\y", content: "x" }, contextOf(top));
  expect(readFileSync(at("line\nbreak"), "utf8")).toBe("new");
  expect(readFileSync(raw, "utf8")).toBe("latin");
  expect(readdirSync(top)).toHaveLength(4);
});

test.runIf(linux)("nothing stays open, however it ends", async () => {
  const { root: top } = makeWorkspace({ "a.txt": "one", "folder/x": "" });
  const before = openFds();
  for (const path of ["a.txt", "new/b.txt", "folder", ".git/x", "folder/x/y"])
    await writeFile({ path, content: "x" }, contextOf(top)).catch(() => {});
  await editFile({ path: "a.txt", old_string: "no", new_string: "x" }, contextOf(top)).catch(() => {});
  expect(openFds()).toBe(before);
});
