import type { Stats } from "node:fs";
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
} from "node:fs";
import { isUserFile } from "./config-files.ts";
import { pathInside } from "./path-inside.ts";
import { isSecretIn } from "./secret-in.ts";
import { showPath } from "./show-name.ts";
import { outside, type Place, reasonOf, type Workspace } from "./workspace.ts";

/** A file that was opened and then found to be inside the workspace. Whoever opens it closes `fd`. */
export type OpenFile = { readonly fd: number; readonly size: number };

// O_NOFOLLOW, O_NONBLOCK and O_DIRECTORY are missing on Windows, where they count as nothing.
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_DIRECTORY = 0, O_NOCTTY = 0 } = constants;
/** Where opened files have paths that stay true; absent where there is no such place. */
export const fdFolder = process.platform === "linux" && existsSync("/proc/self/fd") ? "/proc/self/fd" : undefined;

/**
 * Opens a regular file for reading. Between {@link Place} and here anybody may have put a symbolic link in its way, so
 * what counts is where the opened file is, not what its path was. Never waits for the other end of a pipe. (A hard link
 * to a file outside cannot be told from the file itself; to make one takes the right to write here and there.)
 */
export function openFile(workspace: Workspace, place: Place): OpenFile {
  refuseSecret(workspace, place, "");
  try {
    // Asked before opening: the mere opening of a device can do something.
    refuseOther(lstatSync(place.real), place);
    return openRegular(workspace, place);
  } catch (error) {
    throw readable(error, place.given);
  }
}

/** {@link openFile} for a file that was just met as a regular one in its folder, one system call cheaper; throws raw errors. */
export function openRegular(workspace: Workspace, place: Place): OpenFile {
  const fd = openSync(place.real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  try {
    const stats = fstatSync(fd);
    refuseOther(stats, place);
    checkOpened(workspace, fd, place, "");
    refuseUserFile(workspace, fd, stats, place);
    return { fd, size: stats.size };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/**
 * Opens a folder and calls `use` with a path for it that stays true even if somebody moves the folder or puts a
 * symbolic link in its place (on Linux; elsewhere the folder is checked again behind `use`).
 */
export function inDirectory<T>(workspace: Workspace, place: Place, use: (at: string) => T): T {
  refuseSecret(workspace, place, "/");
  let fd: number | undefined;
  try {
    if (fdFolder === undefined) return inDirectoryByPath(workspace, place, use);
    fd = openSync(place.real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_DIRECTORY);
    checkOpened(workspace, fd, place, "/");
    return use(`${fdFolder}/${fd}`);
  } catch (error) {
    throw readable(error, place.given);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function inDirectoryByPath<T>(workspace: Workspace, place: Place, use: (at: string) => T): T {
  if (!lstatSync(place.real).isDirectory()) throw Object.assign(new Error(), { code: "ENOTDIR" });
  const value = use(place.real);
  if (realpathSync.native(place.real) !== place.real || pathInside(workspace.root, place.real) === undefined)
    throw outside(place.given);
  return value;
}

/** Where the opened file really is must be inside, and no secret. */
function checkOpened(workspace: Workspace, fd: number, place: Place, ending: "" | "/"): void {
  const actual = pathOf(fd, place);
  if (actual === place.real) return;
  const path = pathInside(workspace.root, actual);
  if (path === undefined) throw outside(place.given);
  refuseSecret(workspace, { ...place, path }, ending);
}

function pathOf(fd: number, place: Place): string {
  if (fdFolder !== undefined) return readlinkSync(`${fdFolder}/${fd}`).replace(/ \(deleted\)$/, "");
  const actual = realpathSync.native(place.real);
  const opened = fstatSync(fd, { bigint: true });
  const named = statSync(actual, { bigint: true });
  if (opened.ino !== named.ino || opened.dev !== named.dev)
    throw new Error(`"${showPath(place.given)}" was replaced while it was opened. Try again.`);
  return actual;
}

function refuseSecret(workspace: Workspace, place: Place, ending: "" | "/"): void {
  if (workspace.allowSecrets) return;
  if (!isSecretIn(workspace, place.path + ending) && !isSecretIn(workspace, place.named + ending)) return;
  throw secret(place, "by its name");
}

/** Another name of the user's own configuration. */
function refuseUserFile(workspace: Workspace, fd: number, { nlink }: Stats, place: Place): void {
  if (workspace.allowSecrets || nlink < 2 || !isUserFile(fstatSync(fd, { bigint: true }))) return;
  throw secret(place, "being the configuration of Rondo by another name,");
}

function secret(place: Place, why: string): Error {
  return new Error(
    `"${showPath(place.given)}" is not read: ${why} it holds keys, passwords or other secrets, and the runtime is without allowSecrets. Do without it, or ask the user for what you need to know.`,
  );
}

function refuseOther(stats: Stats, place: Place): void {
  if (stats.isFile()) return;
  const given = `"${showPath(place.given)}"`;
  if (stats.isDirectory()) throw new Error(`${given} is a folder. Use list_dir to see what is in it.`);
  if (stats.isSymbolicLink()) throw outside(place.given);
  throw new Error(`${given} is not a regular file (but a pipe, a socket or a device), so it is not read.`);
}

/** Errors of Node name absolute paths and bring a code; ours have none and stay. */
function readable(error: unknown, given: string): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === undefined) return error;
  if (code === "ELOOP") return outside(given);
  if (code === "ENOTDIR") return new Error(`"${showPath(given)}" is not a folder. Use read_file to read a file.`);
  return new Error(`"${showPath(given)}" cannot be read: ${reasonOf(error)}.`);
}
