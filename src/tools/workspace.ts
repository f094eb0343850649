import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { resolve, sep } from "node:path";
import type { ToolContext } from "../menu/context.ts";
import { deepestFolder } from "./deepest-folder.ts";
import { nearNames } from "./near-names.ts";
import { pathInside } from "./path-inside.ts";
import { isSecretIn } from "./secret-in.ts";
import { isSecret } from "./secrets.ts";
import { type SettingsPlace, settingsPlaces } from "./settings-place.ts";
import { showPath } from "./show-name.ts";
import { hiddenAround } from "./surroundings.ts";

/**
 * The folder that tools may read and write. `root` is its real path; `allowSecrets` also opens files that hold secrets,
 * `allowUnsafePaths` also writes files that others execute or trust. `around` goes before a path where the name of a
 * secret may begin outside; it ends with `/`, and is empty for nearly every workspace. `settings` is empty unless the
 * settings of the user are in it, or around it.
 */
export type Workspace = {
  readonly root: string;
  readonly around: string;
  readonly settings: readonly SettingsPlace[];
  readonly allowSecrets: boolean;
  readonly allowUnsafePaths: boolean;
};

/**
 * An existing file or folder inside the workspace. `real` is its absolute path without symbolic links, `path` the same
 * relative to the root with `/` between its parts (`""` for the root), `named` what the caller called it, likewise.
 */
export type Place = { readonly given: string; readonly real: string; readonly path: string; readonly named: string };

/** Throws if the folder is missing, or one of secrets. */
export function openWorkspace(
  root: string,
  options: { readonly allowSecrets?: boolean; readonly allowUnsafePaths?: boolean } = {},
): Workspace {
  const { allowSecrets = false, allowUnsafePaths = false } = options;
  let real: string;
  try {
    real = realpathSync.native(root);
  } catch (error) {
    throw new Error(`The workspace folder cannot be used: ${reasonOf(error)}.`);
  }
  const around = hiddenAround(real);
  const workspace = { root: real, around, settings: settingsPlaces(real), allowSecrets, allowUnsafePaths };
  if (!allowSecrets && (isSecretIn(workspace, "") || isSecret(hiddenAround(resolve(root)))))
    throw new Error(
      "The workspace folder is a folder of keys, passwords or other secrets, or lies in one, so nothing in it is read or written. Ask the user for another one; only a runtime with allowSecrets takes it.",
    );
  return workspace;
}

/** The workspace of the run that a tool is called in. */
export const workspaceOf = ({ runtime }: ToolContext): Workspace => openWorkspace(runtime.workspace, runtime);

/**
 * Finds what a path names, following symbolic links as long as they end inside the workspace. Throws an error for the
 * model otherwise; it says the same for things outside whether they exist or not.
 */
export function locate(workspace: Workspace, given: string): Place {
  checkText(given);
  const absolute = resolve(workspace.root, given);
  let real: string;
  try {
    real = realpathSync.native(absolute);
  } catch (error) {
    throw missing(workspace, given, absolute, error);
  }
  const path = pathInside(workspace.root, real);
  if (path === undefined) throw outside(given);
  return { given, real, path, named: pathInside(workspace.root, absolute) ?? path };
}

const missings = new WeakSet<Error>();

/** True for the error of {@link locate} that says that nothing has this name inside the workspace. */
export const isMissing = (error: unknown): boolean => error instanceof Error && missings.has(error);

/** The reason of a failed file operation, in words and without the absolute path that Node puts into its message. */
export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return (code !== undefined && reasons[code]) || `the file system says ${code ?? "no"}`;
}

const reasons: { readonly [code: string]: string | undefined } = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENOENT: "it does not exist",
  ENOTDIR: "a part of its path is not a folder",
  EISDIR: "it is a folder",
  ELOOP: "it is a symbolic link, or too many of them",
  EMFILE: "too many files are open, try again",
  ENFILE: "too many files are open, try again",
  ENAMETOOLONG: "its name is too long",
  ENXIO: "it is not a regular file",
  EIO: "the disk reports an error",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "it would be too large for the file system",
  EROFS: "the disk is read-only",
  EBUSY: "it is in use, or something is mounted there",
  ETXTBSY: "it is a program that is running",
};

export const outside = (given: string): Error =>
  new Error(
    `"${showPath(given)}" is outside of the workspace. Only what is inside can be used: give a path relative to its root, such as "${insideOf(given)}".`,
  );

/** What was probably meant: small models begin paths with a slash, and copy an example as it stands. */
function insideOf(given: string): string {
  const path = given.replace(/^(?:[a-z]:)?[/\\]+/i, "");
  return path === given || path === "" || path.includes("..") ? "src/index.ts" : showPath(path);
}

/** Throws for a text that is no path at all. */
export function checkText(given: string): void {
  if (given.trim() === "")
    throw new Error('The path is empty. Give a path relative to the workspace; "." is the workspace itself.');
  if (given.includes("\0")) throw new Error(`"${showPath(given)}" is not a path: it has a NUL character.`);
  if (/^~[^/\\]*(?:[/\\]|$)/.test(given))
    throw new Error(
      `"${showPath(given)}": "~" is not the home folder here. Give a path relative to the workspace (a file of that name: "./${showPath(given)}").`,
    );
  // On Windows a colon behind the drive opens another stream of the same file, past every check of its name.
  if (sep === "\\" && given.indexOf(":", 2) > 0) throw new Error(`"${showPath(given)}" is not a path: it has a colon.`);
}

/** Why a path has no real path, found from its deepest folder that exists; a symbolic link is not followed to say it. */
function missing(workspace: Workspace, given: string, absolute: string, cause: unknown): Error {
  const { folder: parent, rest } = deepestFolder(absolute);
  const folder = pathInside(workspace.root, parent);
  if (folder === undefined) return outside(given);
  const shown = `"${showPath(given)}"`;
  const name = rest[0]!;
  try {
    if (lstatSync(resolve(parent, name)).isSymbolicLink())
      return new Error(
        `${shown} goes through the symbolic link "${showPath(name)}", which leads outside of the workspace or to nothing.`,
      );
    return new Error(`${shown} cannot be read: ${reasonOf(cause)}.`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOTDIR") return new Error(`${shown} does not exist: "${showPath(folder)}" is a file, not a folder.`);
    if (code !== "ENOENT") return new Error(`${shown} cannot be read: ${reasonOf(error)}.`);
  }
  const where = folder === "" ? "the workspace" : `"${showPath(folder)}"`;
  const near = namesNear(workspace, name, parent, folder);
  const advice = near === "" ? "list_dir and glob show what is there." : `Did you mean ${near}?`;
  const error = new Error(`${shown} does not exist: there is no "${showPath(name)}" in ${where}. ${advice}`);
  missings.add(error);
  return error;
}

/** The names that were most likely meant, without those that would be refused. */
function namesNear(workspace: Workspace, name: string, parent: string, folder: string): string {
  const prefix = folder === "" ? "" : `${folder}/`;
  const hidden = (path: string) => !workspace.allowSecrets && isSecretIn(workspace, path);
  function leadsInside(entry: string): boolean {
    try {
      const { path } = locate(workspace, resolve(parent, entry));
      return !hidden(path) && !hidden(`${path}/`);
    } catch {
      return false;
    }
  }
  try {
    if (hidden(prefix)) return "";
    const entries = readdirSync(parent, { withFileTypes: true });
    const names = entries
      .filter((entry) => !hidden(prefix + entry.name + (entry.isDirectory() ? "/" : "")))
      .map((entry) => entry.name);
    return nearNames(name, names)
      .filter(leadsInside)
      .map((entry) => `"${showPath(prefix + entry)}"`)
      .join(" or ");
  } catch {
    return "";
  }
}
