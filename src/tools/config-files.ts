import { type BigIntStats, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, sep } from "node:path";
import { followed } from "./deepest-folder.ts";
import { plainPath, spellings } from "./plain-path.ts";
import { checkoutAround } from "./surroundings.ts";

type Environment = { readonly [name: string]: string | undefined };

/** The configuration of a project, in its folder. */
export const projectFileName = "rondo.config.json";

/** The folder of the user's own configuration: `$XDG_CONFIG_HOME/rondo`, else `~/.config/rondo`; on Windows `%APPDATA%\rondo`. */
export function userFolder(env: Environment = process.env, platform: NodeJS.Platform = process.platform): string {
  // A relative path is to be ignored, says the specification of that variable.
  const given = env.XDG_CONFIG_HOME;
  if (given !== undefined && isAbsolute(given)) return join(given, "rondo");
  if (platform === "win32" && env.APPDATA !== undefined && isAbsolute(env.APPDATA)) return join(env.APPDATA, "rondo");
  return join(env.HOME || homedir(), ".config", "rondo");
}

export const userFile = (env?: Environment): string => join(userFolder(env), "config.json");

/** Folders in which the configuration of a project may be that is worked on in this one: itself, and those around it in its checkout. */
export function projectFolders(root: string): string[] {
  const { base } = checkoutAround(root);
  // Outside of a checkout nobody says how far a project goes; what lies around may be anybody's, as in /tmp.
  if (statOf(join(base, ".git")) === undefined) return [root];
  return foldersUpTo(root, base);
}

function foldersUpTo(from: string, top: string): string[] {
  const folders = [from];
  for (let folder = from; folder !== top && dirname(folder) !== folder; ) {
    folder = dirname(folder);
    folders.push(folder);
  }
  return folders;
}

/**
 * True for what says what Rondo may do: a `rondo.config.json`, all that is in the folder of the user's configuration, and
 * files that are the same by another name (through links too) as one that counts in this workspace. Absolute real path.
 * No runtime lets its tools write them.
 */
export function isConfigFile(root: string, real: string): boolean {
  // A folder of that name too: the command could not begin beside it.
  const names = real.split(sep);
  if (names.some((name) => spellings(`/${name}`).includes(`/${projectFileName}`))) return true;
  if (isInUserFolder(real)) return true;
  const file = statOf(real);
  if (file === undefined || !file.isFile()) return false;
  const around = [...projectFolders(root), ...foldersUpTo(dirname(real), root)];
  const files = [userFile(), ...around.map((folder) => join(folder, projectFileName))];
  return files.some((path) => isSame(statOf(path), file));
}

/** The folder itself counts too: where there is none yet, a file could be made in its place. */
export function isInUserFolder(real: string): boolean {
  const folder = userFolder();
  const path = `${comparable(real)}/`;
  return [folder, followed(folder)].some((one) => path.startsWith(`${comparable(one)}/`));
}

/** Whether an opened file is that of the user's configuration, whatever its name: the same by a hard link, say. */
export const isUserFile = (opened: BigIntStats): boolean => isSame(statOf(userFile()), opened);

/** Device and number of the user's configuration, if it may have other names. */
export function linkedUserFile(): string | undefined {
  const stats = statOf(userFile());
  return stats !== undefined && stats.nlink > 1 ? `${stats.dev}:${stats.ino}` : undefined;
}

const comparable = (path: string): string => plainPath(sep === "/" ? path : path.replaceAll(sep, "/"));

const isSame = (one: BigIntStats | undefined, other: BigIntStats): boolean =>
  one !== undefined && one.ino === other.ino && one.dev === other.dev;

function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
