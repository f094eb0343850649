import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { usageError } from "../usage-error.ts";

/** The largest configuration, in bytes. */
const most = 1024 * 1024;

const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;

/**
 * The bytes of a small regular file; undefined if nothing is there. Usage errors for what cannot be read, whatever it is:
 * a folder, a pipe, a link to nothing, something huge.
 */
export function readBytes(path: string, limit: number = most): Buffer | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    const stats = fstatSync(fd);
    if (stats.isDirectory()) throw usageError(`${path} is a folder, not a file`);
    if (!stats.isFile()) throw usageError(`${path} is no regular file`);
    // Read up to the bound and no further, whatever the file system says of its size.
    const bytes = Buffer.alloc(Math.min(stats.size, limit) + 1);
    let end = 0;
    for (let count = -1; count !== 0 && end < bytes.length; end += count)
      count = readSync(fd, bytes, end, bytes.length - end, end);
    if (stats.size > limit || end > limit) throw usageError(`${path} is too large: at most ${limit / 1024 / 1024} MB`);
    return bytes.subarray(0, end);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") {
      if (!isLink(path)) return undefined;
      throw usageError(`${path} is a symbolic link to nothing`);
    }
    if (code === "EACCES" || code === "EPERM") throw usageError(`${path} cannot be read: permission denied`);
    if (code === "EISDIR") throw usageError(`${path} is a folder, not a file`);
    if (code === "ELOOP") throw usageError(`${path} cannot be read: its symbolic links lead in a circle`);
    throw code === "invalid_option" ? error : usageError(`${path} cannot be read: ${code}`);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** Bytes as text, without a byte order mark. */
export function textOf(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw usageError(`${path} is not UTF-8 text`);
  }
}
