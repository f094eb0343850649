import { structuredPatch } from "diff";
import { showName } from "./show-name.ts";

/** A difference as people read it. `text` is empty for equal texts; `added` and `removed` count lines, also those not shown. */
export type TextDiff = { readonly text: string; readonly added: number; readonly removed: number };

/** How a difference is shown. */
export type DiffOptions = {
  /** Path that the texts have. */
  readonly path: string;
  /** Unchanged lines around each change. Default 3. */
  readonly context?: number;
  /** Most lines to show, without the two that name the file. Default 200. */
  readonly maxLines?: number;
  /** Longest line, in characters. Default 400. */
  readonly maxWidth?: number;
  /** Lines behind the two that name the file. */
  readonly notes?: readonly string[];
};

type Hunk = {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
};

/** Changed lines up to which the shortest difference is looked for; beyond it takes too long. */
const mostChanges = 2_000;

/**
 * What is different between two texts, as a unified diff. `before` is undefined for a file that is new. Never longer
 * than the options say: a last line in words tells how much was left out. Where almost everything is different, all
 * between the first and the last change counts as changed.
 */
export function diffText(before: string | undefined, after: string, options: DiffOptions): TextDiff {
  const { context = 3, maxLines = 200, maxWidth = 400, notes = [] } = options;
  if (before === after && notes.length === 0) return { text: "", added: 0, removed: 0 };
  const hunks = hunksOf(before ?? "", after, context);
  const path = showName(options.path);
  const all = hunks.flatMap((hunk) => [headOf(hunk), ...hunk.lines]);
  const shown = all.slice(0, maxLines).map((line) => clip(line, maxWidth));
  if (all.length > maxLines) shown.push(`… ${(all.length - maxLines).toLocaleString("en-US")} more lines of the diff`);
  const head = [before === undefined ? "--- /dev/null" : `--- a/${path}`, `+++ b/${path}`, ...notes];
  const changed = (sign: string) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((l) => l[0] === sign).length, 0);
  return { text: [...head, ...shown].join("\n"), added: changed("+"), removed: changed("-") };
}

function hunksOf(before: string, after: string, context: number): readonly Hunk[] {
  if (before === after) return [];
  const found = structuredPatch("", "", before, after, "", "", { context, maxEditLength: mostChanges });
  return found?.hunks ?? [oneHunk(before, after, context)];
}

const headOf = ({ oldStart, oldLines, newStart, newLines }: Hunk) =>
  `@@ -${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)} @@`;

const rangeOf = (start: number, lines: number) =>
  lines === 1 ? `${start}` : `${lines === 0 ? start - 1 : start},${lines}`;

function clip(line: string, width: number): string {
  if (line.length <= width) return line;
  const cut = line.slice(0, width).toWellFormed();
  return `${cut} … [${(line.length - width).toLocaleString("en-US")} more characters]`;
}

/** All from the first line that is different to the last one. */
function oneHunk(before: string, after: string, context: number): Hunk {
  const [old, now] = [linesOf(before), linesOf(after)];
  const { start, oldEnd, newEnd } = changedRange(old, now);
  const first = Math.max(0, start - context);
  const behind = old.slice(oldEnd, oldEnd + context);
  const marked = (sign: string, lines: readonly string[]) =>
    lines.flatMap((line) =>
      line.endsWith("\n") ? [sign + line.slice(0, -1)] : [sign + line, "\\ No newline at end of file"],
    );
  return {
    oldStart: first + 1,
    oldLines: oldEnd - first + behind.length,
    newStart: first + 1,
    newLines: newEnd - first + behind.length,
    lines: [
      ...marked(" ", old.slice(first, start)),
      ...marked("-", old.slice(start, oldEnd)),
      ...marked("+", now.slice(start, newEnd)),
      ...marked(" ", behind),
    ],
  };
}

/** The lines of a text, each with its end. */
export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** What lies between the equal lines at the beginning and those at the end of two lists. */
export function changedRange(old: readonly string[], now: readonly string[]) {
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let same = 0;
  while (same < shorter - start && old[old.length - 1 - same] === now[now.length - 1 - same]) same++;
  return { start, oldEnd: old.length - same, newEnd: now.length - same };
}
