import picomatch from "picomatch";
import { limited } from "./limited.ts";
import { showName } from "./show-name.ts";

/** Says which of some paths fit. */
export type GlobFilter = (paths: readonly string[]) => boolean[];

/**
 * A filter of paths by a glob pattern. Hidden files fit like any others. With `anyDepth` a pattern without `/` is about
 * file names in any folder. A pattern that takes longer than `limitMs` for one call (some can take forever) throws.
 */
export function globFilter(
  pattern: string,
  options: { readonly anyDepth: boolean; readonly limitMs?: number },
): GlobFilter {
  checkPattern(pattern);
  const basename = options.anyDepth && !pattern.includes("/");
  const fits = picomatch(pattern.replace(/^(?:\.\/)+/, ""), { dot: true, basename, windows: false });
  return (paths) => {
    let answers: boolean[] = [];
    const work = () => {
      answers = paths.map((path) => fits(path));
    };
    if (!limited(work, options.limitMs ?? 1_000))
      throw new Error(
        `The pattern "${showName(pattern)}" takes too long to match. Use fewer wildcards, or wildcards that are not nested.`,
      );
    return answers;
  };
}

function checkPattern(pattern: string): void {
  if (pattern.trim() === "") throw new Error('The glob pattern is empty. "**/*" fits every file.');
  if (pattern.includes("\0")) throw new Error("The glob pattern has a NUL character.");
  if (pattern.length > 1_000) throw new Error("The glob pattern is longer than 1,000 characters.");
}

/** Splits a pattern into the folders it names literally and the rest: `src/lib/*.ts` is `src/lib` and `*.ts`, `src/` all of `src`. */
export function splitPattern(pattern: string): { readonly folder: string; readonly rest: string } {
  const parts = pattern.split("/");
  let literal = 0;
  while (literal < parts.length - 1 && !/[*?[\]{}()!+@\\|]/.test(parts[literal]!)) literal++;
  const folder = parts.slice(0, literal).join("/");
  const rest = parts.slice(literal).join("/");
  return {
    folder: pattern.startsWith("/") ? `/${folder.slice(1)}` : folder,
    rest: rest === "" && literal > 0 ? "**" : rest,
  };
}

/** The names that a pattern spells out: folders of these names are meant, even if they would be left out otherwise. */
export function namedFolders(pattern: string): ReadonlySet<string> {
  return new Set(pattern.split(/[/{},]/).filter((part) => part !== "" && !/[*?[\]()!+@\\|]/.test(part)));
}
