import { isUtf8 } from "node:buffer";

/** What a {@link lineWindow} found. Lines are numbered from 1; `last` is the last line shown, 0 if none is. */
export type Window = {
  readonly lines: readonly string[];
  readonly last: number;
  /** Lines seen so far: all of the file once every chunk went through. */
  readonly seen: number;
  /** True when a limit, and not the end of the file, ended what is shown. */
  readonly full: boolean;
  readonly endsWithNewline: boolean;
  /** How the lines seen so far end; undefined: none has an end. */
  readonly ends: "LF" | "CRLF" | "mixed" | undefined;
  /** Numbers of the lines shown that were cut. */
  readonly cut: readonly number[];
  readonly notUtf8: boolean;
};

type Limits = { readonly from: number; readonly lines: number; readonly chars: number; readonly lineBytes: number };

/**
 * Picks a window of lines out of a file that passes by in chunks, keeping only what is shown: lines are found by their
 * bytes and only those of the window are decoded.
 */
export function lineWindow(limits: Limits) {
  const lines: string[] = [];
  const cuts: number[] = [];
  let [number, chars, open] = [1, 0, false];
  let [full, notUtf8, endsWithNewline] = [false, false, false];
  let [lf, crlf] = [false, false];
  let [parts, kept, length, lastByte] = [[] as Buffer[], 0, 0, 0];

  function take(part: Buffer): void {
    open = open || part.length > 0;
    if (part.length > 0) lastByte = part[part.length - 1]!;
    length += part.length;
    if (full || number < limits.from || kept >= limits.lineBytes) return;
    // A copy, because the chunk's memory is used again.
    const wanted = Buffer.from(part.subarray(0, limits.lineBytes - kept));
    kept += wanted.length;
    parts.push(wanted);
  }

  function endLine(newline: boolean): void {
    const isCrlf = newline && length > 0 && lastByte === 13;
    crlf ||= isCrlf;
    lf ||= newline && !isCrlf;
    if (number >= limits.from && !full) show(isCrlf);
    endsWithNewline = newline;
    number++;
    [parts, kept, length, lastByte, open] = [[], 0, 0, 0, false];
  }

  function show(isCrlf: boolean): void {
    let bytes: Buffer = Buffer.concat(parts);
    const cut = length - (isCrlf ? 1 : 0) > bytes.length;
    if (!cut && isCrlf) bytes = bytes.subarray(0, length - 1);
    if (cut) bytes = wholeCharacters(bytes);
    let text = bytes.toString("utf8");
    if (number === 1 && text.startsWith("\uFEFF")) text = text.slice(1);
    if (cut) text += ` … [line cut: it has ${length.toLocaleString("en-US")} bytes]`;
    if (lines.length > 0 && (lines.length >= limits.lines || chars + text.length + 1 > limits.chars)) {
      full = true;
      return;
    }
    chars += text.length + 1;
    if (cut) cuts.push(number);
    notUtf8 ||= !isUtf8(bytes);
    lines.push(text);
  }

  return {
    push(chunk: Buffer): void {
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        take(chunk.subarray(start, end));
        endLine(true);
        start = end + 1;
      }
      take(chunk.subarray(start));
    },
    /** True once nothing more will be shown: what follows is only counted. */
    isFull: () => full,
    result(): Window {
      if (open) endLine(false);
      const last = lines.length === 0 ? 0 : limits.from + lines.length - 1;
      const ends = lf && crlf ? "mixed" : crlf ? "CRLF" : lf ? "LF" : undefined;
      return { lines, last, seen: number - 1, full, endsWithNewline, ends, cut: cuts, notUtf8 };
    },
  };
}

/** Without the beginning of a character whose other bytes were cut off. */
function wholeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes.length - end < 3 && (bytes[end - 1]! & 0xc0) === 0x80) end--;
  const lead = bytes[end - 1] ?? 0;
  const size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return end - 1 + size > bytes.length ? bytes.subarray(0, end - 1) : bytes;
}
