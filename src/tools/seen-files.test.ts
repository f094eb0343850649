import { statSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hashOf, rememberFiles, seenFiles } from "./seen-files.ts";
import { inRun, makeWorkspace } from "./workspace.fixture.ts";

const no = () => {
  throw new Error("It should not be read.");
};

test("a file is compared by how it looks, and by its content only where that decides", () => {
  const { at } = makeWorkspace({ "a.txt": "words" });
  const look = () => statSync(at("a.txt"), { bigint: true });
  const seen = rememberFiles();
  expect(seen.compare("a", look(), no)).toBe("unseen");
  seen.add("a", look(), hashOf(Buffer.from("words")));
  expect(seen.compare("a", look(), no)).toBe("same");
  expect(seen.compare("a", undefined, no)).toBe("gone");
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
  expect(seen.compare("a", { ...stats, mtimeNs: 1n }, no)).toBe("changed");
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
    for (const part of parts) seen.add("a", stats, undefined, part);
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
