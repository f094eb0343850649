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
  const fits = compile(pattern, options.anyDepth && !pattern.includes("/"));
  if (!isRisky(pattern)) return (paths) => paths.map(fits);
  return (paths) => {
    let answers: boolean[] = [];
    const work = () => {
      answers = paths.map(fits);
    };
    if (!limited(work, options.limitMs ?? 1_000))
      throw new Error(
        `The pattern "${showName(pattern)}" takes too long to match. Use fewer wildcards, or wildcards that are not nested.`,
      );
    return answers;
  };
}

/** Whether a path fits. Asks the regular expression itself: the function that picomatch makes takes several times as long. */
function compile(pattern: string, basename: boolean): (path: string) => boolean {
  const plain = pattern.replace(/^(?:\.\/)+/, "");
  let regex: RegExp;
  try {
    // With "s", since on most systems a name may hold a line break: `**` would not fit it.
    regex = picomatch.makeRe(plain, { dot: true, windows: false, strictBrackets: true, flags: "s" }) as RegExp;
  } catch (error) {
    throw unbalanced(pattern, error);
  }
  if (!basename) return (path) => path !== "" && (path === plain || regex.test(path));
  return (path) => path !== "" && (path === plain || regex.test(path.slice(path.lastIndexOf("/") + 1)));
}

const partners: { readonly [bracket: string]: string | undefined } = {
  "{": "}",
  "}": "{",
  "(": ")",
  ")": "(",
  "[": "]",
  "]": "[",
};

function unbalanced(pattern: string, error: unknown): unknown {
  const missing = /^Missing \w+: "(.)"/.exec((error as Error).message)?.[1];
  const there = partners[missing ?? ""];
  if (missing === undefined || there === undefined) return error;
  return new Error(
    `The glob pattern "${showName(pattern)}" has a "${there}" without a "${missing}". Add it; put "\\" before a bracket that is part of a name.`,
  );
}

// Each run of stars multiplies the ways in which a path can be tried, and a group in brackets can do so by itself.
const isRisky = (pattern: string) => pattern.includes("(") || (pattern.match(/\*+/g)?.length ?? 0) > 3;

function checkPattern(pattern: string): void {
  if (pattern.trim() === "") throw new Error('The glob pattern is empty. "**/*" fits every file.');
  if (pattern.includes("\0")) throw new Error("The glob pattern has a NUL character.");
  if (pattern.length > 1_000) throw new Error("The glob pattern is longer than 1,000 characters.");
}

/**
 * Whether a path whose last part is this name may fit the pattern at all. Most names of a large tree do not, and to
 * say so needs no path.
 */
export function nameFilter(pattern: string): (name: string) => boolean {
  const last = pattern.slice(pattern.lastIndexOf("/") + 1);
  // Where a part is not plain to tell from the others, or takes its time, all names may.
  if (last === "" || last.includes("**") || isRisky(pattern) || /[!\\]|[{[][^\]}]*\//.test(pattern)) return () => true;
  return compile(last, false);
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
