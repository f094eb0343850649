import { closeSync, readFileSync } from "node:fs";
import type { Confinement } from "../agent/runtime.ts";
import { applyEdits } from "./apply-edits.ts";
import { diffText } from "./diff-text.ts";
import { type EditFileArguments, editsOf } from "./edit-file.body.ts";
import { openFile } from "./open.ts";
import { largestText } from "./rewrite.ts";
import { locateTarget } from "./target.ts";
import { decodeText, toLf } from "./text-file.ts";
import { locate, openWorkspace, type Workspace } from "./workspace.ts";

/** Lines of a change that are shown, and the longest of them: a person reads them before saying yes. */
const bounds = { maxLines: 1_000, maxWidth: 2_000 };

/**
 * What a call of `write_file` or `edit_file` would change, as a unified diff; undefined for other tools, and for a call
 * that will fail or change nothing. Nothing is written.
 */
export function previewChange(name: string, args: unknown, confinement: Confinement): string | undefined {
  if (name !== "write_file" && name !== "edit_file") return undefined;
  try {
    const given = args as EditFileArguments & { readonly content?: unknown };
    const workspace = openWorkspace(confinement.workspace, confinement);
    const target = locateTarget(workspace, given.path);
    const before = target.exists ? textOf(workspace, given.path) : undefined;
    const after =
      name === "write_file" ? toLf(String(given.content)) : applyEdits(before ?? "", editsOf(given), target.path).text;
    return diffText(before, after, { path: target.path, ...bounds }).text || undefined;
  } catch {
    // The call itself will say what is wrong with it.
    return undefined;
  }
}

function textOf(workspace: Workspace, path: string): string {
  const { fd, size } = openFile(workspace, locate(workspace, path));
  try {
    const read = size > largestText ? "too large" : decodeText(readFileSync(fd));
    if (typeof read === "string") throw new Error(read);
    return read.text;
  } finally {
    closeSync(fd);
  }
}
