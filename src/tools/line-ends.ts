import { diffArrays } from "diff";
import type { Step } from "./apply-edits.ts";
import { linesOf } from "./diff-text.ts";
import type { TextForm } from "./text-file.ts";

/**
 * Does again, in a text with both kinds of line ends, what was done in the same text with LF. Lines that were not
 * touched stay byte for byte; new ones end as the lines did whose place they take, or as those around them.
 */
export function keepLineEnds(raw: string, form: TextForm, steps: readonly Step[]): string {
  return steps.reduce((text, step) => redo(text, form, step), raw);
}

function redo(raw: string, form: TextForm, { found, old_string, new_string }: Step): string {
  const place = placesIn(raw);
  const parts: string[] = [];
  let end = 0;
  for (const at of found) {
    const start = place(at);
    const stop = place(at + old_string.length);
    const usual = /\r?\n/.exec(raw.slice(stop, stop + 10_000))?.[0] ?? form.eol;
    parts.push(raw.slice(end, start), inForm(raw.slice(start, stop), old_string, new_string, usual));
    end = stop;
  }
  return parts.join("") + raw.slice(end);
}

/** Where a place of the text with LF is in this one; asked for in ascending order. */
function placesIn(raw: string): (at: number) => number {
  let before = 0;
  let next = raw.indexOf("\r\n");
  return (at) => {
    while (next !== -1 && next - before < at) {
      before++;
      next = raw.indexOf("\r\n", next + 2);
    }
    return at + before;
  };
}

/** What takes the place of a part, its lines with the ends of those that they take the place of. */
function inForm(raw: string, before: string, after: string, usual: string): string {
  const [own, old, now] = [linesOf(raw), linesOf(before), linesOf(after)];
  const changes = diffArrays(old, now, { maxEditLength: 500 }) ?? [
    { removed: true, added: false, value: old },
    { removed: false, added: true, value: now },
  ];
  const kept: string[] = [];
  // The lines of `own` from `taken` to `at` are those whose place is free.
  let [at, taken] = [0, 0];
  for (const { added, removed, value } of changes) {
    if (removed) {
      taken = at;
      at += value.length;
    } else if (added) {
      for (const line of value) kept.push(withEnd(line, own[taken < at ? taken++ : at - 1], usual));
    } else {
      kept.push(...own.slice(at, at + value.length));
      at += value.length;
      taken = at;
    }
  }
  return kept.join("");
}

function withEnd(line: string, like: string | undefined, usual: string): string {
  if (!line.endsWith("\n")) return line;
  const end = like?.endsWith("\r\n") ? "\r\n" : like?.endsWith("\n") ? "\n" : usual;
  return line.slice(0, -1) + end;
}
