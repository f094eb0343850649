import type { TextContent, ToolResultContent } from "./message.ts";
import { headOf, tailOf } from "./pairs.ts";

/** What is missing of a capped result. */
export type Cut = {
  /** Characters of the result that the model still gets. */
  readonly shownChars: number;
  /** Characters that there were. */
  readonly totalChars: number;
  /** Images left out; absent if none. */
  readonly omittedImages?: number;
};

export type Capped = { readonly content: readonly ToolResultContent[]; readonly cut?: Cut };

/** Keeps a text, and says under which id; undefined if it cannot. */
export type Keep = (text: string) => string | undefined;

/** Bounds for the images of one result: how many, and their base64 characters in sum (15 MB of bytes). */
const maxImages = 20;
const maxImageChars = 20_000_000;

/** Which part of the room goes to the beginning; the end gets the rest. */
const headShare = 0.7;

/**
 * Cuts a result to `maxChars` characters (UTF-16 units; `Infinity`: no limit). Over all its text and json parts together
 * the first 70 % and the last 30 % stay, with a marker between them that says how much is missing and that counts too
 * (it is all there is when `maxChars` has no room for more). A json part that is cut becomes text; one that is not stays
 * json. No surrogate pair is split. `keep` is given the whole text of what is cut, and says under which id that can be read
 * on; the marker then names it. Images do not count; beyond 20 of them, or 20,000,000 characters of base64, each is
 * replaced by a line that says so. Returns the very same array when nothing is cut.
 */
export function capContent(content: readonly ToolResultContent[], maxChars: number, keep?: Keep): Capped {
  const only = content.length === 1 ? content[0]! : undefined;
  // Nearly every result: worth no lists of its parts.
  if (only?.type === "text" && only.text.length <= maxChars) return { content };
  const images = boundImages(content);
  const texts: (string | undefined)[] = [];
  let total = 0;
  for (const part of images.content) {
    const text = part.type === "text" ? part.text : part.type === "json" ? JSON.stringify(part.value) : undefined;
    texts.push(text);
    total += text?.length ?? 0;
  }
  const omitted = images.omitted === 0 ? {} : { omittedImages: images.omitted };
  if (total > maxChars) {
    const id = keep?.(texts.filter((text) => text !== undefined).join(""));
    const { parts, shownChars } = cutTexts(images.content, texts, total, maxChars, id);
    return { content: parts, cut: { shownChars, totalChars: total, ...omitted } };
  }
  if (images.omitted === 0) return { content };
  return { content: images.content, cut: { shownChars: total, totalChars: total, ...omitted } };
}

function boundImages(content: readonly ToolResultContent[]): {
  content: readonly ToolResultContent[];
  omitted: number;
} {
  if (!content.some((part) => part.type === "image")) return { content, omitted: 0 };
  let count = 0;
  let chars = 0;
  let omitted = 0;
  const bounded = content.map((part): ToolResultContent => {
    if (part.type !== "image") return part;
    if (count < maxImages && chars + part.data.length <= maxImageChars) {
      count++;
      chars += part.data.length;
      return part;
    }
    omitted++;
    return { type: "text", text: `[image left out: ${part.mediaType}, ${part.data.length} characters of base64]` };
  });
  return { content: bounded, omitted };
}

function markerText(missing: number, total: number, id: string | undefined, offset: number): string {
  const how = id === undefined ? "" : `; read on with read_result({"id":"${id}","offset":${offset}})`;
  return `\n[... ${missing} of ${total} characters left out${how} ...]\n`;
}

function cutTexts(
  content: readonly ToolResultContent[],
  texts: readonly (string | undefined)[],
  total: number,
  maxChars: number,
  id: string | undefined,
): { parts: ToolResultContent[]; shownChars: number } {
  const room = Math.max(0, Math.floor(maxChars) - markerText(total, total, id, total).length);
  const headEnd = Math.floor(room * headShare);
  const tailStart = total - (room - headEnd);
  const parts: (ToolResultContent | "marker")[] = [];
  let shownChars = 0;
  let start = 0;
  let cutAt: number | undefined;
  for (const [index, part] of content.entries()) {
    const text = texts[index];
    if (text === undefined) {
      parts.push(part);
      continue;
    }
    const end = start + text.length;
    if (end <= headEnd || start >= tailStart) {
      shownChars += text.length;
      parts.push(part);
    } else {
      const head = start < headEnd ? headOf(text, headEnd - start) : "";
      const tail = end > tailStart ? tailOf(text, tailStart - start) : "";
      shownChars += head.length + tail.length;
      if (head !== "") parts.push({ type: "text", text: head });
      if (cutAt === undefined) parts.push("marker");
      cutAt ??= start + head.length;
      if (tail !== "") parts.push({ type: "text", text: tail });
    }
    start = end;
  }
  return { parts: joinAtMarker(parts, markerText(total - shownChars, total, id, cutAt ?? 0)), shownChars };
}

/** The marker belongs to the text that it interrupts: a part of its own only where there is no text beside it. */
function joinAtMarker(parts: readonly (ToolResultContent | "marker")[], marker: string): ToolResultContent[] {
  const at = parts.indexOf("marker");
  const before = parts[at - 1];
  const after = parts[at + 1];
  const head = isText(before) ? before.text : "";
  const tail = isText(after) ? after.text : "";
  const kept = (part: ToolResultContent | "marker"): part is ToolResultContent => part !== "marker";
  return [
    ...parts.slice(0, isText(before) ? at - 1 : at).filter(kept),
    { type: "text", text: head + marker + tail },
    ...parts.slice(isText(after) ? at + 2 : at + 1).filter(kept),
  ];
}

function isText(part: ToolResultContent | "marker" | undefined): part is TextContent {
  return part !== undefined && part !== "marker" && part.type === "text";
}
