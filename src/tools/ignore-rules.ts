import { closeSync, readSync } from "node:fs";
import { join } from "node:path";
import ignore from "ignore";
import { limited } from "./limited.ts";
import { openRegular } from "./open.ts";
import type { Place, Workspace } from "./workspace.ts";

/**
 * The rules of all `.gitignore` files from the root down to a folder. `risky` ones may take forever to match; a path in
 * which nothing fits `hints` is left out by none of them.
 */
export type IgnoreRules =
  | {
      readonly matcher: ignore.Ignore;
      readonly risky: boolean;
      readonly hints: readonly string[];
      readonly hint: RegExp;
    }
  | undefined;

/** Longest part of a `.gitignore` that is read, in bytes, and longest rule, in characters: beyond them it is no honest one. */
const [largest, longest] = [100_000, 1_000];

/**
 * Which of these paths, relative to the root and with `/` behind folders, the rules leave out. The rules come with the
 * files, so a hostile set of them must not hang the process: after `limitMs` milliseconds it throws.
 */
export function ignoredAmong(rules: IgnoreRules, paths: readonly string[], limitMs = 1_000): readonly boolean[] {
  if (rules === undefined) return [];
  let answers: boolean[] = [];
  const work = () => {
    // A quick look first: in most folders of a large tree no path is left out, and the rules take their time.
    answers = paths.map((path) => rules.hint.test(path) && rules.matcher.ignores(path));
  };
  if (!rules.risky) work();
  else if (!limited(work, limitMs))
    throw new Error("The rules of a .gitignore take too long to match. Search in a folder that they do not concern.");
  return answers;
}

/** A quick look at all names of a folder at once: false if the rules leave out none of them, which is so in most folders. */
export function mayIgnore(rules: IgnoreRules, prefix: string, entries: readonly { readonly name: string }[]): boolean {
  // No hint has a slash in it, so none is found across two names.
  return rules?.hint.test(prefix + entries.map(({ name }) => name).join("/")) ?? false;
}

/** The rules for what is in this folder: those from above and its own `.gitignore`. Git follows no link to one, nor do we. */
export function withRulesOf(workspace: Workspace, above: IgnoreRules, folder: Place): IgnoreRules {
  const text = readRules(workspace, folder);
  if (text === undefined) return above;
  const lines = text.split(/\r?\n/).filter((line) => line.length <= longest);
  const rules = lines.map((line) => anchor(line, folder.path)).filter((line) => line !== "");
  if (rules.length === 0) return above;
  const matcher = ignore({ ignorecase: process.platform !== "linux" });
  if (above !== undefined) matcher.add(above.matcher);
  // Later rules win, as with git: a rule may take back what one above it said.
  matcher.add(rules);
  const risky = (above?.risky ?? false) || rules.length > 1_000 || rules.some(isRisky);
  const hints = [...new Set([...(above?.hints ?? []), ...lines.map(hintOf)])];
  return { matcher, risky, hints, hint: new RegExp(hints.includes("") ? "" : hints.join("|"), "i") };
}

/**
 * The longest part of a rule that stands in each path that it leaves out, as a regular expression; empty if none is
 * sure. Characters that the rule says in another way than as they are (`\\`, `[…]`, wildcards, blanks) end a part.
 */
function hintOf(rule: string): string {
  if (rule.startsWith("#") || rule.trim() === "") return "(?!)";
  const parts = rule.replace(/^!/, "").match(/[\w./-]+(?![^[]*\])/g) ?? [];
  const sure = parts.flatMap((part) => part.split(/\/+/)).filter((part) => part !== "");
  const longest = sure.reduce((best, part) => (part.length > best.length ? part : best), "");
  return rule.includes("\\") ? "" : longest.replaceAll(".", "\\.");
}

// Each run of stars multiplies the ways in which a name can be tried.
const isRisky = (rule: string) => (rule.match(/\*+/g)?.length ?? 0) > 3;

// A rule of a nested file, said from the root: in a/b, "*.log" is "/a/b/**/*.log" and "/x" is "/a/b/x".
function anchor(line: string, folder: string): string {
  const rule = line.replace(/^\uFEFF/, "");
  if (folder === "" || rule.trim() === "" || rule.startsWith("#")) return rule;
  const no = rule.startsWith("!") ? "!" : "";
  const body = rule.slice(no.length);
  const literal = folder.replace(/[\\*?[\]!# ]/g, "\\$&");
  const inner = body.trimEnd().replace(/\/$/, "").includes("/") ? body.replace(/^\//, "") : `**/${body}`;
  return `${no}/${literal}/${inner}`;
}

function readRules(workspace: Workspace, folder: Place): string | undefined {
  const path = folder.path === "" ? ".gitignore" : `${folder.path}/.gitignore`;
  const real = join(folder.real, ".gitignore");
  try {
    const { fd, size } = openRegular(workspace, { given: path, named: path, path, real });
    try {
      const bytes = Buffer.alloc(Math.min(size, largest));
      return bytes.toString("utf8", 0, readSync(fd, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}
