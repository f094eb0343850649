import { existsSync } from "node:fs";
import { dirname, join, parse, sep } from "node:path";
import { pathInside } from "./path-inside.ts";

/**
 * A path with `/` between its parts that says in which folders the workspace lies, with `/` at its end; `""` unless one of
 * them has a name that begins with a dot: secrets with a folder in their name all have such a one.
 */
export function hiddenAround(root: string): string {
  const path = sep === "/" ? root : root.replaceAll(sep, "/");
  return /\/\./.test(path) ? `${path.replace(/\/$/, "")}/`.slice(path.startsWith("/") ? 1 : 0) : "";
}

/** Folders around a workspace, from `base` on; `within` leads from there to the workspace, with `/` at its end unless it is `""`. */
export type Around = { readonly base: string; readonly within: string };

/**
 * The folders around a workspace that say what its files are to others: those of the checkout that it is or lies in, and
 * all of them where there is none. What is around a checkout does not count: worktrees are made in `.claude/`, or in
 * `project.git/`, and are edited like any other.
 */
export function checkoutAround(root: string): Around {
  const top = parse(root).root;
  let base = root;
  while (base !== top && !existsSync(join(base, ".git"))) base = dirname(base);
  const within = pathInside(base, root) ?? "";
  return { base, within: within === "" ? "" : `${within}/` };
}
