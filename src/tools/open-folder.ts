import { closeSync, constants, mkdirSync, openSync, readlinkSync, realpathSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { fdFolder } from "./open.ts";

/** A folder that is held open. `at` is a path for it that stays true while it is open, also if it is moved (on Linux). */
export type OpenFolder = {
  readonly at: string;
  /** Where it really is now. Throws if it has gone, or elsewhere than on Linux if something else has its path. */
  actual(): string;
  close(): void;
};

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_DIRECTORY = 0 } = constants;

/** Opens the folder at this path, which must not be a symbolic link itself; throws raw errors. */
export function openFolder(path: string): OpenFolder {
  if (fdFolder === undefined) {
    const actual = () => {
      if (realpathSync.native(path) !== path) throw Object.assign(new Error(), { code: "ELOOP" });
      return path;
    };
    actual();
    return { at: path, actual, close: () => {} };
  }
  const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_DIRECTORY);
  const at = `${fdFolder}/${fd}`;
  return { at, actual: () => readlinkSync(at), close: () => closeSync(fd) };
}

/** A folder that was opened, made where it was not there; `undo` takes away what was made, as long as it is empty. */
export type NewFolder = { readonly folder: OpenFolder; undo(): void; close(): void };

/** Opens the folder that these names lead to from another one, and makes those that are missing; throws raw errors. */
export function openBelow(start: OpenFolder, names: readonly string[]): NewFolder {
  const opened = [start];
  const made: string[] = [];
  const undo = () => {
    for (const path of made.splice(0).reverse()) {
      try {
        rmdirSync(path);
      } catch {
        // Somebody else has put something in it.
      }
    }
  };
  const close = () => {
    for (const one of opened.splice(1).reverse()) one.close();
  };
  try {
    for (const name of names) {
      const path = join(opened.at(-1)!.at, name);
      if (makeFolder(path)) made.push(path);
      opened.push(openFolder(path));
    }
    return { folder: opened.at(-1)!, undo, close };
  } catch (error) {
    undo();
    close();
    throw error;
  }
}

function makeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}
