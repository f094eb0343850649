import { createHash, type Hash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { currentScope, type RunScope, rootOf } from "../agent/scope.ts";
import { allLines, firstGap, joinLines, type Lines } from "./lines.ts";
import { type CallAt, inOneReply } from "./one-reply.ts";

/** Lines that were shown, and by which call; absent: nobody has to wait any more until a model has read them. */
type Part = { readonly lines: readonly Lines[]; readonly by: string | undefined };

/** What a run knows of a file: how it looked and, if it was read to its end, what was in it. */
type Seen = {
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly ino: bigint;
  readonly hash: string | undefined;
  readonly parts: readonly Part[];
  /** It was last changed by the run itself, without having been seen whole. */
  readonly edited: boolean;
};

/** What of a file was shown. */
export type Showing = {
  /** Default: all. */
  readonly lines?: readonly Lines[];
  /** The call that shows them; until its reply is answered the model has not seen them. Absent: it knows them. */
  readonly by?: CallAt | undefined;
  /** The run changed the file and has not seen all of it. */
  readonly edited?: boolean;
};

/**
 * How a run stands to a file. `"same"`: it is as it was when all of it was shown; `"part"`: not all of it was; `"edited"`:
 * and that part is no longer known by its lines; `"fresh"`: all was, but only in the reply that the call is in.
 */
export type Known = "unseen" | "same" | "part" | "edited" | "fresh" | "changed" | "gone";

/** The files that a run has read or written, runs inside it included, by their real paths. */
export type SeenFiles = {
  /** Remembers a file as it looked when it was opened, and what of it was shown. */
  add(path: string, stats: BigIntStats, hash?: string, showing?: Showing): void;
  forget(path: string): void;
  /** How the call stands to a file that looks so; `bytes` are asked for only if they decide. */
  compare(path: string, stats: BigIntStats | undefined, bytes: () => Uint8Array, call?: CallAt): Known;
  /** The first lines of a file that the call's model has not been shown. */
  gap(path: string, call?: CallAt): Lines | undefined;
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
    add(path, stats, hash, { lines = [allLines], by, edited = false } = {}) {
      const { size, mtimeNs, ctimeNs, ino } = stats;
      const old = files.get(path);
      const before = old !== undefined && isSame(old, stats, () => hash) ? old : undefined;
      const parts = joined([...(before?.parts ?? []), { lines, by: by?.path }], by);
      files.delete(path);
      files.set(path, { size, mtimeNs, ctimeNs, ino, hash, parts, edited: edited || before?.edited === true });
      if (files.size > limit) files.delete(files.keys().next().value!);
    },
    forget(path) {
      files.delete(path);
    },
    compare(path, stats, bytes, call) {
      const seen = files.get(path);
      if (seen === undefined) return "unseen";
      if (stats === undefined) return "gone";
      if (!isSame(seen, stats, () => hashOf(bytes()))) return "changed";
      if (gapIn(seen, call) === undefined) return "same";
      if (gapIn(seen, undefined) === undefined) return "fresh";
      return seen.edited ? "edited" : "part";
    },
    gap(path, call) {
      const seen = files.get(path);
      return seen === undefined ? allLines : gapIn(seen, call);
    },
  };
}

/** By what is in it, where that is known: within a tick of its clock a file may change and look the same. */
function isSame(seen: Seen, stats: BigIntStats, hash: () => string | undefined): boolean {
  if (seen.size !== stats.size) return false;
  const now = seen.hash === undefined ? undefined : hash();
  if (now !== undefined) return now === seen.hash;
  return seen.mtimeNs === stats.mtimeNs && seen.ctimeNs === stats.ctimeNs && seen.ino === stats.ino;
}

/** The first lines that were not shown, or only in the reply that the call is in. */
function gapIn({ parts }: Seen, call: CallAt | undefined): Lines | undefined {
  const read = parts.filter(({ by }) => by === undefined || call === undefined || !inOneReply(by, call));
  return firstGap(read.flatMap(({ lines }) => lines));
}

/** The same parts: those of earlier replies than that of the call put together. */
function joined(parts: readonly Part[], call: CallAt | undefined): Part[] {
  const waits = ({ by }: Part) => by !== undefined && call !== undefined && (by === call.path || inOneReply(by, call));
  const read = joinLines(parts.filter((part) => !waits(part)).flatMap(({ lines }) => lines));
  const waiting = Map.groupBy(parts.filter(waits), ({ by }) => by);
  return [
    ...(read.length > 0 ? [{ lines: read, by: undefined }] : []),
    ...[...waiting].map(([by, same]) => ({ lines: joinLines(same.flatMap(({ lines }) => lines)), by })),
  ];
}

/** A hash that takes the content in pieces. */
export const startHash = (): Hash => createHash("sha256");

/** The hash of a whole content. */
export const hashOf = (bytes: Uint8Array): string => startHash().update(bytes).digest("base64");
