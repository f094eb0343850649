import type { Json } from "../../message/json.ts";

/** Lists as they stand in code: "[1, 2, 3]", "['a', 'b']", "(40.7, -74)", "[[1, 2], [3, 4]]". */
export const listPattern = /\[(?:[^[\]\n]|\[[^[\]\n]*\])*\]|\([^()[\]\n]*\)/gu;

/** The items of such a list; undefined if it is none. Words without quotes are texts. */
export function listIn(text: string): readonly Json[] | undefined {
  const inner = text.slice(1, -1).trim();
  const square = text.startsWith("[");
  if (inner === "") return square ? [] : undefined;
  const parts = split(inner);
  if (parts.some((part) => part === "") || (!square && parts.length < 2)) return undefined;
  const items = parts.map(itemIn);
  // In round brackets words are a remark, not a list.
  return square || items.every((item) => typeof item === "number") ? items : undefined;
}

function itemIn(part: string): Json {
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/iu.test(part)) return Number(part);
  if (part.startsWith("[") && part.endsWith("]")) return [...(listIn(part) ?? [])];
  if (/^(?:true|false)$/iu.test(part)) return part.toLowerCase() === "true";
  return part.replace(/^["'“‘`]|["'”’`]$/gu, "");
}

/** Parted at commas that are in no brackets and no quotes. */
function split(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = "";
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? "";
    if (quote !== "") quote = letter === quote ? "" : quote;
    else if (letter === '"' || (letter === "'" && !/\p{L}/u.test(text[at - 1] ?? ""))) quote = letter;
    else if (letter === "[") depth += 1;
    else if (letter === "]") depth -= 1;
    else if (letter === "," && depth === 0) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  return [...parts, text.slice(from).trim()];
}
