import type { Json } from "../../message/json.ts";
import type { ToolResultMessage } from "../../message/message.ts";
import type { Done } from "./history.ts";
import { asObject } from "./parameters.ts";

/** A file or folder that a result names, with the number that stands beside it. */
export type Item = { readonly path: string; readonly count?: number };

/** The text of a result, structured parts as JSON. */
export function resultText(result: ToolResultMessage): string {
  return result.content
    .map((part) => (part.type === "text" ? part.text : part.type === "json" ? JSON.stringify(part.value) : "[image]"))
    .join("\n");
}

/** The lines of a result; a last line in brackets is a note of the tool, not a result. */
export function resultLines(result: ToolResultMessage): readonly string[] {
  const lines = resultText(result).trimEnd().split("\n");
  if (/^\[.*\]$/u.test(lines.at(-1) ?? "")) lines.pop();
  while (lines.length > 0 && lines.at(-1)?.trim() === "") lines.pop();
  return lines;
}

/**
 * The text of a result as it may be handed on: all of it, and nothing but it. Undefined where the tool says that it cut
 * something, or has only a note to give. Lines that were asked for by their number are all that was wanted.
 */
export function wholeText({ result, arguments: { limit, offset } }: Done): string | undefined {
  if (result.isError || result.content.some(({ type }) => type !== "text" && type !== "json")) return undefined;
  const text = resultText(result);
  if (/^\[untrusted content |^\[\.\.\. .*left out|\[line cut: /mu.test(text)) return undefined;
  const note = /(?:^|\n\n)(\[[^\n]*\])\s*$/u.exec(text);
  if (!note || isJson(note[1] ?? "")) return text;
  const [, from, to, rest = ""] = /^\[Lines ([\d,]+) to ([\d,]+) of [\d,]+\.(.*)\]$/u.exec(note[1] ?? "") ?? [];
  if (from === undefined || to === undefined || (limit === undefined && offset === undefined)) return undefined;
  const count = numberOf(to) - numberOf(from) + 1;
  const ends = rest === " This is the end of the file.";
  return ends || (count === limit && /^ Go on with offset \d+\.$/u.test(rest)) ? text.slice(0, note.index) : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function numberOf(shown: string): number {
  return Number(shown.replaceAll(",", ""));
}

const counted = /^(\S.*?)(?::\s*|\s+\(?|\t)(\d+)(?: (?:lines?|match(?:es)?))?\)?$/u;
const countFirst = /^\s*(\d+)[\s:]+(\S*[\w/.-]+)$/u;
const located = /^(\S[^:]*?[./][^:]*?)[:-]\d+[:-]/u;
const listed = /^([\w@.+~-][\w@.+~/ -]*?)(\/?)(?: \(.*\)| -> .*)?$/u;

/** The files and folders that the lines of a result name, in order, each once. Entries of a folder get its path. */
export function itemsOf(done: Done): readonly Item[] {
  const folder = typeof done.arguments.path === "string" ? done.arguments.path.replace(/\/$/u, "") : "";
  const items = new Map<string, Item>();
  for (const line of resultLines(done.result)) {
    const item = itemOf(line, folder);
    if (item && !items.has(item.path)) items.set(item.path, item);
  }
  return [...items.values()];
}

/** A longer line, in characters, names no file; the patterns take their time over such. */
const longestLine = 1000;

function itemOf(line: string, folder: string): Item | undefined {
  if (line.length > longestLine) return undefined;
  const place = located.exec(line)?.[1];
  if (place !== undefined) return { path: place };
  const behind = counted.exec(line);
  if (behind?.[1] !== undefined && /[./]/u.test(behind[1])) return { path: behind[1], count: Number(behind[2]) };
  const ahead = countFirst.exec(line);
  if (ahead?.[2] !== undefined && /[./]/u.test(ahead[2])) return { path: ahead[2], count: Number(ahead[1]) };
  const entry = listed.exec(line)?.[1];
  if (entry === undefined || !(/[./]/u.test(entry) || line.endsWith("/")) || /\s/u.test(entry)) return undefined;
  const inside = folder !== "" && folder !== "." && !entry.includes("/");
  return { path: inside ? `${folder}/${entry}` : entry };
}

/**
 * The different values of a field in a structured result, wherever they lie, the nearest to its surface first; names are
 * compared without case and punctuation.
 */
export function fieldsOf(result: ToolResultMessage, name: string): readonly Json[] {
  const found = result.content.flatMap((part) =>
    search(part.type === "json" ? part.value : part.type === "text" ? parsed(part.text) : null, plain(name), 0),
  );
  return [...new Set(found)];
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

function search(value: Json, name: string, depth: number): readonly Json[] {
  if (depth > 6) return [];
  const entries: readonly (readonly [string, Json | undefined])[] = Array.isArray(value)
    ? value.map((item) => ["", item] as const)
    : Object.entries(asObject(value));
  const own = entries.flatMap(([key, field]) =>
    field !== undefined && field !== null && typeof field !== "object" && plain(key) === name ? [field] : [],
  );
  return [...own, ...entries.flatMap(([, field]) => (field === undefined ? [] : search(field, name, depth + 1)))];
}
