import { ftruncateSync, writeSync } from "node:fs";
import type { Replacing } from "./replace-file.ts";
import { dropLentRights } from "./take-over.ts";
import { namesToDisk, type TemporaryFile, temporaryFile, toDisk } from "./temporary-file.ts";
import { reasonOf } from "./workspace.ts";

/**
 * Writes an open file over, in place: it stays the same file, with all that belongs to it. Whoever reads it meanwhile may
 * see a part. What it held is kept on the disk beside it until what it is to hold is there, and the writing itself is one
 * piece that nothing in this process interrupts. If it fails, it is taken back.
 */
export async function overwrite(fd: number, given: Replacing, before: Uint8Array): Promise<void> {
  const { folder, bytes, shown, check } = given;
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
