import { execFileSync } from "node:child_process";
import {
  closeSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Batch, batchesOf } from "./batches.ts";
import { startMatcher } from "./matcher.ts";
import { slices } from "./slices.ts";
import { walk } from "./walk.ts";
import { makeWorkspace } from "./workspace.fixture.ts";
import { locate, openWorkspace } from "./workspace.ts";

const linux = process.platform === "linux";
const openFds = () => readdirSync("/proc/self/fd").length;

function batchesIn(root: string) {
  const workspace = openWorkspace(root);
  const tally = { files: 0, binary: 0, secret: 0, unreadable: 0, large: [] };
  const slice = slices(new AbortController().signal);
  const start = locate(workspace, ".");
  const walked = walk(workspace, start, new Set());
  return { tally, batches: batchesOf(walked, (path) => path, { workspace, start, slice, filter: undefined, tally }) };
}

/** What of these files has the word in it, and what could not be read. */
async function search(batch: Batch) {
  const signal = new AbortController().signal;
  const options = { regex: /words/, lines: false, context: 0, max: 1, width: 80, largest: 100_000 };
  const matcher = startMatcher(options, signal, 5_000, 1);
  const { hits, skipped } = await matcher.match(batch.files);
  await matcher.close();
  batch.release();
  return { hits: hits.map(([index]) => batch.shown(index)), skipped: skipped.map(([i, why]) => [batch.shown(i), why]) };
}

test("a file that became something else behind the walk is not read", async () => {
  const { root, outside, at } = makeWorkspace({ a: "words", b: "words", c: "words", d: "words", "e/f": "words" });
  const { batches } = batchesIn(root);
  const batch = (await batches.next()).value!;
  await batches.next();
  for (const name of ["b", "c", "d"]) rmSync(at(name));
  symlinkSync(join(outside, "private.txt"), at("b"));
  execFileSync("mkfifo", [at("c")]);
  // What somebody has written to the pipe stays there for whom it is.
  const pipe = openSync(at("c"), "r+");
  onTestFinished(() => closeSync(pipe));
  writeSync(pipe, "words");
  expect(await search(batch)).toEqual({
    hits: ["a", "e/f"],
    skipped: [
      ["b", "unreadable"],
      ["c", "unreadable"],
      ["d", "unreadable"],
    ],
  });
  expect(readSync(pipe, Buffer.alloc(9))).toBe(5);
});

test.runIf(linux)("a folder that was moved away behind the walk is still the one that is read", async () => {
  const { root, outside, at } = makeWorkspace({ "a/private.txt": "own", "b/c/private.txt": "words" });
  const { batches } = batchesIn(root);
  const batch = (await batches.next()).value!;
  renameSync(at("a"), at("moved"));
  symlinkSync(outside, at("a"));
  expect(await search(batch)).toEqual({ hits: ["b/c/private.txt"], skipped: [] });
});

test("of a large or binary file no more than its head is read", async () => {
  const { root } = makeWorkspace({
    large: "words".repeat(30_000),
    binary: `\0${"words".repeat(15_000)}`,
    fits: `${"-".repeat(90_000)}\nwords`,
    small: "\0words",
    text: `${"-".repeat(9_000)}\0words`,
  });
  const batch = (await batchesIn(root).batches.next()).value!;
  expect(await search(batch)).toEqual({
    hits: ["fits", "text"],
    skipped: [
      ["binary", "binary"],
      ["large", "large"],
      ["small", "binary"],
    ],
  });
});

test.runIf(linux)("nothing stays open, however it ends", async () => {
  const files = Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`d${n}/e/f`, "words"]));
  const { root, at } = makeWorkspace(files);
  writeFileSync(Buffer.concat([Buffer.from(at("caf")), Buffer.from([0xe9])]), "words");
  const before = openFds();
  for await (const batch of batchesIn(root).batches) batch.release();
  expect(openFds()).toBe(before);
  for await (const batch of batchesIn(root).batches) {
    batch.release();
    break;
  }
  expect(openFds()).toBe(before);
});
