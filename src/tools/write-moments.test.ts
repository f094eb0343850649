import { linkSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";

/** What is done right before the system is asked for something, and what it was asked for. */
const moments = vi.hoisted(() => ({
  asked: [] as string[],
  before: undefined as ((what: string, count: number) => void) | undefined,
}));

// The file system is the real one: only here can it be known when it is asked.
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const heard =
    <A extends unknown[], R>(what: string, ask: (...args: A) => R) =>
    (...args: A): R => {
      moments.asked.push(what);
      moments.before?.(what, moments.asked.filter((one) => one === what).length);
      return ask(...args);
    };
  const opened = heard("open", fs.openSync);
  return {
    ...fs,
    openSync: (...args: Parameters<typeof fs.openSync>) =>
      String(args[0]).endsWith("a.txt") ? opened(...args) : fs.openSync(...args),
    writeSync: heard("write", fs.writeSync as (...args: unknown[]) => number),
    fsync: heard("fsync", fs.fsync),
    renameSync: heard("rename", fs.renameSync),
  };
});

const { contextOf, makeWorkspace, messageOf, allIn } = await import("./workspace.fixture.ts");
const { writeFile } = await import("./write-file.body.ts");

beforeEach(() => {
  vi.unstubAllEnvs();
  moments.before = undefined;
  moments.asked.length = 0;
});

/** A file that is there is then written over: coreutils' cp is not to be found. */
const withoutCp = () => vi.stubEnv("PATH", "");

const failing = () => {
  throw Object.assign(new Error("EIO: i/o error, write"), { code: "EIO", syscall: "write" });
};

test("what a file held is on the disk before it is written over, and what it holds before that goes", async () => {
  withoutCp();
  const { root } = makeWorkspace({ "a.txt": "old" });
  moments.asked.length = 0;
  await writeFile({ path: "a.txt", content: "new" }, contextOf(root));
  const own = moments.asked.filter((what) => what === "write" || what === "fsync");
  // The copy, its name; then the file.
  expect(own).toEqual(["fsync", "fsync", "write", "fsync"]);
});

const linux = process.platform === "linux";

test.runIf(linux)("what takes the place of a file is on the disk before it does, and then its name is", async () => {
  const { root } = makeWorkspace({ "a.txt": "old" });
  moments.asked.length = 0;
  await writeFile({ path: "a.txt", content: "new" }, contextOf(root));
  expect(moments.asked.filter((what) => what !== "open")).toEqual(["fsync", "rename", "fsync"]);
});

test.runIf(linux)("where it does not reach the disk, the old file stays", async () => {
  const { root, at } = makeWorkspace({ "a.txt": "old" });
  moments.before = (what) => void (what === "fsync" && failing());
  const message = await messageOf(() => writeFile({ path: "a.txt", content: "new" }, contextOf(root)));
  expect(message).toBe('"a.txt" is not written: the disk reports an error. Nothing was changed.');
  expect([readFileSync(at("a.txt"), "utf8"), allIn(root)]).toEqual(["old", ["a.txt"]]);
});

test("a new file is on the disk before it has its name, and then its name is", async () => {
  const { root } = makeWorkspace();
  moments.asked.length = 0;
  await writeFile({ path: "b.txt", content: "new" }, contextOf(root));
  expect(moments.asked.filter((what) => what !== "open")).toEqual(["fsync", "rename", "fsync"]);
});

test("a write that fails in the middle is taken back", async () => {
  withoutCp();
  const { root, at } = makeWorkspace({ "a.txt": "old" });
  moments.before = (what, count) => {
    if (what === "write" && count === 1) {
      writeFileSync(at("a.txt"), "nd");
      failing();
    }
  };
  const message = await messageOf(() => writeFile({ path: "a.txt", content: "new" }, contextOf(root)));
  expect(message).toBe('"a.txt" is not written: the disk reports an error. Nothing was changed.');
  expect([readFileSync(at("a.txt"), "utf8"), allIn(root)]).toEqual(["old", ["a.txt"]]);
});

test.each([
  ["that cannot be taken back", (what: string) => what === "write"],
  ["that does not reach the disk", (what: string, count: number) => what === "fsync" && count === 3],
])("of a write %s the old content is kept, and it is said where", async (_, fails) => {
  withoutCp();
  const { root, at } = makeWorkspace({ "a.txt": "old" });
  moments.before = (what, count) => void (fails(what, count) && failing());
  const message = await messageOf(() => writeFile({ path: "a.txt", content: "new" }, contextOf(root)));
  const name = allIn(root).find((one) => one.startsWith(".rondo-"))!;
  expect(message).toBe(
    `Writing "a.txt" failed in the middle (the disk reports an error), so it may be damaged. What it held before is whole in "${name}" beside it. Tell the user.`,
  );
  expect(readFileSync(at(name), "utf8")).toBe("old");
});

test("a file that becomes a link right before it is opened is not followed", async () => {
  const { root, outside, at } = makeWorkspace({ "a.txt": "private words\n" });
  moments.before = (what, count) => {
    if (what !== "open" || count !== 1) return;
    renameSync(at("a.txt"), at("moved"));
    symlinkSync(join(outside, "private.txt"), at("a.txt"));
  };
  const message = await messageOf(() => writeFile({ path: "a.txt", content: "new" }, contextOf(root)));
  // Not "changed by somebody else": it was never opened.
  expect(message).toContain("is outside of the workspace");
});

test.each([
  ["to be read", 1],
  ["to be written", 2],
])("a file that becomes another one right before it is opened %s is left alone", async (_, when) => {
  const { root, at } = makeWorkspace({ "a.txt": "private words\n" });
  moments.before = (what, count) => {
    if (what !== "open" || count !== when) return;
    linkSync(at("a.txt"), at("kept"));
    rmSync(at("a.txt"));
    writeFileSync(at("a.txt"), "private words\n");
  };
  const message = await messageOf(() => writeFile({ path: "a.txt", content: "new" }, contextOf(root)));
  expect(message).toContain("at this very moment");
  expect(readFileSync(at("a.txt"), "utf8")).toBe("private words\n");
});

test("one that is another file only while it is opened is not written to", async () => {
  const { root, at } = makeWorkspace({ "a.txt": "private words\n" });
  moments.before = (what, count) => {
    if (what === "open" && count === 2) {
      renameSync(at("a.txt"), at("moved"));
      writeFileSync(at("a.txt"), "private words\n");
    }
    if (what === "fsync" && count === 1) {
      renameSync(at("a.txt"), at("other"));
      renameSync(at("moved"), at("a.txt"));
    }
  };
  const message = await messageOf(() => writeFile({ path: "a.txt", content: "new" }, contextOf(root)));
  expect(message).toContain("at this very moment");
  for (const name of ["a.txt", "other"]) expect(readFileSync(at(name), "utf8")).toBe("private words\n");
});
