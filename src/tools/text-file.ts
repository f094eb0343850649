import { isUtf8 } from "node:buffer";
import { binaryKind, isBinary } from "./file-type.ts";

/** How a text lies in a file. */
export type TextForm = {
  readonly bom: boolean;
  /** The end of most of its lines. */
  readonly eol: "\n" | "\r\n";
  /** Both kinds of ends are there. */
  readonly mixed: boolean;
};

/** A text as a model sees it, with LF and without a byte order mark. */
export type FileText = {
  readonly text: string;
  /** For each LF of the text 1 if there is a CR before it in the file, or else 0. */
  readonly ends: Uint8Array;
  readonly form: TextForm;
};

const bom = "\uFEFF";

/** The text of a file, or in words why it has none. */
export function decodeText(bytes: Uint8Array): FileText | string {
  if (isBinary(bytes)) return `is a binary file (${binaryKind(bytes)})`;
  if (!isUtf8(bytes)) return "is not UTF-8 text";
  const ends = endsIn(bytes);
  const crlf = ends.reduce((sum, end) => sum + end, 0);
  const plain = crlf === 0 ? bytes : withoutCr(bytes, crlf);
  const whole = Buffer.from(plain.buffer, plain.byteOffset, plain.length).toString("utf8");
  const marked = whole.startsWith(bom);
  const lf = ends.length - crlf;
  const form: TextForm = { bom: marked, eol: crlf > lf ? "\r\n" : "\n", mixed: crlf > 0 && lf > 0 };
  return { text: marked ? whole.slice(1) : whole, ends, form };
}

/** A text with LF in the form of the file; of a mixed form all lines get the more frequent end. */
export function encodeText(text: string, form: TextForm): Buffer {
  const bytes = Buffer.from(form.bom ? bom + text : text);
  return form.eol === "\n" ? bytes : withCr(bytes, new Uint8Array(countLf(bytes)).fill(1));
}

/** A text with LF, and the ends that its lines are to have. */
export function encodeEnds(text: string, ends: Uint8Array, form: TextForm): Buffer {
  return withCr(Buffer.from(form.bom ? bom + text : text), ends);
}

/** A model's text with LF, which is what it sees of a file. */
export const toLf = (text: string): string => text.replaceAll("\r\n", "\n");

// Byte by byte: in a file of millions of lines it is many times faster than to replace their ends in a string.

const [lf, cr] = [10, 13];

function countLf(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === lf) count++;
  return count;
}

function endsIn(bytes: Uint8Array): Uint8Array {
  const ends = new Uint8Array(countLf(bytes));
  for (let at = 0, line = 0; at < bytes.length; at++) {
    if (bytes[at] === lf) ends[line++] = at > 0 && bytes[at - 1] === cr ? 1 : 0;
  }
  return ends;
}

function withoutCr(bytes: Uint8Array, crlf: number): Uint8Array {
  const plain = new Uint8Array(bytes.length - crlf);
  for (let at = 0, to = 0; at < bytes.length; at++) {
    if (bytes[at] !== cr || bytes[at + 1] !== lf) plain[to++] = bytes[at]!;
  }
  return plain;
}

function withCr(bytes: Buffer, ends: Uint8Array): Buffer {
  const written = Buffer.allocUnsafe(bytes.length + ends.reduce((sum, end) => sum + end, 0));
  for (let at = 0, to = 0, line = 0; at < bytes.length; at++) {
    if (bytes[at] === lf && ends[line++] === 1) written[to++] = cr;
    written[to++] = bytes[at]!;
  }
  return written;
}
