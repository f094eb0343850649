import { realpathSync } from "node:fs";
import { join, parse, sep } from "node:path";

/** The deepest part of an absolute path that has a real path, itself apart, and the names behind it. */
export function deepestFolder(absolute: string): { readonly folder: string; readonly rest: readonly string[] } {
  const { root } = parse(absolute);
  const parts = absolute.slice(root.length).split(sep);
  let [least, most] = [0, parts.length - 1];
  let folder = root;
  // Below a part that is missing all are: halving finds it, where one step after the other takes seconds on a long path.
  while (least < most) {
    const middle = (least + most + 1) >> 1;
    try {
      folder = realpathSync.native(root + parts.slice(0, middle).join(sep));
      least = middle;
    } catch {
      most = middle - 1;
    }
  }
  return { folder, rest: parts.slice(least) };
}

/** A path with symbolic links followed, as far as what is on it exists. */
export function followed(absolute: string): string {
  const { folder, rest } = deepestFolder(join(absolute, "x"));
  return join(folder, ...rest.slice(0, -1));
}
