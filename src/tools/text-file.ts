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

/** A text as a model sees it, with LF and without a byte order mark; `raw` is as it lies there, but for the mark. */
export type FileText = { readonly text: string; readonly raw: string; readonly form: TextForm };

const bom = "\uFEFF";

/** The text of a file, or in words why it has none. */
export function decodeText(bytes: Uint8Array): FileText | string {
  if (isBinary(bytes)) return `is a binary file (${binaryKind(bytes)})`;
  if (!isUtf8(bytes)) return "is not UTF-8 text";
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
  const raw = whole.startsWith(bom) ? whole.slice(1) : whole;
  const { lf, crlf } = countEnds(raw);
  const form: TextForm = { bom: raw !== whole, eol: crlf > lf ? "\r\n" : "\n", mixed: crlf > 0 && lf > 0 };
  return { text: crlf === 0 ? raw : raw.replaceAll("\r\n", "\n"), raw, form };
}

/** A text with LF in the form of the file; of a mixed form all lines get the more frequent end. */
export function encodeText(text: string, form: TextForm): Buffer {
  const body = form.eol === "\n" ? text : text.replaceAll("\n", "\r\n");
  return Buffer.from(form.bom ? bom + body : body);
}

/** A model's text with LF, which is what it sees of a file. */
export const toLf = (text: string): string => text.replaceAll("\r\n", "\n");

function countEnds(text: string): { lf: number; crlf: number } {
  let [lf, crlf] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) !== 10) continue;
    if (text.charCodeAt(at - 1) === 13) crlf++;
    else lf++;
  }
  return { lf, crlf };
}
