import { lstatSync, type Stats } from "node:fs";
import { showPath } from "./show-name.ts";
import { type Place, reasonOf } from "./workspace.ts";

/** What is neither a file, a folder nor a link, in words; undefined for those. */
export function specialKind(stats: Stats): string | undefined {
  if (stats.isFIFO()) return "a named pipe";
  if (stats.isSocket()) return "a socket";
  return stats.isCharacterDevice() || stats.isBlockDevice() ? "a device" : undefined;
}

/** Throws if no tool can do anything with what was given as a folder: to send the model on to another tool would be no help. */
export function refuseSpecial(given: string, stats: Stats | undefined): void {
  const kind = stats && specialKind(stats);
  if (kind !== undefined)
    throw new Error(`"${showPath(given)}" is ${kind}, neither a folder nor a file: no tool here can read it.`);
}

/** How a place looks that was found a moment ago. Throws for the model if it has gone since: Node's own error names the absolute path. */
export function lookAt({ given, real }: Place): Stats {
  try {
    return lstatSync(real);
  } catch (error) {
    throw new Error(`"${showPath(given)}" cannot be read: ${reasonOf(error)}.`);
  }
}
