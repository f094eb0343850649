import { isUtf8 } from "node:buffer";
import { hidden } from "./hidden-characters.ts";

// Control characters, halves of surrogate pairs, line separators and what is not seen.
const unsafe = new RegExp(`[\\p{Cc}\\p{Cs}\\u2028\\u2029]|${hidden}`, "gu");

/** A file name as one visible line: line breaks, control characters, and characters that are not seen or change the reading direction, are written as escapes. */
export function showName(name: string): string {
  // Most names are plain, and this is asked of every name in a tree.
  if (/^[ -~]*$/.test(name)) return name;
  return name.replace(unsafe, (char) => {
    const code = char.codePointAt(0)!;
    if (char === "\n") return "\\n";
    if (char === "\t") return "\\t";
    if (char === "\r") return "\\r";
    const hex = code.toString(16);
    if (code > 0xffff) return `\\u{${hex}}`;
    return code < 0x100 ? `\\x${hex.padStart(2, "0")}` : `\\u${hex.padStart(4, "0")}`;
  });
}

/** Longest path that an error repeats whole, in characters. */
const longest = 200;

/** A path for an error: as {@link showName} writes it, and without its middle if it is very long. */
export function showPath(path: string): string {
  const shown = showName(path);
  if (shown.length <= longest) return shown;
  return `${shown.slice(0, longest / 2).toWellFormed()}…${shown.slice(1 - longest / 2).toWellFormed()}`;
}

/** The name of a file whose bytes are not UTF-8: each byte that does not fit is written as `\xNN`. */
export function showBytes(name: Uint8Array): string {
  let shown = "";
  // Characters that belong together are shown together.
  let text = 0;
  const textUntil = (end: number) => showName(Buffer.from(name.subarray(text, end)).toString());
  for (let at = 0; at < name.length; ) {
    const length = characterAt(name, at);
    if (length === 0) {
      shown += `${textUntil(at)}\\x${name[at]!.toString(16).padStart(2, "0")}`;
      text = at + 1;
    }
    at += length || 1;
  }
  return shown + textUntil(name.length);
}

/** How many bytes the character at this place has; 0: no character begins here. */
function characterAt(name: Uint8Array, at: number): number {
  for (let length = 1; length <= 4 && at + length <= name.length; length++) {
    if (isUtf8(name.subarray(at, at + length))) return length;
  }
  return 0;
}
