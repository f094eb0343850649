import { randomBytes } from "node:crypto";
import { closeSync, constants, fsync, mkdirSync, openSync, rmdirSync, rmSync, writeFile } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type OpenFolder, openFolder } from "./open-folder.ts";

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_DIRECTORY = 0 } = constants;

/** What takes away those that are there now: whoever ends the process in the middle of a write leaves none behind. */
const there = new Set<() => void>();

/** The newest first: a file goes before the folder that it is in. */
function removeAll(): void {
  for (const remove of [...there].reverse()) remove();
}

function enter(remove: () => void): void {
  if (there.size === 0) process.on("exit", removeAll);
  there.add(remove);
}

function leave(remove: () => void): void {
  there.delete(remove);
  if (there.size === 0) process.off("exit", removeAll);
}

// A short name of its own: one made of another file's name could be too long.
const newName = () => `.rondo-${randomBytes(9).toString("hex")}.tmp`;

/** A file that is there for a while. */
export type TemporaryFile = {
  readonly path: string;
  readonly name: string;
  remove(): void;
  /** It is to stay, under this name or another: `remove` does nothing any more. */
  keep(): void;
  isKept(): boolean;
};

/** Makes such a file, empty and open for writing, which whoever makes it has to close; throws raw errors. */
export function emptyFile(folder: OpenFolder, mode: number): { readonly fd: number; readonly file: TemporaryFile } {
  const name = newName();
  const path = join(folder.at, name);
  const take = () => rmSync(path, { force: true });
  // Opened at once, so that there is no moment at which it may be there and is not among those to be removed.
  const fd = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  enter(take);
  const keep = () => leave(take);
  function remove(): void {
    if (there.has(take)) take();
    keep();
  }
  return { fd, file: { path, name, remove, keep, isKept: () => !there.has(take) } };
}

/** Writes such a file, whole and on the disk; throws raw errors, and then leaves nothing behind. */
export async function temporaryFile(folder: OpenFolder, bytes: Uint8Array, mode: number): Promise<TemporaryFile> {
  const { fd, file } = emptyFile(folder, mode);
  try {
    await fill(fd, bytes);
    return file;
  } catch (error) {
    file.remove();
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** Writes an empty file, to the disk. */
export async function fill(fd: number, bytes: Uint8Array): Promise<void> {
  await promisify(writeFile)(fd, bytes);
  await toDisk(fd);
}

/** Makes a folder that nobody else can look into, for files that are not to be found yet. `remove` once it is empty. */
export function folderApart(folder: OpenFolder): { readonly folder: OpenFolder; remove(): void } {
  const path = join(folder.at, newName());
  function take(): void {
    try {
      rmdirSync(path);
    } catch {
      // Somebody else has moved it, or has put something in it.
    }
  }
  function remove(): void {
    if (there.has(take)) take();
    leave(take);
  }
  mkdirSync(path, 0o700);
  enter(take);
  try {
    const opened = openFolder(path);
    return {
      folder: opened,
      remove() {
        remove();
        opened.close();
      },
    };
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
