import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  renameSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { OpenFolder } from "./open-folder.ts";
import { namesToDisk, type TemporaryFile, temporaryFile, toDisk } from "./temporary-file.ts";
import { reasonOf } from "./workspace.ts";

const { O_RDWR, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;

type Replacing = {
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
 * A new file is written beside its place and then gets its name. One that is there stays the same file and is written over:
 * another one in its place would have to be given its owner, access lists and further attributes, which Node can neither
 * read nor set, and without which it may be open to more people than before; and it would part a file from its other names
 * (hard links). What is lost by it is that nobody can come between: so what it held is kept on the disk beside it until
 * what it is to hold is there, and the writing itself is one piece that nothing in this process interrupts.
 */
export function replaceFile(given: Replacing): Promise<BigIntStats> {
  return given.before === undefined ? makeFile(given) : overwrite(given, given.before);
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

async function overwrite({ folder, name, bytes, shown, check }: Replacing, before: Uint8Array): Promise<BigIntStats> {
  const fd = openSync(join(folder.at, name), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  try {
    // Whoever may read the file, a copy of it is for nobody else to pick up.
    const kept = await temporaryFile(folder, before, 0o600);
    try {
      await namesToDisk(folder);
      check(fd);
      dropLentRights(fd);
      writeOver(fd, bytes, before, kept);
      await toDisk(fd).catch((cause: unknown) => {
        kept.keep();
        throw cause;
      });
    } catch (error) {
      throw kept.isKept() ? damaged(shown, kept, error) : error;
    } finally {
      kept.remove();
    }
    return fstatSync(fd, { bigint: true });
  } finally {
    closeSync(fd);
  }
}

/** Takes the bits that lend the owner's rights away, as a write does; but not one of the administrator. */
function dropLentRights(fd: number): void {
  const { mode } = fstatSync(fd);
  if ((mode & 0o6000) === 0) return;
  try {
    fchmodSync(fd, mode & 0o1777);
  } catch {
    // Only its owner may: for everybody else the system does it.
  }
}

/** All at once: no other code of this process runs in between, and no signal is heard. */
function writeOver(fd: number, bytes: Uint8Array, before: Uint8Array, kept: TemporaryFile): void {
  try {
    writeAll(fd, bytes);
  } catch (error) {
    try {
      writeAll(fd, before);
    } catch {
      kept.keep();
    }
    throw error;
  }
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, at);
  ftruncateSync(fd, bytes.length);
}

const damaged = (shown: string, { name }: TemporaryFile, cause: unknown) =>
  new Error(
    `Writing ${shown} failed in the middle (${reasonOf(cause)}), so it may be damaged. What it held before is whole in "${name}" beside it. Tell the user.`,
  );
