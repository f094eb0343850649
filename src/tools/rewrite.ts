import { accessSync, type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { currentScope } from "../agent/scope.ts";
import type { ToolContext } from "../menu/context.ts";
import type { Lines } from "./lines.ts";
import { type CallAt, callAround } from "./one-reply.ts";
import { type OpenFolder, openBelow, openFolder } from "./open-folder.ts";
import { pathInside } from "./path-inside.ts";
import { replaceFile, statIn } from "./replace-file.ts";
import { hashOf, type Known, type SeenFiles, seenFiles } from "./seen-files.ts";
import { showPath } from "./show-name.ts";
import { showSizes } from "./show-size.ts";
import { checkShown } from "./shown-files.ts";
import { locateTarget, refuse, type Target } from "./target.ts";
import { outside, reasonOf, type Workspace, workspaceOf } from "./workspace.ts";

/** The largest file that is written or edited, in bytes. */
export const largestText = 10 * 1024 * 1024;

/** What is at the place to write to. `known`: how the run stands to it; `"unknown"` outside of any run. */
export type Before = {
  readonly bytes: Buffer | undefined;
  readonly known: Known | "unknown";
  /** The first lines that the model has not seen; undefined if it has seen all, and outside of any run. */
  readonly gap: Lines | undefined;
  /** The model reads no values of secret variables of the process, so it cannot have seen those that are in the file. */
  readonly redacted: boolean;
  /** How many names the file has: more than one for hard links. */
  readonly names: number;
  readonly shown: string;
  readonly path: string;
  /** The real path. */
  readonly real: string;
};

/** What is to be there: bytes, or `undefined` to leave all as it is; and what the tool then answers. */
export type After = {
  readonly bytes: Uint8Array | undefined;
  readonly answer: string;
  /**
   * Whether the model has seen all of what is then in the file: yes, by default; or only once it has read the answers to
   * the reply that the call is in.
   */
  readonly seen?: "yes" | "fresh" | "no";
};

/**
 * Writes a file of the workspace: finds the place, asks `plan` with what is there, and puts what it returns in its place,
 * all of it or nothing. Folders on the way are made. Throws errors for the model, those of `plan` among them.
 */
export async function rewrite(given: string, ctx: ToolContext, plan: (before: Before) => After): Promise<string> {
  const { signal } = ctx;
  signal.throwIfAborted();
  const workspace = workspaceOf(ctx);
  const target = locateTarget(workspace, given);
  const start = opened(target);
  try {
    checkPlace(workspace, target, start, target.missing);
    return await inFolder(workspace, target, start, plan, ctx);
  } catch (error) {
    throw readable(error, given);
  } finally {
    start.close();
  }
}

/** A call, and the files that its run has seen. */
export type Asking = {
  readonly seen: SeenFiles | undefined;
  readonly call: CallAt | undefined;
  readonly redacted?: boolean | undefined;
};

/**
 * What is at the place that a call would write to, for whoever wants to know beforehand; makes and changes nothing. Throws
 * what the call would throw, that it may not write there included.
 */
export function lookBefore(given: string, workspace: Workspace, asking: Asking | undefined): Before {
  const target = locateTarget(workspace, given);
  const shown = `"${showPath(given)}"`;
  const folder = opened(target);
  try {
    const real = checkPlace(workspace, target, folder, target.missing);
    const none: Old = { stats: undefined, bytes: undefined };
    const old = target.missing.length > 0 ? none : readOld(folder, target.name, shown);
    accessSync(folder.at, constants.W_OK);
    if (old.stats !== undefined) accessSync(join(folder.at, target.name), constants.W_OK);
    return beforeOf(asking, target.path, real, old, shown);
  } catch (error) {
    throw readable(error, given);
  } finally {
    folder.close();
  }
}

async function inFolder(
  workspace: Workspace,
  target: Target,
  start: OpenFolder,
  plan: (before: Before) => After,
  { signal, callId }: ToolContext,
): Promise<string> {
  const asking = { seen: seenFiles(), call: callAround(), redacted: currentScope()?.run?.inherited.redact };
  const { seen, call } = asking;
  const below = openBelow(start, target.missing);
  const { folder } = below;
  const shown = `"${showPath(target.given)}"`;
  try {
    const place = checkPlace(workspace, target, folder, []);
    const old = readOld(folder, target.name, shown);
    const { stats, bytes } = old;
    checkShown(callId, target.given, place, bytes, shown);
    const after = plan(beforeOf(asking, target.path, place, old, shown));
    if (after.bytes === undefined) {
      if (stats !== undefined && bytes !== undefined) seen?.add(place, stats, hashOf(bytes));
      return after.answer;
    }
    const check = (fd: number | undefined) => {
      signal.throwIfAborted();
      checkPlace(workspace, target, folder, []);
      checkUnchanged(stats, statIn(folder, target.name), shown);
      if (fd === undefined) return;
      checkUnchanged(stats, fstatSync(fd, { bigint: true }), shown);
      // Within a tick of its clock a file may change and look the same.
      if (bytes === undefined || !contentOf(fd, bytes.length + 1).equals(bytes)) throw replacedMeanwhile(shown);
    };
    const now = await replaceFile({ folder, name: target.name, bytes: after.bytes, before: bytes, shown, check });
    const showing =
      after.seen === "no" ? { lines: [], edited: true } : { by: after.seen === "fresh" ? call : undefined };
    seen?.add(place, now, hashOf(after.bytes), showing);
    return after.answer;
  } catch (error) {
    below.undo();
    throw error;
  } finally {
    below.close();
  }
}

/** What is to be said of a file with several names (hard links): all of them are written. */
export const otherNames = (names: number): string =>
  names < 2 ? "" : ` The file has ${names} names (hard links); by all of them it is changed.`;

/** How the call stands to the file. That one is gone is told once: then it may be made anew. */
function beforeOf(asking: Asking | undefined, path: string, real: string, old: Old, shown: string): Before {
  const { seen, call } = asking ?? {};
  const { stats, bytes } = old;
  const known = seen?.compare(real, stats, () => bytes ?? Buffer.alloc(0), call) ?? "unknown";
  if (known === "gone") seen?.forget(real);
  return {
    bytes,
    known,
    gap: seen?.gap(real, call),
    redacted: asking?.redacted ?? false,
    names: Number(stats?.nlink ?? 0),
    shown,
    path,
    real,
  };
}

function opened(target: Target): OpenFolder {
  try {
    return openFolder(target.folder.real);
  } catch (error) {
    throw readable(error, target.given);
  }
}

/** Where the opened folder really is must be inside, and the file in it one that may be written. Returns the file's real path. */
function checkPlace(workspace: Workspace, target: Target, folder: OpenFolder, below: readonly string[]): string {
  const real = join(folder.actual(), ...below, target.name);
  const path = pathInside(workspace.root, real);
  if (path === undefined) throw outside(target.given);
  if (path !== target.path) refuse(workspace, target.given, [path]);
  return real;
}

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;

/** What is there, if it is a regular file; anything else is never opened. */
type Old = { readonly stats: BigIntStats | undefined; readonly bytes: Buffer | undefined };

function readOld(folder: OpenFolder, name: string, shown: string): Old {
  const met = statIn(folder, name);
  if (met === undefined) return { stats: undefined, bytes: undefined };
  if (met.isDirectory()) throw new Error(`${shown} is a folder. Give the path of a file.`);
  if (met.isSymbolicLink()) throw replacedMeanwhile(shown);
  if (!met.isFile())
    throw new Error(`${shown} is not a regular file (but a pipe, a socket or a device), so it is not written.`);
  if (met.size > largestText) {
    const [all, most] = showSizes(Number(met.size), largestText);
    throw new Error(`${shown} has ${all}; files of more than ${most} are not written or edited here.`);
  }
  const fd = openSync(join(folder.at, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  try {
    const stats = fstatSync(fd, { bigint: true });
    const bytes = contentOf(fd, Number(stats.size));
    checkUnchanged(met, fstatSync(fd, { bigint: true }), shown);
    return { stats, bytes };
  } finally {
    closeSync(fd);
  }
}

/** What is in an open file, up to so many bytes. */
function contentOf(fd: number, most: number): Buffer {
  const bytes = Buffer.alloc(most);
  let end = 0;
  for (let count = -1; count !== 0 && end < most; end += count) count = readSync(fd, bytes, end, most - end, end);
  return bytes.subarray(0, end);
}

function checkUnchanged(before: BigIntStats | undefined, now: BigIntStats | undefined, shown: string): void {
  const same =
    before?.ino === now?.ino &&
    before?.dev === now?.dev &&
    before?.size === now?.size &&
    before?.mtimeNs === now?.mtimeNs;
  if (!same) throw replacedMeanwhile(shown);
}

const replacedMeanwhile = (shown: string) =>
  new Error(`${shown} was changed by somebody else at this very moment, so nothing was written. Read it again.`);

/** Errors of Node name absolute paths and bring a code; ours have none and stay, and so does the reason of a signal. */
function readable(error: unknown, given: string): unknown {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (typeof code !== "string" || syscall === undefined) {
    if (code !== "ELOOP") return error;
  }
  if (code === "ELOOP") return outside(given);
  return new Error(`"${showPath(given)}" is not written: ${reasonOf(error)}. Nothing was changed.`);
}
