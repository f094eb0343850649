import { closeSync, readSync } from "node:fs";
import { join } from "node:path";
import ignore from "ignore";
import { openRegular } from "./open.ts";
import type { Place, Workspace } from "./workspace.ts";

/** The rules of all `.gitignore` files from the root down to a folder; paths are relative to the root. */
export type IgnoreRules = ignore.Ignore | undefined;

const largest = 1_000_000;

/** The rules for what is in this folder: those from above and its own `.gitignore`. Git follows no link to one, nor do we. */
export function withRulesOf(workspace: Workspace, above: IgnoreRules, folder: Place): IgnoreRules {
  const text = readRules(workspace, folder);
  if (text === undefined) return above;
  const rules = text
    .split(/\r?\n/)
    .map((line) => anchor(line, folder.path))
    .filter((line) => line !== "");
  if (rules.length === 0) return above;
  // Later rules win, as with git: a rule may take back what one above it said.
  const own = ignore({ ignorecase: process.platform !== "linux" });
  return (above === undefined ? own : own.add(above)).add(rules);
}

// A rule of a nested file, said from the root: in a/b, "*.log" is "/a/b/**/*.log" and "/x" is "/a/b/x".
function anchor(line: string, folder: string): string {
  const rule = line.replace(/^\uFEFF/, "");
  if (folder === "" || rule.trim() === "" || rule.startsWith("#")) return rule;
  const no = rule.startsWith("!") ? "!" : "";
  const body = rule.slice(no.length);
  const literal = folder.replace(/[\\*?[\]!# ]/g, "\\$&");
  const inner = body.replace(/\/?\s*$/, "").includes("/") ? body.replace(/^\//, "") : `**/${body}`;
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
