import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { changed, type Pieces, piecesOf } from "./pattern.ts";

/** A file as rules see it: relative to the workspace and absolute, `/` between the parts. */
export type Form = { readonly relative: string; readonly absolute: string };

/** Nothing has a path that long; no rule has to look at it. */
const longest = 8_000;

/**
 * How a path may be written in a rule: as it was given, and with symbolic links followed. It is one in `workspace`, and
 * relative to `root`, the folder that the rule is meant in. Undefined for what is no path.
 */
export function formsOf(given: string, workspace: string, root = workspace): readonly Form[] | undefined {
  if (given.length > longest || given.includes("\0")) return undefined;
  const absolute = resolve(workspace, given);
  return [formOf(absolute, resolve(root)), formOf(realOf(absolute), realOf(resolve(root)))];
}

function formOf(absolute: string, root: string): Form {
  return { relative: slashed(relative(root, absolute)) || ".", absolute: slashed(absolute) };
}

const slashed = (path: string): string => (sep === "\\" ? path.replaceAll("\\", "/") : path);

/** As many as systems follow; those that lead in a circle are more. */
const mostLinks = 40;

/** A path without symbolic links, as far as what is on it exists. One that leads to nothing is followed too: a file could be made there. */
function realOf(absolute: string, links = 0): string {
  const rest: string[] = [];
  for (let at = absolute; ; at = dirname(at)) {
    try {
      return join(realpathSync.native(at), ...rest.reverse());
    } catch {
      const to = links < mostLinks ? linkAt(at) : undefined;
      if (to !== undefined)
        return realOf(join(resolve(realOf(dirname(at), links + 1), to), ...rest.reverse()), links + 1);
      if (dirname(at) === at) return absolute;
      rest.push(basename(at));
    }
  }
}

/** Where a symbolic link leads, as it says; undefined for what is none. */
function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** A pattern for paths, ready to be matched. */
export type PathPattern = {
  readonly absolute: boolean;
  readonly upwards: boolean;
  readonly steps: Steps;
  readonly folded: Steps;
};

/** One character, or what stands for several: `*` within a name, `**` for anything, `**` with its `/` for any folders or none. */
type Steps = readonly (string | typeof name | typeof anything | typeof folders)[];
const name = 1;
const anything = 2;
const folders = 3;

export function pathPattern(pattern: string): PathPattern {
  const text = normal(pattern);
  const pieces = piecesOf(text);
  return {
    // Elsewhere a colon is a letter of a name like any other.
    absolute: text.startsWith("/") || (sep === "\\" && /^[a-z]:[\\/]/i.test(text)),
    upwards: text === ".." || text.startsWith("../"),
    steps: stepsOf(pieces),
    folded: stepsOf(changed(pieces, folded)),
  };
}

/** Without `.`, `..` and empty parts, as the paths are; a folder with a slash behind it is everything in it. */
function normal(pattern: string): string {
  const parts: string[] = [];
  for (const part of pattern.split("/")) {
    const before = parts.at(-1);
    if (part === "" || part === ".") continue;
    if (part === ".." && before !== undefined && before !== ".." && before !== "**") parts.pop();
    else parts.push(part);
  }
  if (parts.length > 0 && pattern.endsWith("/")) parts.push("**");
  return pattern.startsWith("/") ? `/${parts.join("/")}` : parts.join("/") || ".";
}

/** How paths are compared where it is worse to miss one: some file systems make no difference between these. */
const folded = (text: string): string => text.normalize("NFC").toLowerCase();

function stepsOf(pieces: Pieces): Steps {
  const steps: (string | 1 | 2 | 3)[] = [];
  for (const piece of pieces) {
    if (piece === 1) steps.push(name);
    else if (piece === 2) steps.push(anything);
    else {
      let text = piece;
      const before = steps.length < 2 || steps.at(-2) === "/" || steps.at(-2) === folders;
      if (steps.at(-1) === anything && before && text.startsWith("/")) {
        steps[steps.length - 1] = folders;
        text = text.slice(1);
      }
      for (let i = 0; i < text.length; i++) steps.push(text[i]!);
    }
  }
  return steps;
}

/** Whether a file fits: `loose` if one way to write it does, whatever its case; else all have to, and as it is written. */
export function fitsPath(pattern: PathPattern, forms: readonly Form[], loose: boolean): boolean {
  const fits = (form: Form): boolean => {
    if (loose) return matches(pattern.folded, folded(pattern.absolute ? form.absolute : form.relative));
    // What is outside was not meant by a rule that speaks of inside.
    if (!pattern.absolute && !pattern.upwards && isOutside(form)) return false;
    return matches(pattern.steps, pattern.absolute ? form.absolute : form.relative);
  };
  return loose ? forms.some(fits) : forms.every(fits);
}

/** Whether a file lies outside of the workspace. */
export const isOutside = ({ relative: path, absolute }: Form): boolean =>
  path === ".." || path.startsWith("../") || path === absolute;

function matches(steps: Steps, path: string): boolean {
  // "src/**" is the folder itself too.
  const self = steps.at(-1) === anything && steps.at(-2) === "/";
  return walk(steps, path) || (self && walk(steps, `${path}/`));
}

/** Follows all places in the pattern at once, so that the work is at most the product of the two lengths. */
function walk(steps: Steps, path: string): boolean {
  let at = new Uint8Array(steps.length + 1);
  reach(steps, at, 0);
  for (let i = 0; i < path.length; i++) {
    const char = path[i]!;
    const next = new Uint8Array(steps.length + 1);
    for (let s = 0; s < steps.length; s++) {
      if (!at[s]) continue;
      const step = steps[s];
      if (step === char) reach(steps, next, s + 1);
      else if (step === anything || (step === name && char !== "/")) reach(steps, next, s);
      // Within the names that it passes over; behind one of them it may end.
      else if (step === folders) {
        next[s] = 1;
        if (char === "/") reach(steps, next, s + 1);
      }
    }
    at = next;
  }
  return at[steps.length] === 1;
}

/** Marks a place and those that can be reached from it with nothing. */
function reach(steps: Steps, at: Uint8Array, place: number): void {
  for (let s = place; ; s++) {
    if (at[s] === 1) return;
    at[s] = 1;
    if (typeof steps[s] !== "number") return;
  }
}
