import { statSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hashOf, rememberFiles, seenFiles } from "./seen-files.ts";
import { inRun, makeWorkspace } from "./workspace.fixture.ts";

const no = () => {
  throw new Error("It should not be read.");
};

test("a file is compared by its content, which is read only where that decides", () => {
  const { at } = makeWorkspace({ "a.txt": "words" });
  const look = () => statSync(at("a.txt"), { bigint: true });
  const seen = rememberFiles();
  expect(seen.compare("a", look(), no)).toBe("unseen");
  seen.add("a", look(), hashOf(Buffer.from("words")));
  expect(seen.compare("a", look(), () => Buffer.from("words"))).toBe("same");
  expect(seen.compare("a", undefined, no)).toBe("gone");
  // Somebody who was quick, or put the times back.
  expect(seen.compare("a", look(), () => Buffer.from("sword"))).toBe("changed");
  writeFileSync(at("a.txt"), "longer words");
  expect(seen.compare("a", look(), no)).toBe("changed");
  const touched = { ...look(), size: 5n, mtimeNs: 1n };
  expect(seen.compare("a", touched, () => Buffer.from("words"))).toBe("same");
  expect(seen.compare("a", touched, () => Buffer.from("sword"))).toBe("changed");
  seen.forget("a");
  expect(seen.compare("a", look(), no)).toBe("unseen");
});

test("without a hash another look is a change", () => {
  const { at } = makeWorkspace({ "a.txt": "words" });
  const stats = statSync(at("a.txt"), { bigint: true });
  const seen = rememberFiles();
  seen.add("a", stats);
  expect(seen.compare("a", stats, no)).toBe("same");
  for (const other of [{ mtimeNs: 1n }, { ctimeNs: 1n }, { ino: 1n }, { size: 1n }])
    expect(seen.compare("a", { ...stats, ...other }, no)).toBe("changed");
});

test("of too many files the oldest are forgotten", () => {
  const { root } = makeWorkspace();
  const stats = statSync(root, { bigint: true });
  const seen = rememberFiles(2);
  for (const path of ["a", "b", "a", "c"]) seen.add(path, stats);
  expect(["a", "b", "c"].map((path) => seen.compare(path, stats, no))).toEqual(["same", "unseen", "same"]);
});

test("each root run has a memory of its own; outside of a run there is none", async () => {
  const { root } = makeWorkspace();
  expect(seenFiles()).toBeUndefined();
  const [first, again] = await inRun(root, async () => [seenFiles(), seenFiles()]);
  const other = await inRun(root, async () => seenFiles());
  expect(first).toBe(again);
  expect(first).not.toBe(other);
});

test("a file of which some lines were not shown is known in part", () => {
  const { root } = makeWorkspace();
  const stats = statSync(root, { bigint: true });
  const end = Number.POSITIVE_INFINITY;
  const after = (...parts: readonly (readonly [number, number])[]) => {
    const seen = rememberFiles();
    for (const part of parts) seen.add("a", stats, undefined, { lines: [part] });
    return seen.compare("a", stats, no);
  };
  expect(after([1, end])).toBe("same");
  expect(after([1, 0])).toBe("part");
  expect(after([1, 3])).toBe("part");
  expect(after([2, end])).toBe("part");
  expect(after([1, 3], [5, end])).toBe("part");
  expect(after([1, 3], [4, end])).toBe("same");
  expect(after([5, end], [1, 3], [2, 9])).toBe("same");
});

test("lines that were shown in the reply that the call is in are not yet known", () => {
  const { root } = makeWorkspace();
  const stats = statSync(root, { bigint: true });
  const call = (path: string, ...runs: string[]) => ({ path, runs: [...runs, ""] });
  const known = (by: ReturnType<typeof call>, at: ReturnType<typeof call>) => {
    const seen = rememberFiles();
    seen.add("a", stats, undefined, { by });
    return seen.compare("a", stats, no, at);
  };
  expect(known(call("2/0"), call("2/1"))).toBe("fresh");
  expect(known(call("2/0"), call("3/0"))).toBe("same");
  expect(known(call("2/0"), call("20/0"))).toBe("same");
  // Runs inside, in calls of one reply; and in one of them, one reply after the other.
  const inner = (path: string) => call(path, path.split("/").slice(0, 3).join("/"));
  expect(known(call("2/0"), inner("2/1/0/1/0"))).toBe("fresh");
  expect(known(inner("2/0/0/1/0"), call("2/1"))).toBe("fresh");
  expect(known(inner("2/0/0/1/0"), inner("2/0/0/1/1"))).toBe("fresh");
  expect(known(inner("2/0/0/1/0"), inner("2/0/0/2/0"))).toBe("same");
  expect(known(inner("2/0/0/1/0"), call("3/0"))).toBe("same");
  // Code that hands on what it has read.
  expect(known(call("2/0"), call("2/0"))).toBe("same");
  expect(known(call("2/0"), inner("2/0/0/1/0"))).toBe("same");
});

test("what was shown in parts, over several replies, comes together", () => {
  const { root } = makeWorkspace();
  const stats = statSync(root, { bigint: true });
  const seen = rememberFiles();
  const call = (path: string) => ({ path, runs: [""] });
  seen.add("a", stats, undefined, { lines: [[1, 5]], by: call("1/0") });
  seen.add("a", stats, undefined, { lines: [[6, 9]], by: call("2/0") });
  seen.add("a", stats, undefined, { lines: [[10, Number.POSITIVE_INFINITY]], by: call("2/1") });
  expect(seen.gap("a", call("2/2"))).toEqual([6, Number.POSITIVE_INFINITY]);
  expect(seen.compare("a", stats, no, call("2/2"))).toBe("fresh");
  expect(seen.compare("a", stats, no, call("3/0"))).toBe("same");
  expect(seen.gap("a", call("3/0"))).toBe(undefined);
});
