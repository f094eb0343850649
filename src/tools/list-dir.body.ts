import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { ToolContext } from "../menu/context.ts";
import { type Entry, entriesAt } from "./entries.ts";
import { maxChars } from "./limits.ts";
import { inDirectory } from "./open.ts";
import { isSecretIn } from "./secret-in.ts";
import { showName } from "./show-name.ts";
import { showCount, showSize } from "./show-size.ts";
import { refuseSpecial, specialKind } from "./special-file.ts";
import { locate, type Place, type Workspace, workspaceOf } from "./workspace.ts";

/** Arguments of `list_dir`. Small models write `""` for what they leave out. */
export type ListDirArguments = { readonly path?: string };

const maxEntries = 1_000;

/** The body of `list_dir`. */
export async function listDir(args: ListDirArguments, ctx: ToolContext): Promise<string> {
  ctx.signal.throwIfAborted();
  const workspace = workspaceOf(ctx);
  const folder = locate(workspace, args.path || ".");
  refuseSpecial(args.path || ".", lstatSync(folder.real, { throwIfNoEntry: false }));
  const { lines, count } = inDirectory(workspace, folder, (at) => describeAll(workspace, folder, at));
  if (count === 0) return "[The folder is empty.]";
  if (lines.length === count) return lines.join("\n");
  return `${lines.join("\n")}\n\n[${lines.length} of ${showCount(count)} entries. glob finds the others by a pattern.]`;
}

function describeAll(workspace: Workspace, folder: Place, at: string): { lines: string[]; count: number } {
  const entries = entriesAt(at);
  const lines: string[] = [];
  let chars = 0;
  for (const entry of entries.slice(0, maxEntries)) {
    const line = describe(workspace, folder, at, entry);
    chars += line.length + 1;
    if (chars > maxChars) break;
    lines.push(line);
  }
  return { lines, count: entries.length };
}

function describe(workspace: Workspace, folder: Place, at: string, entry: Entry): string {
  const path = folder.path === "" ? entry.name : `${folder.path}/${entry.name}`;
  switch (entry.kind) {
    case "folder":
      return `${entry.shown}/`;
    case "link":
      return `${entry.shown} -> ${targetOf(workspace, join(folder.real, entry.name))}`;
    case "other":
      return `${entry.shown} (${kindOf(at, entry)}, cannot be read)`;
    case "file":
      return `${entry.shown} (${sizeOf(at, entry)}${!workspace.allowSecrets && isSecretIn(workspace, path) ? ", secret, cannot be read" : ""})`;
  }
}

/** Says the same for a target outside and for none, so that a link tells nothing about the world outside. */
function targetOf(workspace: Workspace, link: string): string {
  try {
    const target = locate(workspace, link);
    const shown = showName(target.path === "" ? "." : target.path);
    return lstatSync(target.real).isDirectory() ? `${shown}/` : shown;
  } catch {
    return "(outside of the workspace, or missing)";
  }
}

function sizeOf(at: string, entry: Entry): string {
  const stats = statsOf(at, entry);
  return stats === undefined ? "size unknown" : showSize(stats.size);
}

function kindOf(at: string, entry: Entry): string {
  const stats = statsOf(at, entry);
  return (stats && specialKind(stats)) ?? "not a regular file";
}

function statsOf(at: string, entry: Entry): Stats | undefined {
  try {
    return lstatSync(
      entry.bytes === undefined ? join(at, entry.name) : Buffer.concat([Buffer.from(`${at}/`), entry.bytes]),
    );
  } catch {
    return undefined;
  }
}
