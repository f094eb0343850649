import { diffArrays } from "diff";
import type { Step } from "./apply-edits.ts";
import { changedRange } from "./diff-text.ts";
import { countLines } from "./same-ends.ts";
import { encodeText, type FileText } from "./text-file.ts";

/** Characters that hardly any text has: control characters, and those that Unicode gives to nobody. */
const rare = [...Array(32).keys()]
  .flatMap((n) => [n < 9 || n > 13 ? n : 0, 0xfdd0 + n])
  .sort((a, b) => a - b)
  .map((code) => String.fromCharCode(code));

/** Lines that are taken apart at once, of all places together. */
const mostLines = 500_000;

/**
 * A text with LF in the form of the file whose text it was; `steps` are what was done to that. Where the file has both
 * kinds of line ends, lines that were not touched stay byte for byte; new ones end as the lines did whose place they take,
 * or as those around them. Throws an error for the model.
 */
export function encodeLike({ raw, form }: FileText, text: string, steps: readonly Step[], shown: string): Buffer {
  if (!form.mixed) return encodeText(text, form);
  // Stands for CRLF meanwhile, so that a place in the text is the same place as in the one with LF.
  const crlf = rare.find((char) => !raw.includes(char) && !steps.some(({ new_string }) => new_string.includes(char)));
  const lines = steps.reduce(
    (sum, { found, old_string, new_string }) => sum + found.length * (countLines(old_string) + countLines(new_string)),
    0,
  );
  if (crlf === undefined || lines > mostLines)
    throw new Error(
      `Some lines of ${shown} end with LF and some with CRLF, and so much of it cannot be changed at once without mixing them up. Change less at once. Nothing was changed.`,
    );
  const usual = form.eol === "\n" ? "\n" : crlf;
  const after = steps.reduce((now, step) => redo(now, crlf, usual, step), raw.replaceAll("\r\n", crlf));
  return encodeText(after.replaceAll(crlf, "\r\n"), { ...form, eol: "\n" });
}

/** Does a step again. The work grows with the texts alone: what is different is found once, however many places there are. */
function redo(text: string, crlf: string, usual: string, { found, old_string, new_string }: Step): string {
  const lines = splitter(crlf);
  const changes = changesOf(lines(old_string), lines(new_string));
  const endBehind = endsIn(text, crlf);
  const endOf = (line: string | undefined) => (line?.endsWith("\n") ? "\n" : line?.endsWith(crlf) ? crlf : undefined);
  const parts: string[] = [];
  let end = 0;
  for (const start of found) {
    const stop = start + old_string.length;
    const own = lines(text.slice(start, stop));
    const withEnd = (line: string, like: string | undefined) =>
      line.endsWith("\n") ? line.slice(0, -1) + (endOf(like) ?? endBehind(stop) ?? usual) : line;
    parts.push(text.slice(end, start), inForm(own, changes, withEnd));
    end = stop;
  }
  return parts.join("") + text.slice(end);
}

/** The first line end from a place on; asked for in ascending order. */
function endsIn(text: string, crlf: string): (at: number) => string | undefined {
  const next = [-1, -1];
  return (at) => {
    for (const [i, char] of ["\n", crlf].entries()) {
      if (next[i]! >= at) continue;
      const found = text.indexOf(char, at);
      next[i] = found === -1 ? Number.POSITIVE_INFINITY : found;
    }
    const [lf, other] = next as [number, number];
    return lf === other ? undefined : lf < other ? "\n" : crlf;
  };
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

/** What takes the place of these lines; `withEnd` gives a new line the end of another one. */
function inForm(
  own: readonly string[],
  changes: readonly Change[],
  withEnd: (line: string, like: string | undefined) => string,
): string {
  const kept: string[] = [];
  // The lines of `own` from `taken` to `at` are those whose place is free.
  let [at, taken] = [0, 0];
  for (const { kind, lines } of changes) {
    if (kind === "removed") {
      taken = at;
      at += lines.length;
    } else if (kind === "added") {
      for (const line of lines) kept.push(withEnd(line, own[taken < at ? taken++ : at - 1]));
    } else {
      for (const end = at + lines.length; at < end; at++) kept.push(own[at]!);
      taken = at;
    }
  }
  return kept.join("");
}

/** Splits a text into its lines, each with its end. */
function splitter(crlf: string): (text: string) => string[] {
  const end = `\\n\\u${crlf.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const line = new RegExp(`[^${end}]*[${end}]|[^${end}]+$`, "g");
  return (text) => text.match(line) ?? [];
}
