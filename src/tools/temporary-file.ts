import { randomBytes } from "node:crypto";
import { closeSync, constants, fsync, openSync, rmSync, writeFile } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { OpenFolder } from "./open-folder.ts";

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_DIRECTORY = 0 } = constants;

/** Those that are there now: whoever ends the process in the middle of a write leaves none behind. */
const there = new Set<string>();

function removeAll(): void {
  for (const path of there) rmSync(path, { force: true });
}

/** A file that is there for a while, whole and on the disk. */
export type TemporaryFile = {
  readonly path: string;
  readonly name: string;
  remove(): void;
  /** It is to stay, under this name or another: `remove` does nothing any more. */
  keep(): void;
  isKept(): boolean;
};

/** Writes such a file into a folder; throws raw errors, and then leaves nothing behind. */
export async function temporaryFile(folder: OpenFolder, bytes: Uint8Array, mode: number): Promise<TemporaryFile> {
  // A short name of its own: one made of another file's name could be too long.
  const name = `.rondo-${randomBytes(9).toString("hex")}.tmp`;
  const path = join(folder.at, name);
  // Opened at once, so that there is no moment at which it may be there and is not among those to be removed.
  const fd = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  if (there.size === 0) process.on("exit", removeAll);
  there.add(path);
  function keep(): void {
    there.delete(path);
    if (there.size === 0) process.off("exit", removeAll);
  }
  function remove(): void {
    if (there.has(path)) rmSync(path, { force: true });
    keep();
  }
  try {
    try {
      await promisify(writeFile)(fd, bytes);
      await toDisk(fd);
    } finally {
      closeSync(fd);
    }
    return { path, name, remove, keep, isKept: () => !there.has(path) };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Waits until what was written is on the disk. */
export const toDisk = promisify(fsync);

/** The same for the names in a folder. Not every system can do it, and the files are whole without it. */
export async function namesToDisk(folder: OpenFolder): Promise<void> {
  let fd: number | undefined;
  try {
    fd = openSync(folder.at, O_RDONLY | O_DIRECTORY);
    await toDisk(fd);
  } catch {
    // See above.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
