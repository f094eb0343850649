import { nearestNames } from "../ranker/nearest.ts";

const stem = (name: string) => name.replace(/(?<=.)\.[^.]*$/, "");

/** The file names most like the one that was meant, best first: the same stem with another ending, then near spellings. */
export function nearNames(meant: string, names: readonly string[]): string[] {
  const wanted = stem(meant).toLowerCase();
  const sameStem = wanted.length > 2 ? names.filter((name) => stem(name).toLowerCase() === wanted).sort() : [];
  return [...new Set([...sameStem, ...nearestNames(meant, names)])].slice(0, 3);
}
