import { readBase64 } from "./base64.ts";

/** What a `data:` URL holds; `mediaType` is empty where it names none. */
export type DataUrl = { readonly bytes: Buffer; readonly base64: string; readonly mediaType: string };

export function isDataUrl(url: string): boolean {
  return /^data:/i.test(url);
}

/** Reads a `data:` URL, in base64 or percent-encoded; undefined if it is broken. */
export function readDataUrl(url: string): DataUrl | undefined {
  const comma = url.indexOf(",");
  if (comma < 0 || !isDataUrl(url)) return undefined;
  const [mediaType = "", ...parameters] = url
    .slice("data:".length, comma)
    .split(";")
    .map((text) => text.trim().toLowerCase());
  const data = decoded(url.slice(comma + 1));
  if (parameters.at(-1) !== "base64") return { bytes: data, base64: data.toString("base64"), mediaType };
  const read = readBase64(data.toString("latin1"));
  return read && { ...read, mediaType };
}

/** The bytes behind percent signs, which need not be text. */
function decoded(text: string): Buffer {
  const bytes = Buffer.from(text, "utf8");
  if (!text.includes("%")) return bytes;
  const escaped = bytes.toString("latin1");
  const plain = escaped.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(plain, "latin1");
}
