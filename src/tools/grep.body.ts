import { closeSync } from "node:fs";
import type { ToolContext } from "../menu/context.ts";
import { type Batch, batchesOf, type Tally } from "./batches.ts";
import { linkedUserFile } from "./config-files.ts";
import { globFilter, namedFolders } from "./glob-filter.ts";
import { type Output, type Report, skippedNote, startReport } from "./grep-report.ts";
import { searchAll } from "./grep-search.ts";
import type { MatchFailure } from "./matcher.ts";
import { openFile } from "./open.ts";
import { showName } from "./show-name.ts";
import { showCount } from "./show-size.ts";
import { slices } from "./slices.ts";
import { lookAt } from "./special-file.ts";
import { walk } from "./walk.ts";
import { locate, type Place, type Workspace, workspaceOf } from "./workspace.ts";

/** Arguments of `grep`. */
export type GrepArguments = {
  readonly pattern: string;
  readonly path?: string;
  readonly glob?: string;
  readonly ignore_case?: boolean;
  readonly context?: number;
  readonly output?: Output;
  readonly max?: number;
};

/** The longest line that is shown whole; of a longer one, what is around the match. */
const lineWidth = 400;

/** The largest file that is searched, in bytes. */
const largestFile = 5 * 1024 * 1024;

/** The body of `grep`. `limitMs` bounds the time to search about half a megabyte. */
export async function grep(args: GrepArguments, ctx: ToolContext, limitMs = 5_000): Promise<string> {
  const slice = slices(ctx.signal);
  const regex = parsePattern(args.pattern, args.ignore_case ?? false);
  const workspace = workspaceOf(ctx);
  const start = locate(workspace, args.path || ".");
  const filter = !args.glob ? undefined : globFilter(args.glob, { anyDepth: true });
  const tally: Tally = { files: 0, binary: 0, secret: 0, unreadable: 0, large: [] };
  const output = args.output ?? "lines";
  const max = args.max ?? 200;
  const report = startReport(output, max);
  const search = {
    regex,
    lines: output === "lines",
    context: output === "lines" ? (args.context ?? 0) : 0,
    max: output === "lines" ? max : output === "files" ? 1 : Number.POSITIVE_INFINITY,
    width: lineWidth,
    largest: largestFile,
    secret: workspace.allowSecrets ? undefined : linkedUserFile(),
  };
  const inner = (path: string) => below(start.path, path);
  const batches = lookAt(start).isDirectory()
    ? batchesOf(walk(workspace, start, namedFolders(args.glob ?? "")), inner, {
        workspace,
        start,
        slice,
        filter,
        tally,
      })
    : [fileBatch(workspace, start, filter?.([inner(start.path)])[0] ?? true)];
  await searchAll(batches, search, { tally, report, signal: ctx.signal, limitMs, explain: failed(args.pattern) });
  return conclude(args, report, tally, max);
}

function failed(pattern: string): (failure: MatchFailure, name: string) => Error {
  return ({ reason }, name) => {
    const what = `pattern ${showPattern(pattern)}`;
    if (reason !== "too slow") return new Error(`The ${what} failed on "${name}": ${reason}. Use a simpler one.`);
    return new Error(
      `The search was stopped: the ${what} takes too long on "${name}". Repetitions inside of repetitions such as (a+)+ can take forever: write it without them.`,
    );
  };
}

/** A model may write any pattern; unicode mode, in which some usual ones are errors, is on only where it is needed. */
function parsePattern(pattern: string, ignoreCase: boolean): RegExp {
  if (pattern === "") throw new Error('The pattern is empty. "." fits every line that is not empty.');
  if (pattern.length > 5_000) throw new Error("The pattern is longer than 5,000 characters.");
  const flags = (ignoreCase ? "i" : "") + (/\\p\{|\\u\{/i.test(pattern) ? "u" : "");
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    const reason = (error as Error).message
      .replace(/^Invalid regular expression: /, "")
      .replace(/^\/[\s\S]*\/[a-z]*: /, "");
    const inline = /^\(\?[a-z]+\)/.test(pattern) ? " JavaScript knows no (?i): use ignore_case." : "";
    throw new Error(
      `The pattern ${showPattern(pattern)} is not a JavaScript regular expression: ${reason}.${inline} To search for these characters as they are, put "\\" before each of ( ) [ ] { } . * + ? ^ $ | \\.`,
    );
  }
}

const showPattern = (pattern: string) => `/${showName(pattern.length > 100 ? `${pattern.slice(0, 100)}…` : pattern)}/`;

/** The one file that was named. Opened here for the error it gives: such a file is not passed over in silence. */
function fileBatch(workspace: Workspace, file: Place, fits: boolean): Batch {
  const { fd } = openFile(workspace, file);
  return { files: [fd], count: fits ? 1 : 0, shown: () => showName(file.path), release: () => closeSync(fd) };
}

/** The path that the filter sees: relative to where the search began; a file that was named has its own name only. */
function below(start: string, path: string): string {
  if (start === "") return path;
  return path === start ? path.slice(path.lastIndexOf("/") + 1) : path.slice(start.length + 1);
}

function conclude(args: GrepArguments, report: Report, tally: Tally, max: number): string {
  const text = report.text();
  const notes: string[] = [];
  if (text === "") {
    const files = `${showCount(tally.files)} ${tally.files === 1 ? "file" : "files"}`;
    notes.push(`No match for ${showPattern(args.pattern)} in ${files}.`);
    if (/\\n|\n/.test(args.pattern))
      notes.push("Lines are searched one by one, so a pattern with a line break never matches.");
  }
  if (report.isCut())
    notes.push(
      `There are more matches than are shown (${args.output === undefined || args.output === "lines" ? "lines" : "files"}: at most ${showCount(max)}). Use a narrower pattern, path or glob.`,
    );
  else {
    const skipped = skippedNote(tally);
    if (skipped !== "") notes.push(skipped);
  }
  return [text, notes.length === 0 ? "" : `[${notes.join(" ")}]`].filter((part) => part !== "").join("\n\n");
}
