import type { Tally } from "./batches.ts";
import { maxChars } from "./limits.ts";
import type { Hit, Row } from "./matcher.ts";
import { showCount } from "./show-size.ts";

/** What `grep` returns: matching lines, the files that have some, or how many each has. */
export type Output = "lines" | "files" | "count";

/** Collects matches until there are as many as wanted. */
export type Report = {
  /** Adds a batch's matches, in which `shown` is the path of a file; false when no more are wanted. */
  add(shown: (index: number) => string, hits: readonly Hit[]): boolean;
  /** True if there are more matches than fit. */
  isCut(): boolean;
  /** The matches as text; `""` if there are none. */
  text(): string;
};

/** A report of at most `max` matching lines or files. */
export function startReport(output: Output, max: number): Report {
  const parts: string[] = [];
  let [entries, chars, total, cut] = [0, 0, 0, false];

  function put(part: string, entry: boolean): void {
    if ((entry && entries >= max) || chars + part.length + 1 > maxChars) cut = true;
    if (cut) return;
    parts.push(part);
    chars += part.length + 1;
    if (entry) entries++;
  }

  function addLines(name: string, count: number, rows: readonly Row[]): void {
    const before = entries;
    let last = -1;
    for (const [number, matches, text] of rows) {
      const apart = rows.length > count && parts.length > 0 && number !== last + 1;
      if (apart) put("--", false);
      put(matches ? `${name}:${number}:${text}` : `${name}-${number}-${text}`, matches);
      last = number;
    }
    if (entries - before < count) cut = true;
  }

  return {
    add(shown, hits) {
      for (const [index, count, rows] of hits) {
        if (cut) break;
        const name = shown(index);
        if (output === "lines") addLines(name, count, rows);
        else put(output === "files" ? name : `${name}: ${count}`, true);
        total += count;
      }
      return !cut;
    },
    isCut: () => cut,
    text() {
      if (parts.at(-1) === "--") parts.pop();
      const sum = output === "count" && entries > 1 ? `\n${showCount(total)} lines in ${showCount(entries)} files` : "";
      return parts.join("\n") + sum;
    },
  };
}

/** The note on what was not searched; `""` if there is nothing to say. */
export function skippedNote({ binary, secret, unreadable, large }: Tally): string {
  const parts: string[] = [];
  if (large.length > 0) {
    const more = large.length > 5 ? ` and ${large.length - 5} more` : "";
    parts.push(`larger than 5 MB: ${large.slice(0, 5).join(", ")}${more}`);
  }
  if (binary > 0) parts.push(`binary: ${showCount(binary)}`);
  if (secret > 0) parts.push(`secret: ${showCount(secret)}`);
  if (unreadable > 0) parts.push(`unreadable: ${showCount(unreadable)}`);
  return parts.length === 0 ? "" : `Not searched: ${parts.join("; ")}.`;
}
