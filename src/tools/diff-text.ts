import { structuredPatch } from "diff";
import { countLines, firstLines, linesAhead, linesBack, type SameEnds, sameEnds } from "./same-ends.ts";
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
  /** Lines that are not among them, because they would not be shown. */
  readonly hidden: number;
  readonly added: number;
  readonly removed: number;
};

/**
 * Changed lines up to which the shortest difference is looked for, lines from the first change to the last one, and what
 * the two may come to when multiplied; beyond it takes too long.
 */
const [mostChanges, mostLines, mostWork] = [1_000, 250_000, 20_000_000];

/**
 * What is different between two texts, as a unified diff. `before` is undefined for a file that is new. Never longer
 * than the options say: a last line in words tells how much was left out. Where almost everything is different, all
 * between the first and the last change counts as changed.
 */
export function diffText(before: string | undefined, after: string, options: DiffOptions): TextDiff {
  const { context = 3, maxLines = 200, maxWidth = 400, notes = [] } = options;
  if (before === after && notes.length === 0) return { text: "", added: 0, removed: 0 };
  const hunks = hunksOf(before ?? "", after, context, maxLines);
  const path = showName(options.path);
  const all = hunks.flatMap((hunk) => [headOf(hunk), ...hunk.lines]);
  const shown = all.slice(0, maxLines).map((line) => clip(line, maxWidth));
  const more = hunks.reduce((sum, { hidden }) => sum + hidden, all.length) - maxLines;
  if (more > 0) shown.push(`… ${more.toLocaleString("en-US")} more lines of the diff`);
  const head = [before === undefined ? "--- /dev/null" : `--- a/${path}`, `+++ b/${path}`, ...notes];
  const changed = (which: "added" | "removed") => hunks.reduce((sum, hunk) => sum + hunk[which], 0);
  return { text: [...head, ...shown].join("\n"), added: changed("added"), removed: changed("removed") };
}

/** Only what lies between the equal ends is compared: a large file costs no more than what is changed in it. */
function hunksOf(before: string, after: string, context: number, maxLines: number): readonly Hunk[] {
  if (before === after) return [];
  const { head, tail } = sameEnds(before, after);
  const start = linesBack(before, head, context);
  const stop = linesAhead(before, before.length - tail, context);
  const [old, now] = [before.slice(start, stop), after.slice(start, after.length - before.length + stop)];
  const skipped = countLines(before.slice(0, start));
  const lines = countLines(old) + countLines(now);
  const maxEditLength = Math.min(mostChanges, Math.floor(mostWork / lines));
  const found = lines <= mostLines && structuredPatch("", "", old, now, "", "", { context, maxEditLength });
  const count = (lines: readonly string[], sign: string) => lines.filter((line) => line[0] === sign).length;
  return found
    ? found.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
        oldStart: oldStart + skipped,
        oldLines,
        newStart: newStart + skipped,
        newLines,
        lines,
        hidden: 0,
        added: count(lines, "+"),
        removed: count(lines, "-"),
      }))
    : [oneHunk(old, now, { head: head - start, tail: tail - before.length + stop }, skipped + 1, maxLines)];
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

/** All between the equal ends, of which no more lines are made than are shown. */
function oneHunk(old: string, now: string, { head, tail }: SameEnds, start: number, maxLines: number): Hunk {
  const parts = (
    [
      [" ", old.slice(0, head)],
      ["-", old.slice(head, old.length - tail)],
      ["+", now.slice(head, now.length - tail)],
      [" ", old.slice(old.length - tail)],
    ] as const
  ).map(([sign, text]) => ({ sign, text, count: countLines(text) }));
  const [before, removed, added, behind] = parts.map(({ count }) => count) as [number, number, number, number];
  const lines = parts.flatMap(({ sign, text }) =>
    firstLines(text, maxLines).flatMap((line) =>
      line.endsWith("\n") ? [sign + line.slice(0, -1)] : [sign + line, "\\ No newline at end of file"],
    ),
  );
  const unended = parts.filter(({ text }) => text !== "" && !text.endsWith("\n")).length;
  const all = before + removed + added + behind + unended;
  return {
    oldStart: start,
    oldLines: before + removed + behind,
    newStart: start,
    newLines: before + added + behind,
    lines,
    hidden: all - lines.length,
    added,
    removed,
  };
}

/** What lies between the equal lines at the beginning and those at the end of two lists. */
export function changedRange(old: readonly string[], now: readonly string[]) {
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let same = 0;
  while (same < shorter - start && old[old.length - 1 - same] === now[now.length - 1 - same]) same++;
  return { start, oldEnd: old.length - same, newEnd: now.length - same };
}
