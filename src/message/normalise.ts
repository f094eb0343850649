import type { Json, JsonObject } from "./json.ts";
import type { ToolResultContent } from "./message.ts";
import { bytesNote, plainJson } from "./plain-json.ts";
import { isToolResult, type ToolResult } from "./result.ts";
import { thrownText } from "./thrown-text.ts";
import { wellFormed } from "./well-formed.ts";

/** A tool's value as it enters the history: content never empty, text well-formed, all of it plain JSON. */
export type NormalisedResult = {
  readonly content: readonly ToolResultContent[];
  readonly isError: boolean;
  readonly details?: Json;
};

/** Stands for content that is not there: a result without any is refused by some providers. */
export const noContent = "(no content)";

/**
 * Makes a result of whatever a tool returned. Never throws.
 *
 * | value | result |
 * | --- | --- |
 * | text | the text; `""` is `(empty text)` |
 * | undefined | `(no value)` |
 * | null, boolean, number | text: `null`, `true`, `42`, `NaN`, `-Infinity` |
 * | bigint, Date, RegExp | text: its digits, its ISO form (`null` if invalid), its source |
 * | object, array | a `json` part with a copy; see {@link plainJson} for cycles, throwing getters and the like in it |
 * | Map, Set | a `json` part: an array of `[key, value]`, an array |
 * | object with `toJSON` | as what that returns |
 * | {@link result} | its parts; parts that are none are told in their place, as an error |
 * | function, symbol, bytes (Buffer, typed arrays) | error that names the tool and the type |
 * | Response, stream, generator, WeakMap: of the platform, and nothing in it that JSON has | likewise |
 * | Error | error with its message |
 * | what throws when read (Proxy, `toJSON`) | error that names the tool and the reason |
 */
export function normaliseResult(value: unknown, toolName: string): NormalisedResult {
  if (typeof value === "string") return success(value);
  try {
    return isToolResult(value) ? ready(value, toolName, false) : data(value, toolName);
  } catch (error) {
    const reason = thrownText(error);
    return failure(
      `Tool "${toolName}" ran, but what it returned cannot be read${reason === "" ? "" : ` (${reason})`}.`,
    );
  }
}

/**
 * Makes an error result of whatever a tool threw: its words without a stack, see {@link thrownText}. A thrown
 * {@link result} is taken as it is, as an error. The text is never blank. Never throws.
 */
export function errorResult(thrown: unknown, toolName: string): NormalisedResult {
  try {
    if (isToolResult(thrown)) return ready(thrown, toolName, true);
  } catch {
    // Hostile, so no ready result: told in words like the rest.
  }
  return failure(thrownText(thrown) || `Tool "${toolName}" failed without a message: it threw ${typeName(thrown)}.`);
}

function success(text: string): NormalisedResult {
  return { content: [{ type: "text", text: text === "" ? "(empty text)" : wellFormed(text) }], isError: false };
}

function failure(text: string): NormalisedResult {
  return { content: [{ type: "text", text: wellFormed(text) }], isError: true };
}

function data(value: unknown, toolName: string): NormalisedResult {
  if (value === undefined) return success("(no value)");
  if (value instanceof Error) return errorResult(value, toolName);
  if (typeof value === "function" || typeof value === "symbol" || bytesNote(value) !== undefined) {
    return failure(
      `Tool "${toolName}" ran, but returned ${typeName(value)}, which cannot be given to a model. ` +
        "Its author should return text, JSON or result().",
    );
  }
  const json = plainJson(value);
  if (typeof value === "object" && isOpaque(value, json)) {
    return failure(
      `Tool "${toolName}" ran, but returned ${typeName(value)}, which holds nothing that JSON has. ` +
        "Its author should read it first (await response.text(), say) and return what it gave.",
    );
  }
  if (typeof json === "object" && json !== null) return { content: [{ type: "json", value: json }], isError: false };
  return success(json === undefined ? "(no value)" : String(json));
}

/** A Response, stream, generator, WeakMap and the like: an object of the platform that says nothing of itself as JSON. */
function isOpaque(value: object | null, json: Json | undefined): boolean {
  if (typeof json !== "object" || json === null || Array.isArray(json) || Object.keys(json).length > 0) return false;
  return tagOf(value) !== "Object";
}

const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice("[object ".length, -1);

function ready(value: ToolResult, toolName: string, thrown: boolean): NormalisedResult {
  const content: ToolResultContent[] = [];
  let isError = thrown || value.isError === true;
  const given: unknown = value.content;
  for (const part of Array.isArray(given) ? given : [given]) {
    const read = readPart(part);
    if (typeof read === "string") {
      isError = true;
      content.push({ type: "text", text: `[Tool "${wellFormed(toolName)}" gave a part that cannot be used: ${read}]` });
    } else if (read.type !== "text" || read.text !== "") content.push(read);
  }
  if (isError && !content.some(says)) {
    content.unshift({ type: "text", text: `Tool "${wellFormed(toolName)}" failed without a message.` });
  }
  if (content.length === 0) content.push({ type: "text", text: noContent });
  const details = plainJson(value.details);
  return { content, isError, ...(details === undefined ? {} : { details }) };
}

function says(part: ToolResultContent): boolean {
  return part.type === "json" || (part.type === "text" && part.text.trim() !== "");
}

/** A clean copy of a part, or what is wrong with it. */
function readPart(part: unknown): ToolResultContent | string {
  if (typeof part === "string") return { type: "text", text: wellFormed(part) };
  if (typeof part !== "object" || part === null) return typeName(part);
  const { type, text, data, mediaType, value, providerData } = part as Record<string, unknown>;
  if (type === "text") {
    if (typeof text !== "string") return `text without text, but ${typeName(text)}`;
    const extra = typeof providerData === "object" && providerData !== null ? plainJson(providerData) : undefined;
    return { type, text: wellFormed(text), ...(extra === undefined ? {} : { providerData: extra as JsonObject }) };
  }
  if (type === "image") {
    if (typeof data !== "string" || data === "" || typeof mediaType !== "string" || mediaType === "") {
      return "an image needs data (base64) and mediaType, both text and not empty";
    }
    return { type, data: wellFormed(data), mediaType: wellFormed(mediaType) };
  }
  if (type === "json") return { type, value: plainJson(value) ?? null };
  return typeof type === "string" ? wellFormed(`type "${type}", not text, image or json`) : "it has no type";
}

/** What to call a value in an error: `undefined`, `a function`, `Buffer of 3 bytes`, `an object of class Order`. */
function typeName(value: unknown): string {
  try {
    if (value === undefined || value === null) return String(value);
    if (typeof value !== "object") return `a ${typeof value}`;
    const name = (value as { constructor?: { name?: unknown } }).constructor?.name;
    const tag = tagOf(value);
    const kind = typeof name === "string" && name !== "" && name !== "Object" ? name : tag;
    return bytesNote(value) ?? (kind === "Object" ? "an object" : `an object of class ${kind}`);
  } catch {
    return "an object that cannot be read";
  }
}
