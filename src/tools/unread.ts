import { maxChars, maxLine } from "./limits.ts";
import type { Lines } from "./lines.ts";
import type { Before } from "./rewrite.ts";
import { showCount } from "./show-size.ts";

/**
 * Why a file is not replaced as a whole: the model does not know all that is in it. Says what is to be read first;
 * undefined: it knows all.
 */
export function unread({ bytes, known, gap, shown }: Before): string | undefined {
  const edit = "or change a part of it with edit_file";
  const lost = "so it is not replaced: what you have not seen would be lost";
  if (bytes === undefined || bytes.length === 0) return undefined;
  switch (known) {
    case "unseen":
      return `${shown} is there already and was not read in this run, so it is not replaced. Read it first, ${edit}.`;
    case "changed":
      return `${shown} was changed by somebody else since you read it, so it is not replaced. Read it again first.`;
    case "edited":
      return `${shown} was edited in this run, but not all of it was read, ${lost}. Read it first, ${edit}.`;
    case "fresh":
      return `${shown} was read in the same reply as this call, so you have not seen yet what is in it, and it is not replaced. Look at what read_file says first, then write it.`;
    case "part":
      return `Only a part of ${shown} was read in this run, ${lost}. ${readFirst(bytes, gap!, edit)}.`;
    default:
      return undefined;
  }
}

/** How to come to see the first lines that are missing. */
function readFirst(bytes: Buffer, [from, to]: Lines, edit: string): string {
  const { length, last } = lineAt(bytes, from);
  const line = showCount(from);
  if (length > maxLine) {
    const cut = `Line ${line} has ${showCount(length)} bytes and was not shown whole`;
    return length > maxChars
      ? `${cut}, nor can it be: change a part of the file with edit_file`
      : `${cut}: read it alone first (offset ${from}, limit 1), ${edit}`;
  }
  const end = to === Number.POSITIVE_INFINITY ? "the end" : showCount(to);
  const rest = last || to === from ? `line ${line}` : `lines ${line} to ${end}`;
  return `Read the rest first (${rest}: offset ${from}), ${edit}`;
}

/** How many bytes a line has, without its end, and whether it is the last one. */
function lineAt(bytes: Buffer, number: number): { length: number; last: boolean } {
  let start = 0;
  for (let line = 1; line < number; line++) start = bytes.indexOf(10, start) + 1;
  const end = bytes.indexOf(10, start);
  return { length: (end === -1 ? bytes.length : end) - start, last: end === -1 || end === bytes.length - 1 };
}
