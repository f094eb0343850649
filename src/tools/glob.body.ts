import { isAbsolute } from "node:path";
import type { ToolContext } from "../menu/context.ts";
import { type Named, shownOf } from "./entries.ts";
import { globFilter, namedFolders, nameFilter, splitPattern } from "./glob-filter.ts";
import { maxChars } from "./limits.ts";
import { isSecretIn } from "./secret-in.ts";
import { showName } from "./show-name.ts";
import { slices } from "./slices.ts";
import { lookAt, refuseSpecial } from "./special-file.ts";
import { type Met, walk } from "./walk.ts";
import { whyUnread } from "./walk-folder.ts";
import { isMissing, locate, type Place, type Workspace, workspaceOf } from "./workspace.ts";

/** Arguments of `glob`. */
export type GlobArguments = { readonly pattern: string; readonly path?: string };

const maxPaths = 1_000;

/** Paths that are matched at once, at first and at most: each time costs about as much as to match some thousand. */
const [firstChunk, largestChunk] = [1_024, 16_384];

type Unread = Met & { readonly kind: "unreadable" };

/** A path that may fit: `inner` is relative to the folder of the pattern. */
type Candidate = { readonly inner: string; readonly met: Met; readonly file?: Named };

/** The body of `glob`. `limitMs` bounds the time to match a chunk of paths. */
export async function glob(args: GlobArguments, ctx: ToolContext, limitMs = 1_000): Promise<string> {
  const slice = slices(ctx.signal);
  const workspace = workspaceOf(ctx);
  const { folder, rest } = splitPattern(args.pattern.replace(/^(?:\.\/+)+/, ""));
  const filter = globFilter(rest, { anyDepth: false, limitMs });
  const mayFit = nameFilter(rest);
  const start = startOf(workspace, args.path || ".", folder);
  if (start === undefined) return nothing(args, folder, rest);

  const found: string[] = [];
  const unread: Unread[] = [];
  let chunk: Candidate[] = [];
  let chunkSize = firstChunk;
  const sift = () => {
    const fits = filter(chunk.map(({ inner }) => inner));
    for (const [index, candidate] of chunk.entries()) {
      if (!fits[index] || (!workspace.allowSecrets && isHidden(workspace, candidate))) continue;
      found.push(shownPath(candidate));
    }
    chunk = [];
    chunkSize = Math.min(chunkSize * 2, largestChunk);
  };
  // Whether a name is that of a secret is asked of the few that fit, which is a sixth of the work less.
  const all = { ...workspace, allowSecrets: true };
  for (const met of walk(all, start, namedFolders(args.pattern))) {
    if (met.kind === "files") {
      const { path } = met.folder.place;
      const prefix = path === start.path ? "" : `${below(start.path, path)}/`;
      for (const file of met.files) if (mayFit(file.name)) chunk.push({ inner: prefix + file.name, met, file });
    } else if (met.kind === "link") chunk.push({ inner: below(start.path, met.path), met });
    else if (met.kind === "unreadable") {
      if (met.path === start.path) throw met.cause;
      unread.push(met);
    }
    if (chunk.length >= chunkSize) sift();
    if (found.length > maxPaths) break;
    if (slice.due()) await slice.next();
  }
  sift();
  return found.length === 0 ? nothing(args, folder, rest, unread) : show(found, unread);
}

/** The folder that path and pattern name together; undefined if the pattern names one that does not exist. */
function startOf(workspace: Workspace, path: string, folder: string): Place | undefined {
  const base = locate(workspace, path);
  const stats = lookAt(base);
  refuseSpecial(path, stats);
  if (!stats.isDirectory())
    throw new Error(`"${showName(path)}" is a file. Give a folder as path, or use read_file to read the file.`);
  if (folder === "") return base;
  try {
    const start = locate(workspace, isAbsolute(folder) || path === "." ? folder : `${path}/${folder}`);
    return lookAt(start).isDirectory() ? start : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** True for a secret file, and for a link to or from one. */
function isHidden(workspace: Workspace, { met, file }: Candidate): boolean {
  if (met.kind === "files") return isSecretIn(workspace, pathIn(met.folder.place.path, file!.name));
  return isSecretIn(workspace, met.path) || (met.kind === "link" && isSecretIn(workspace, met.target.path));
}

const shownPath = ({ met, file }: Candidate): string =>
  met.kind === "files" ? pathIn(met.folder.shown, shownOf(file!)) : met.shown;

const pathIn = (folder: string, name: string) => (folder === "" ? name : `${folder}/${name}`);

const below = (folder: string, path: string) => (folder === "" ? path : path.slice(folder.length + 1));

function show(found: readonly string[], unread: readonly Unread[]): string {
  const shown: string[] = [];
  let chars = 0;
  for (const path of found.slice(0, maxPaths)) {
    chars += path.length + 1;
    if (chars > maxChars) break;
    shown.push(path);
  }
  const notes = [unreadNote(unread)].filter((note) => note !== "");
  if (shown.length < found.length)
    notes.unshift(`The first ${shown.length} paths; there are more. Use a narrower pattern or a path.`);
  return shown.join("\n") + (notes.length === 0 ? "" : `\n\n[${notes.join(" ")}]`);
}

/** Folders that could not be read may hold what is looked for. */
function unreadNote(unread: readonly Unread[]): string {
  if (unread.length === 0) return "";
  const some = unread.slice(0, 5).map(({ shown, cause }) => `"${shown === "" ? "." : shown}" (${whyUnread(cause)})`);
  const more = unread.length > some.length ? ` and ${unread.length - some.length} more` : "";
  return `Folders that could not be read: ${some.join(", ")}${more}.`;
}

function nothing(args: GlobArguments, folder: string, rest: string, unread: readonly Unread[] = []): string {
  const where = !args.path || args.path === "." ? "the workspace" : `"${showName(args.path)}"`;
  const deep = `${folder === "" ? "" : `${folder}/`}**/${rest.slice(rest.lastIndexOf("/") + 1)}`;
  const deeper = rest.includes("**") ? "" : ` "*" does not go into folders, "${showName(deep)}" does.`;
  const note = unread.length === 0 ? "" : ` ${unreadNote(unread)}`;
  return `[No file in ${where} fits "${showName(args.pattern)}". Ignored and secret files were left out.${deeper}${note}]`;
}
