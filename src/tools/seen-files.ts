import { createHash, type Hash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { currentScope, type RunScope, rootOf } from "../agent/scope.ts";

/** What a run knows of a file: how it looked and, if it was read to its end, what was in it. */
type Seen = {
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ino: bigint;
  readonly hash: string | undefined;
  /** The lines that were shown, in ascending order and apart. */
  readonly lines: readonly Lines[];
};

/** Lines of a file, from the first to the last one, counted from 1; infinity for the last one is the end of the file. */
export type Lines = readonly [from: number, to: number];

export const allLines: Lines = [1, Number.POSITIVE_INFINITY];
export const noLines: Lines = [1, 0];

/** The files that a run has read or written, runs inside it included, by their real paths. */
export type SeenFiles = {
  /** Remembers a file as it looked when it was opened, and which of its lines were shown. Default: all. */
  add(path: string, stats: BigIntStats, hash?: string, lines?: Lines): void;
  forget(path: string): void;
  /**
   * How the run stands to a file that looks so; `bytes` are asked for only if they decide. `"part"`: it is as it was, but
   * not all of it was shown.
   */
  compare(
    path: string,
    stats: BigIntStats | undefined,
    bytes: () => Uint8Array,
  ): "unseen" | "same" | "part" | "changed" | "gone";
};

/** Files that are remembered; of more, those not used for longest are forgotten. */
const most = 4_000;

const known = new WeakMap<RunScope, SeenFiles>();

/**
 * The files that the root run around has seen: around this call, or around `run`; undefined where a tool is called outside
 * of any run.
 */
export function seenFiles(run: RunScope | undefined = currentScope()?.run): SeenFiles | undefined {
  if (run === undefined) return undefined;
  const root = rootOf(run);
  const seen = known.get(root) ?? rememberFiles();
  known.set(root, seen);
  return seen;
}

/** A memory of files; see {@link seenFiles}. */
export function rememberFiles(limit = most): SeenFiles {
  const files = new Map<string, Seen>();
  return {
    add(path, stats, hash, lines = allLines) {
      const { size, mtimeNs, ino } = stats;
      const old = files.get(path);
      const same = old !== undefined && (looks(old, stats) || (hash !== undefined && hash === old.hash));
      files.delete(path);
      files.set(path, { size, mtimeNs, ino, hash, lines: join(same ? [...old.lines, lines] : [lines]) });
      if (files.size > limit) files.delete(files.keys().next().value!);
    },
    forget(path) {
      files.delete(path);
    },
    compare(path, stats, bytes) {
      const seen = files.get(path);
      if (seen === undefined) return "unseen";
      if (stats === undefined) return "gone";
      // Otherwise touched, or written anew with what it held before.
      const same =
        looks(seen, stats) || (seen.size === stats.size && seen.hash !== undefined && seen.hash === hashOf(bytes()));
      if (!same) return "changed";
      const [first] = seen.lines;
      return first?.[0] === allLines[0] && first[1] === allLines[1] ? "same" : "part";
    },
  };
}

const looks = (seen: Seen, { size, mtimeNs, ino }: BigIntStats): boolean =>
  seen.size === size && seen.mtimeNs === mtimeNs && seen.ino === ino;

/** The same lines, those that touch put together. */
function join(all: readonly Lines[]): Lines[] {
  const joined: Lines[] = [];
  for (const [from, to] of all.filter(([from, to]) => from <= to).sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1] + 1) joined[joined.length - 1] = [last[0], Math.max(last[1], to)];
    else joined.push([from, to]);
  }
  return joined;
}

/** A hash that takes the content in pieces. */
export const startHash = (): Hash => createHash("sha256");

/** The hash of a whole content. */
export const hashOf = (bytes: Uint8Array): string => startHash().update(bytes).digest("base64");
