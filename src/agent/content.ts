import type { UserContent, UserMessage } from "../message/message.ts";
import { wellFormed } from "../message/well-formed.ts";
import { mistake, shown } from "./check-options.ts";
import { readContentPart } from "./content-part.ts";

/**
 * A part of a prompt or message. `path`: a file of yours, read at once; relative ones start at the current folder of the
 * process. `data`: bytes, or base64 text. Together the parts of a message may hold 50 MB.
 */
export type ContentPart =
  | UserContent
  | ImageFromPath
  | ImageFromData
  | FileFromPath
  | { readonly type: "file"; readonly data: Uint8Array; readonly mediaType: string; readonly name?: string };

type ImageFromPath = {
  readonly type: "image";
  readonly path: string;
  /** Default: by the bytes (PNG, JPEG, GIF, WebP), else by the extension. */
  readonly mediaType?: string;
};

type ImageFromData = {
  readonly type: "image";
  readonly data: Uint8Array | string;
  /** Default: by the bytes (PNG, JPEG, GIF, WebP). */
  readonly mediaType?: string;
};

type FileFromPath = {
  readonly type: "file";
  readonly path: string;
  /** Default: by the extension, else `application/octet-stream`. */
  readonly mediaType?: string;
  /** Default: the last part of the path. */
  readonly name?: string;
};

/** A prompt or message: text, or parts. */
export type Content = string | readonly ContentPart[];

/**
 * A prompt or message as it enters the history: files are read, media types found, texts well-formed.
 *
 * @throws RondoError `invalid_option`, naming the part, for what cannot be sent
 */
export function userMessage(content: Content | UserMessage, what: string): UserMessage {
  if (typeof content === "object" && content !== null && "role" in content) {
    if (content.role === "user") return userMessage(content.content, what);
    throw mistake(`${what} must be a user message, not one of role ${shown((content as { role: unknown }).role)}.`);
  }
  if (typeof content === "string") {
    if (content.trim() === "") throw mistake(`${what} is empty.`);
    return { role: "user", content: wellFormed(content) };
  }
  if (!Array.isArray(content)) throw mistake(`${what} must be text or an array of parts, not ${shown(content)}.`);
  let size = 0;
  // Not map, which would pass over holes.
  const parts = Array.from(content as readonly unknown[], (given, i) => {
    const { part, bytes } = readContentPart(given, `${what}: part ${i}`, size);
    size += bytes;
    return part;
  });
  if (!parts.some((part) => part.type !== "text" || part.text.trim() !== "")) throw mistake(`${what} is empty.`);
  return { role: "user", content: parts };
}
