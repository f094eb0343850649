import { createHash, type Hash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { currentScope, type RunScope, rootOf } from "../agent/scope.ts";

/** What a run knows of a file: how it looked and, if it was read to its end, what was in it. */
type Seen = {
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ino: bigint;
  readonly hash: string | undefined;
};

/** The files that a run has read or written, runs inside it included, by their real paths. */
export type SeenFiles = {
  /** Remembers a file as it looked when it was opened. */
  add(path: string, stats: BigIntStats, hash?: string): void;
  forget(path: string): void;
  /** How the run stands to a file that looks so; `bytes` are asked for only if they decide. */
  compare(
    path: string,
    stats: BigIntStats | undefined,
    bytes: () => Uint8Array,
  ): "unseen" | "same" | "changed" | "gone";
};

/** Files that are remembered; of more, those not used for longest are forgotten. */
const most = 4_000;

const known = new WeakMap<RunScope, SeenFiles>();

/** The files that the root run around the call has seen; undefined where a tool is called outside of any run. */
export function seenFiles(): SeenFiles | undefined {
  const run = currentScope()?.run;
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
    add(path, { size, mtimeNs, ino }, hash) {
      files.delete(path);
      files.set(path, { size, mtimeNs, ino, hash });
      if (files.size > limit) files.delete(files.keys().next().value!);
    },
    forget(path) {
      files.delete(path);
    },
    compare(path, stats, bytes) {
      const seen = files.get(path);
      if (seen === undefined) return "unseen";
      if (stats === undefined) return "gone";
      if (seen.size === stats.size && seen.mtimeNs === stats.mtimeNs && seen.ino === stats.ino) return "same";
      // Touched, or written anew with what it held before.
      return seen.size === stats.size && seen.hash !== undefined && seen.hash === hashOf(bytes()) ? "same" : "changed";
    },
  };
}

/** A hash that takes the content in pieces. */
export const startHash = (): Hash => createHash("sha256");

/** The hash of a whole content. */
export const hashOf = (bytes: Uint8Array): string => startHash().update(bytes).digest("base64");
