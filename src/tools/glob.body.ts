import { lstatSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { ToolContext } from "../menu/context.ts";
import { globFilter, namedFolders, splitPattern } from "./glob-filter.ts";
import { maxChars } from "./limits.ts";
import { isSecret } from "./secrets.ts";
import { showName } from "./show-name.ts";
import { slices } from "./slices.ts";
import { type Met, walk } from "./walk.ts";
import { isMissing, locate, type Place, type Workspace, workspaceOf } from "./workspace.ts";

/** Arguments of `glob`. */
export type GlobArguments = { readonly pattern: string; readonly path?: string };

const maxPaths = 1_000;

/** Paths that are matched at once: each time costs about as much as to match some thousand. */
const chunkSize = 4_096;

/** The body of `glob`. `limitMs` bounds the time to match a chunk of paths. */
export async function glob(args: GlobArguments, ctx: ToolContext, limitMs = 1_000): Promise<string> {
  const slice = slices(ctx.signal);
  const workspace = workspaceOf(ctx);
  const { folder, rest } = splitPattern(args.pattern.replace(/^(?:\.\/+)+/, ""));
  const filter = globFilter(rest, { anyDepth: false, limitMs });
  const start = startOf(workspace, args.path ?? ".", folder);
  if (start === undefined) return nothing(args, folder, rest);

  const found: string[] = [];
  let chunk: { inner: string; met: Met }[] = [];
  const sift = () => {
    const fits = filter(chunk.map(({ inner }) => inner));
    const fit = chunk.filter(({ met }, index) => fits[index] && !(hides && isHidden(met)));
    found.push(...fit.map(({ met }) => met.shown));
    chunk = [];
  };
  // Whether a name is that of a secret is asked of the few that fit, which is a sixth of the work less.
  const hides = !workspace.allowSecrets;
  const all = { ...workspace, allowSecrets: true };
  for (const met of walk(all, start, namedFolders(args.pattern))) {
    if (met.kind === "file" || met.kind === "link") chunk.push({ inner: below(start.path, met.path), met });
    if (chunk.length >= chunkSize) sift();
    if (found.length > maxPaths) break;
    if (slice.due()) await slice.next();
  }
  sift();
  return found.length === 0 ? nothing(args, folder, rest) : show(found);
}

/** The folder that path and pattern name together; undefined if the pattern names one that does not exist. */
function startOf(workspace: Workspace, path: string, folder: string): Place | undefined {
  const base = locate(workspace, path);
  if (!lstatSync(base.real).isDirectory())
    throw new Error(`"${showName(path)}" is a file. Give a folder as path, or use read_file to read the file.`);
  if (folder === "") return base;
  try {
    const start = locate(workspace, isAbsolute(folder) || path === "." ? folder : `${path}/${folder}`);
    return lstatSync(start.real).isDirectory() ? start : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** True for a secret file, and for a link to or from one. */
const isHidden = ({ path, place }: Met) => isSecret(path) || (place.path !== path && isSecret(place.path));

const below = (folder: string, path: string) => (folder === "" ? path : path.slice(folder.length + 1));

function show(found: readonly string[]): string {
  const shown: string[] = [];
  let chars = 0;
  for (const path of found.slice(0, maxPaths)) {
    chars += path.length + 1;
    if (chars > maxChars) break;
    shown.push(path);
  }
  if (shown.length === found.length) return shown.join("\n");
  return `${shown.join("\n")}\n\n[The first ${shown.length} paths; there are more. Use a narrower pattern or a path.]`;
}

function nothing(args: GlobArguments, folder: string, rest: string): string {
  const where = args.path === undefined || args.path === "." ? "the workspace" : `"${showName(args.path)}"`;
  const deep = `${folder === "" ? "" : `${folder}/`}**/${rest.slice(rest.lastIndexOf("/") + 1)}`;
  const deeper = rest.includes("**") ? "" : ` "*" does not go into folders, "${showName(deep)}" does.`;
  return `[No file in ${where} fits "${showName(args.pattern)}". Ignored and secret files were left out.${deeper}]`;
}
