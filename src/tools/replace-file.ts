import { randomBytes } from "node:crypto";
import { type BigIntStats, closeSync, constants, lstatSync, openSync, renameSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { OpenFolder } from "./open-folder.ts";

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_DIRECTORY = 0 } = constants;

type Replacing = {
  readonly folder: OpenFolder;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** What is there now; undefined: nothing. */
  readonly before: BigIntStats | undefined;
  /** Called right before the file gets its name; throws if it must not. */
  check(): void;
};

/**
 * Writes a whole file beside the one of this name and gives it that name: at any moment the old content is there or the
 * new, never half of it. Keeps mode bits and owner of the old one. Whatever fails, nothing is left behind; throws raw
 * errors. Returns how the file looks now.
 */
export async function replaceFile(given: Replacing): Promise<BigIntStats> {
  const { folder, name, bytes, before } = given;
  const path = join(folder.at, name);
  // The new file would take the place of one that may not be written; to open it for writing is how the system says so.
  if (before !== undefined) closeSync(openSync(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK));
  // A short name of its own: one made of the file's name could be too long.
  const temporary = join(folder.at, `.rondo-${randomBytes(9).toString("hex")}.tmp`);
  const mode = before === undefined ? 0o666 : 0o600;
  const handle = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    let now: BigIntStats;
    try {
      await handle.writeFile(bytes);
      if (before !== undefined) await keepRights(handle, before);
      await handle.sync();
      now = await handle.stat({ bigint: true });
    } finally {
      await handle.close();
    }
    given.check();
    renameSync(temporary, path);
    await syncFolder(folder);
    return now;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** How the file of this name looks, without following it if it is a link; undefined if there is none. */
export const statIn = (folder: OpenFolder, name: string): BigIntStats | undefined =>
  lstatSync(join(folder.at, name), { bigint: true, throwIfNoEntry: false });

async function keepRights(handle: FileHandle, before: BigIntStats): Promise<void> {
  const own = await handle.stat({ bigint: true });
  if (own.uid !== before.uid || own.gid !== before.gid)
    await handle.chown(Number(before.uid), Number(before.gid)).catch(() => {
      // Only an administrator gives files away.
    });
  // Without the bits that lend the owner's rights: a write takes them away too.
  await handle.chmod(Number(before.mode) & 0o777);
}

/** So that the name is on the disk too. Not every system can do it for folders, and the file is whole without it. */
async function syncFolder(folder: OpenFolder): Promise<void> {
  const handle = await open(folder.at, O_RDONLY | O_DIRECTORY).catch(() => undefined);
  try {
    await handle?.sync();
  } catch {
    // The same.
  } finally {
    await handle?.close();
  }
}
