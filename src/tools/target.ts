import { existsSync, lstatSync, realpathSync } from "node:fs";
import { basename, dirname, resolve, sep } from "node:path";
import { isConfigFile } from "./config-files.ts";
import { deepestFolder } from "./deepest-folder.ts";
import { entriesAt } from "./entries.ts";
import { hiddenIn } from "./hidden-characters.ts";
import { inDirectory } from "./open.ts";
import { pathInside } from "./path-inside.ts";
import { isSecretIn } from "./secret-in.ts";
import { asSettings } from "./settings-place.ts";
import { showPath } from "./show-name.ts";
import { checkoutAround } from "./surroundings.ts";
import { gitFolders, unsafeKind } from "./unsafe-paths.ts";
import { checkText, outside, type Place, reasonOf, type Workspace } from "./workspace.ts";

/**
 * Where a file is to be written. `folder` is the deepest folder on the way that exists, `missing` are the names of those
 * to make in it, `name` is that of the file in the last of them. `path` is the file's path relative to the root, with
 * symbolic links followed.
 */
export type Target = {
  readonly given: string;
  readonly folder: Place;
  readonly missing: readonly string[];
  readonly name: string;
  readonly path: string;
  readonly exists: boolean;
};

/** What common systems take, in bytes. Checked first, because folders are made and opened one by one. */
const longest = 4_000;

/**
 * Finds where the file with this path is, or would be. A symbolic link counts as the file that it leads to, which must be
 * inside the workspace and there. Throws an error for the model for what is not to be written.
 */
export function locateTarget(workspace: Workspace, given: string): Target {
  checkText(given);
  const shown = `"${showPath(given)}"`;
  if (/(?:^|\/)\.{0,2}$/.test(sep === "\\" ? given.replaceAll("\\", "/") : given))
    throw new Error(`${shown} names a folder. Give the path of a file; folders on the way to it are made.`);
  if (!given.isWellFormed()) throw new Error(`${shown} is not a path: it has half of a character.`);
  const absolute = resolve(workspace.root, given);
  if (Buffer.byteLength(absolute) > longest) throw new Error(`${shown} is not written: its path is too long.`);
  const found = deepest(workspace, given, absolute);
  const folderPath = pathInside(workspace.root, found.folder);
  if (folderPath === undefined) throw outside(given);
  const path = [folderPath, ...found.rest].filter((part) => part !== "").join("/");
  if (path === "") throw new Error(`${shown} is a folder. Give the path of a file.`);
  // The name by which nobody could open what it stands for: some byte of it is no text.
  if (path.includes("\uFFFD")) throw new Error(`${shown} is not written: its name is not valid UTF-8.`);
  const name = found.rest.at(-1)!;
  const named = pathInside(workspace.root, absolute) ?? path;
  const folder = { given, named: folderPath, path: folderPath, real: found.folder };
  const target = { given, folder, missing: found.rest.slice(0, -1), name, path, exists: found.exists };
  refuse(workspace, given, [path, named]);
  if (!target.exists) checkNewName(workspace, target);
  return target;
}

/** Throws if the file at one of these paths is not to be written. */
export function refuse(workspace: Workspace, given: string, paths: readonly string[]): void {
  const shown = `"${showPath(given)}"`;
  // Whatever the runtime allows: who writes these may allow himself the rest.
  if (paths.some((path) => isConfigFile(workspace.root, resolve(workspace.root, path))))
    throw new Error(
      `${shown} is not written: it says what this very program may do, which is left to the user. Tell the user what to change there instead.`,
    );
  const unsafe = workspace.allowUnsafePaths ? undefined : unsafeAt(workspace, paths);
  if (!workspace.allowSecrets && paths.some((path) => isSecretIn(workspace, path)))
    throw new Error(
      `${shown} is not written: by its name it holds keys, passwords or other secrets, and the runtime is without allowSecrets${unsafe ? " (and allowUnsafePaths)" : ""}. Tell the user what to put there instead.`,
    );
  if (unsafe !== undefined)
    throw new Error(
      `${shown} is not written: ${unsafe}, and the runtime is without allowUnsafePaths. Tell the user what to change there instead.`,
    );
}

/** Why files with these paths are left to the user; undefined: they are not. */
function unsafeAt({ root, settings }: Workspace, paths: readonly string[]): string | undefined {
  const own = kindOf(root, [...paths, ...paths.flatMap((path) => asSettings(settings, path))]);
  if (own !== undefined) return `files of ${own.what} are left to the user, because ${own.why}`;
  const { base, within } = checkoutAround(root);
  const around =
    within === ""
      ? undefined
      : kindOf(
          base,
          paths.map((path) => within + path),
        );
  return (
    around &&
    `the workspace folder lies among files of ${around.what}, which are left to the user, because ${around.why}`
  );
}

/** The kind of the first of these files, relative to `base`, that others execute or trust. */
function kindOf(base: string, paths: readonly string[]): ReturnType<typeof unsafeKind> {
  const inGit = paths.flatMap(gitFolders).some((folder) => existsSync(resolve(base, folder, "HEAD")));
  return inGit ? unsafeKind(".git") : paths.map(unsafeKind).find((one) => one !== undefined);
}

type Found = { readonly folder: string; readonly rest: readonly string[]; readonly exists: boolean };

/** The deepest folder on the way that exists, as a real path, and the names behind it. */
function deepest(workspace: Workspace, given: string, absolute: string): Found {
  const shown = `"${showPath(given)}"`;
  try {
    const real = realpathSync.native(absolute);
    if (pathInside(workspace.root, real) === undefined) throw outside(given);
    if (real === workspace.root) return { folder: real, rest: [], exists: true };
    return { folder: dirname(real), rest: [basename(real)], exists: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    if ((error as NodeJS.ErrnoException).code === "ENAMETOOLONG")
      throw new Error(`${shown} is not written: its path or a name in it is too long.`);
  }
  const { folder, rest } = deepestFolder(absolute);
  const path = pathInside(workspace.root, folder);
  if (path === undefined) throw outside(given);
  explainBlocked(shown, folder, path, rest[0]!);
  return { folder, rest, exists: false };
}

/** Throws if something else than nothing has the name that does not lead anywhere. */
function explainBlocked(shown: string, folder: string, path: string, name: string): void {
  try {
    if (!lstatSync(folder).isDirectory())
      throw new Error(`${shown} cannot be written: "${showPath(path)}" is a file, not a folder.`);
    const stats = lstatSync(resolve(folder, name));
    if (stats.isSymbolicLink())
      throw new Error(
        `${shown} goes through the symbolic link "${showPath(name)}", which leads outside of the workspace or to nothing.`,
      );
    throw new Error(`${shown} cannot be written: permission denied.`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    if (code !== "ENOENT") throw new Error(`${shown} cannot be written: ${reasonOf(error)}.`);
  }
}

/** A new name is plain text, and not how a file that is there is shown: that one would be meant. */
function checkNewName(workspace: Workspace, { given, folder, missing, name }: Target): void {
  const shown = `"${showPath(given)}"`;
  const names = [...missing, name];
  if (names.some((one) => /\p{Cc}/u.test(one)))
    throw new Error(
      `${shown} does not exist, and is not made: its name has a line break or another control character. Leave it out.`,
    );
  const unseen = names.map(hiddenIn).find((one) => one !== undefined);
  if (unseen !== undefined)
    throw new Error(
      `${shown} does not exist, and is not made: its name has the character ${unseen}, which nobody sees, so that it looks like another name. Leave it out.`,
    );
  const first = names[0]!;
  if (!first.includes("\\")) return;
  const alike = inDirectory(workspace, folder, entriesAt).some(
    (entry) => entry.shown === first && entry.name !== first,
  );
  if (alike)
    throw new Error(
      `${shown} is how a file is shown whose name is not plain text; with this name another one would be made. Leave that file to the user.`,
    );
}
