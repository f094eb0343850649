import { isRecord } from "../schema-types.ts";

/** Characters of one tool's parameters, of its description, and of a query that are searched: what stands behind says little. */
const longest = 10_000;

/** Schemas inside of schemas that are read. */
const deepest = 6;

const inside = ["properties", "$defs", "definitions"];
const besides = ["items", "additionalProperties", "anyOf", "oneOf", "allOf"];

/** Names, descriptions and named values in a schema, as one text; of one that is very large or deep, the upper part. */
export function parameterText(schema: unknown): string {
  const parts: string[] = [];
  let left = longest;
  const say = (text: unknown) => {
    if (typeof text !== "string" || left <= 0) return;
    parts.push(text.slice(0, left));
    left -= text.length + 1;
  };
  const read = (node: unknown, depth: number): void => {
    if (depth > deepest || left <= 0) return;
    if (Array.isArray(node)) for (const one of node.slice(0, left)) read(one, depth + 1);
    if (!isRecord(node)) return;
    say(node.title);
    say(node.description);
    if (Array.isArray(node.enum)) for (const value of node.enum.slice(0, left)) say(value);
    for (const keyword of inside) readNamed(node[keyword], depth);
    for (const keyword of besides) if (node[keyword] !== undefined) read(node[keyword], depth + 1);
  };
  const readNamed = (fields: unknown, depth: number): void => {
    if (!isRecord(fields)) return;
    for (const name in fields) {
      if (left <= 0) return;
      say(name);
      read(fields[name], depth + 1);
    }
  };
  read(schema, 0);
  return parts.join(" ");
}

const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]{3,}/gu;

/** A text as it is searched: where a script puts no spaces between words, every two letters are one. */
export function searchable(text: string): string {
  const short = text.length > longest ? text.slice(0, longest) : text;
  return short.replace(unspaced, (run) => {
    const letters = Array.from(run);
    return letters.map((letter, at) => letter + (letters[at + 1] ?? "")).join(" ");
  });
}
