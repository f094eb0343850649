import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { OpenFolder } from "./open-folder.ts";
import { overwrite } from "./overwrite.ts";
import { isReplaceable, takeOver } from "./take-over.ts";
import { emptyFile, fill, folderApart, namesToDisk, temporaryFile } from "./temporary-file.ts";

const { O_RDWR, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;

export type Replacing = {
  readonly folder: OpenFolder;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** What is there now; undefined: nothing. */
  readonly before: Uint8Array | undefined;
  /** The file in errors. */
  readonly shown: string;
  /** Called right before anything that is there is changed, with the file if there is one; throws if it must not be. */
  check(fd: number | undefined): void;
};

/**
 * Writes a whole file. Whatever fails, all is as before and nothing is left behind; throws raw errors. Returns how the file looks now.
 *
 * A new file is written beside its place and then gets its name, so at any moment there is all of it or nothing. The same
 * with one that is there, where the new one can be given all that belongs to the old one (owner, access list, attributes)
 * and no other name (hard link) would be parted from it: see {@link isReplaceable} and {@link takeOver}. Elsewhere it
 * stays the same file and is written over: see {@link overwrite}.
 */
export function replaceFile(given: Replacing): Promise<BigIntStats> {
  return given.before === undefined ? makeFile(given) : changeFile(given, given.before);
}

/** How the file of this name looks, without following it if it is a link; undefined if there is none. */
export const statIn = (folder: OpenFolder, name: string): BigIntStats | undefined =>
  lstatSync(join(folder.at, name), { bigint: true, throwIfNoEntry: false });

async function makeFile({ folder, name, bytes, check }: Replacing): Promise<BigIntStats> {
  const temporary = await temporaryFile(folder, bytes, 0o666);
  try {
    check(undefined);
    renameSync(temporary.path, join(folder.at, name));
    temporary.keep();
  } catch (error) {
    temporary.remove();
    throw error;
  }
  const now = lstatSync(join(folder.at, name), { bigint: true });
  await namesToDisk(folder);
  return now;
}

async function changeFile(given: Replacing, before: Uint8Array): Promise<BigIntStats> {
  const { folder, name } = given;
  // For writing, also where another file takes its place: so the system says if it may not be written.
  const fd = openSync(join(folder.at, name), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  try {
    const exchanged = await exchange(fd, given);
    if (exchanged !== undefined) {
      await namesToDisk(folder);
      return exchanged;
    }
    await overwrite(fd, given, before);
    return fstatSync(fd, { bigint: true });
  } finally {
    closeSync(fd);
  }
}

/** Puts another file in the place of this one; undefined if that cannot be, or something would be lost by it. */
async function exchange(fd: number, given: Replacing): Promise<BigIntStats | undefined> {
  const old = fstatSync(fd, { bigint: true });
  if (!(await isReplaceable(fd, old))) return undefined;
  const made = makeApart(given.folder);
  if (made === undefined) return undefined;
  const { apart, own, temporary } = made;
  try {
    if (!(await takeOver(fd, own))) return undefined;
    await fill(own, given.bytes);
    given.check(fd);
    // Who may read it, and how many names it has, is to be as it was when that was copied.
    if (fstatSync(fd, { bigint: true }).ctimeNs !== old.ctimeNs) return undefined;
    try {
      renameSync(temporary.path, join(given.folder.at, given.name));
    } catch {
      // Something may be mounted on it.
      return undefined;
    }
    temporary.keep();
    return fstatSync(own, { bigint: true });
  } finally {
    temporary.remove();
    closeSync(own);
    apart.remove();
  }
}

/** An empty file where nobody else can open it; undefined if there is none to be had. */
function makeApart(folder: OpenFolder) {
  let apart: ReturnType<typeof folderApart> | undefined;
  try {
    apart = folderApart(folder);
    const { fd, file } = emptyFile(apart.folder, 0o600);
    return { apart, own: fd, temporary: file };
  } catch {
    apart?.remove();
    return undefined;
  }
}
