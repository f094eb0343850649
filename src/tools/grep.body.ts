import { closeSync, lstatSync } from "node:fs";
import type { ToolContext } from "../menu/context.ts";
import { type NamedBatch, readBatches, type Tally } from "./batches.ts";
import { globFilter, namedFolders } from "./glob-filter.ts";
import { type Output, type Report, skippedNote, startReport } from "./grep-report.ts";
import { type Matcher, type MatchFailure, startMatcher } from "./matcher.ts";
import { openFile } from "./open.ts";
import { showName } from "./show-name.ts";
import { showCount } from "./show-size.ts";
import { slices } from "./slices.ts";
import { type Met, walk } from "./walk.ts";
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

/** The body of `grep`. `limitMs` bounds the time to search a batch of about a megabyte. */
export async function grep(args: GrepArguments, ctx: ToolContext, limitMs = 5_000): Promise<string> {
  const done = new AbortController();
  const slice = slices(AbortSignal.any([ctx.signal, done.signal]));
  const regex = parsePattern(args.pattern, args.ignore_case ?? false);
  const workspace = workspaceOf(ctx);
  const start = locate(workspace, args.path ?? ".");
  const filter = args.glob === undefined ? undefined : globFilter(args.glob, { anyDepth: true });
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
  };
  const batches = readBatches(filesOf(workspace, start, args.glob), (path) => below(start.path, path), {
    workspace,
    slice,
    filter,
    tally,
  });
  const matcher = startMatcher(search, ctx.signal, limitMs);
  try {
    await searchAll(batches, matcher, report, args.pattern);
  } finally {
    done.abort();
    await matcher.close();
  }
  return conclude(args, report, tally, max);
}

/** While the thread searches a batch, the next one is read. */
async function searchAll(
  batches: AsyncGenerator<NamedBatch>,
  matcher: Matcher,
  report: Report,
  pattern: string,
): Promise<void> {
  let next = await batches.next();
  while (!next.done) {
    const { names } = next.value;
    const following = batches.next();
    // Nobody waits for it if the search ends before.
    following.catch(() => {});
    const found = await matcher.match(next.value).catch((error: unknown) => {
      throw explain(error, names, pattern);
    });
    if (!report.add(names, found)) return;
    next = await following;
  }
}

function explain(error: unknown, names: readonly string[], pattern: string): unknown {
  if (error === null || typeof error !== "object" || !("failedAt" in error)) return error;
  const { failedAt, reason } = error as MatchFailure;
  const where = `on "${names[failedAt]}"`;
  if (reason !== "too slow")
    return new Error(`The pattern ${showPattern(pattern)} failed ${where}: ${reason}. Use a simpler one.`);
  return new Error(
    `The search was stopped: the pattern ${showPattern(pattern)} takes too long ${where}. Repetitions inside of repetitions such as (a+)+ can take forever: write it without them.`,
  );
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

/** The files under a folder, or the one file that was named. */
function filesOf(workspace: Workspace, start: Place, glob: string | undefined): Iterable<Met> {
  if (lstatSync(start.real).isDirectory()) return walk(workspace, start, namedFolders(glob ?? ""));
  // Opened once for the error it gives: a file that was named is not passed over in silence.
  closeSync(openFile(workspace, start).fd);
  return [{ kind: "file", path: start.path, shown: showName(start.path), place: start }];
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
