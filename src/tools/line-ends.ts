import { diffArrays } from "diff";
import type { Step } from "./apply-edits.ts";
import { changedRange } from "./diff-text.ts";
import { breaksBefore, countBreaks, countLines } from "./same-ends.ts";
import { encodeEnds, encodeText, type FileText } from "./text-file.ts";

/** Lines that are taken apart at once, of all places together. */
const mostLines = 500_000;

/**
 * A text with LF in the form of the file whose text it was; `steps` are what was done to that. Where the file has both
 * kinds of line ends, lines that were not touched stay byte for byte; new ones end as the lines did whose place they take,
 * or as those around them. Throws an error for the model.
 */
export function encodeLike({ ends, form }: FileText, text: string, steps: readonly Step[], shown: string): Buffer {
  if (!form.mixed) return encodeText(text, form);
  const lines = steps.reduce(
    (sum, { found, old_string, new_string }) => sum + found.length * (countLines(old_string) + countLines(new_string)),
    0,
  );
  if (lines > mostLines)
    throw new Error(
      `Some lines of ${shown} end with LF and some with CRLF, and so much of it cannot be changed at once without mixing them up. Change less at once. Nothing was changed.`,
    );
  const usual = form.eol === "\n" ? 0 : 1;
  return encodeEnds(
    text,
    steps.reduce((now, step) => redo(now, usual, step), ends),
    form,
  );
}

/**
 * The ends of all lines after a step. Only those of the lines that it replaces are made anew, the rest is copied; what is
 * different is found once, however many places there are.
 */
function redo(ends: Uint8Array, usual: number, { text, found, old_string, new_string }: Step): Uint8Array {
  const [before, after] = [countBreaks(old_string), countBreaks(new_string)];
  if (before === 0 && after === 0) return ends;
  const changes = changesOf(linesOf(old_string), linesOf(new_string));
  const made = new Uint8Array(ends.length + found.length * (after - before));
  const breaks = breaksBefore(text);
  let [copied, to] = [0, 0];
  for (const start of found) {
    const line = breaks(start);
    made.set(ends.subarray(copied, line), to);
    to += line - copied;
    copied = line + before;
    to = putEnds(changes, ends.subarray(line, copied), ends[copied] ?? usual, made, to);
  }
  made.set(ends.subarray(copied), to);
  return made;
}

/** Lines that are kept, taken away or put in, one after the other. */
type Change = { readonly kind: "kept" | "removed" | "added"; readonly lines: readonly string[] };

function changesOf(old: readonly string[], now: readonly string[]): Change[] {
  const { start, oldEnd, newEnd } = changedRange(old, now);
  const [from, to] = [old.slice(start, oldEnd), now.slice(start, newEnd)];
  const found = diffArrays(from, to, { maxEditLength: 500 });
  const between: readonly Change[] = found?.map(({ added, removed, value }) => ({
    kind: added ? "added" : removed ? "removed" : "kept",
    lines: value,
  })) ?? [
    { kind: "removed", lines: from },
    { kind: "added", lines: to },
  ];
  return [{ kind: "kept", lines: old.slice(0, start) }, ...between, { kind: "kept", lines: old.slice(oldEnd) }];
}

/**
 * Puts the ends of the lines that take the place of others, whose ends are `own`; a line that has none gives none. Returns
 * where the next one goes.
 */
function putEnds(changes: readonly Change[], own: Uint8Array, behind: number, made: Uint8Array, start: number): number {
  let to = start;
  // The lines from `taken` to `at` are those whose place is free.
  let [at, taken] = [0, 0];
  for (const { kind, lines } of changes) {
    if (kind === "removed") {
      taken = at;
      at += lines.length;
    } else if (kind === "added") {
      for (const line of lines) {
        const like = taken < at ? taken++ : at - 1;
        if (line.endsWith("\n")) made[to++] = own[like] ?? behind;
      }
    } else {
      for (const line of lines) {
        if (line.endsWith("\n")) made[to++] = own[at]!;
        at++;
      }
      taken = at;
    }
  }
  return to;
}

/** The lines of a text, each with its end. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
