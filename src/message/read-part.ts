import { isDataUrl, readDataUrl } from "./data-url.ts";
import type {
  FileContent,
  ImageContent,
  JsonContent,
  LinkedImage,
  ReasoningContent,
  TextContent,
  ToolCall,
} from "./message.ts";

/** Takes down in words what was changed. */
export type Note = (repair: string) => void;

type Parts = {
  text: TextContent;
  image: ImageContent;
  /** Of the type "image" too. */
  link: LinkedImage;
  file: FileContent;
  json: JsonContent;
  reasoning: ReasoningContent;
  tool_call: ToolCall;
};

/** The texts that a part needs, by its type. */
const needs: { readonly [type: string]: readonly string[] } = {
  image: ["data", "mediaType"],
  file: ["data", "mediaType"],
};

/**
 * The parts of a message's content that may come from anywhere: the very same array if nothing is wrong with it. Text is
 * taken as one text part, content that is absent as no parts.
 *
 * @throws what `fail` makes of the problem, if it is no content
 */
export function readParts<const K extends keyof Parts>(
  content: unknown,
  allowed: readonly K[],
  note: Note,
  fail: (problem: string) => Error,
): readonly Parts[K][] {
  if (content === undefined || content === null) {
    note("had no content");
    return [];
  }
  if (typeof content === "string") {
    note("content was text, now a text part");
    return [{ type: "text", text: content }] as readonly TextContent[] as readonly Parts[K][];
  }
  if (!Array.isArray(content)) throw fail(`has content that is ${typeof content}; expected an array of parts`);
  let changed = false;
  // Not map, which would pass over holes.
  const parts = Array.from(content, (part: unknown, index) => {
    const read = readPart(part, `content[${index}]`, allowed, note, fail);
    if (read !== part) changed = true;
    return read as Parts[K];
  });
  return changed ? parts : (content as readonly Parts[K][]);
}

function readPart(
  part: unknown,
  where: string,
  allowed: readonly (keyof Parts)[],
  note: Note,
  fail: (problem: string) => Error,
): unknown {
  const types = allowed.filter((name) => name !== "link");
  const expected = types.map((type) => `"${type}"`).join(", ");
  if (typeof part !== "object" || part === null) throw fail(`has no part at ${where}; expected one of ${expected}`);
  const fields = part as Record<string, unknown>;
  const { type } = fields;
  if (!types.some((name) => name === type)) {
    throw fail(`has a part of type ${JSON.stringify(type)} at ${where}; expected one of ${expected}`);
  }
  if (type === "tool_call") return readCall(fields as ToolCall, where, note);
  if (type === "json") {
    if (fields.value !== undefined) return part;
    note(`the value at ${where} was missing, now null`);
    return { ...fields, value: null };
  }
  if (type === "image" && fields.url !== undefined && fields.data === undefined && allowed.includes("link" as never)) {
    return readLink(fields as LinkedImage, where, note, fail);
  }
  for (const key of needs[type as string] ?? ["text"]) {
    if (typeof fields[key] !== "string") throw fail(`has a part of type "${type}" without ${key} at ${where}`);
  }
  if (type === "file") return withoutBadText(fields as FileContent, "name", where, note);
  return withoutBadData(fields, where, note);
}

/** An image by its address; one that holds the image itself becomes just that. */
function readLink(given: LinkedImage, where: string, note: Note, fail: (problem: string) => Error): unknown {
  const part = withoutBadText(given, "mediaType", where, note);
  const { url } = part;
  if (typeof url === "string" && isDataUrl(url)) {
    const read = readDataUrl(url);
    const mediaType = part.mediaType ?? read?.mediaType;
    if (!read || !mediaType) throw fail(`has an image with a broken data: URL, or one without media type, at ${where}`);
    note(`the image at ${where} was a data: URL, now data`);
    return { type: "image", data: read.base64, mediaType };
  }
  const { protocol } = (typeof url === "string" && URL.parse(url)) || {};
  if (protocol === "http:" || protocol === "https:") return part;
  throw fail(`has an image whose url is not http, https or data at ${where}`);
}

function withoutBadText<T extends object, K extends keyof T & string>(part: T, key: K, where: string, note: Note): T {
  if (part[key] === undefined || typeof part[key] === "string") return part;
  const { [key]: _, ...rest } = part;
  note(`${key} at ${where} was no text, left out`);
  return rest as T;
}

/** A call keeps its place whatever it lacks: no text counts as missing, and the rest of the repair knows how to go on. */
function readCall(call: ToolCall, where: string, note: Note): unknown {
  const fields: Record<string, unknown> = {};
  if (typeof call.id !== "string") fields.id = "";
  if (typeof call.name !== "string") fields.name = "";
  if (typeof call.arguments !== "string") fields.arguments = JSON.stringify(call.arguments) ?? "";
  const keys = Object.keys(fields);
  if (keys.length > 0) note(`${keys.join(", ")} of the call at ${where} was no text`);
  const checked = withoutBadData(keys.length === 0 ? call : { ...call, ...fields }, where, note);
  if (checked.partial === undefined || checked.partial === true) return checked;
  const { partial: _, ...whole } = checked;
  note(`partial of the call at ${where} was not true, left out`);
  return whole;
}

function withoutBadData<T extends { readonly providerData?: unknown }>(part: T, where: string, note: Note): T {
  const { providerData, ...rest } = part;
  const isData = typeof providerData === "object" && providerData !== null && !Array.isArray(providerData);
  if (providerData === undefined || isData) return part;
  note(`providerData at ${where} was no object, left out`);
  return rest as T;
}
