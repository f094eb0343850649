import { createIndex, type Field, type TextIndex } from "../../ranker/bm25.ts";
import { tokens } from "../../ranker/tokens.ts";
import type { MenuTool } from "../entry.ts";
import { isRecord } from "../schema-types.ts";

/** Deferred tools, ready to be searched. */
export type ToolIndex = {
  readonly tools: readonly MenuTool[];
  readonly texts: TextIndex;
  words(index: number): Set<string>;
};

/** How much a word counts in the name of a tool, in its description, and in what is said of its parameters. */
const weights = { name: 4, description: 2, parameters: 1 };

const deepest = 4;

/** Names and descriptions in a schema, as one text; of a schema that is very deep, the upper part. */
function parameterText(schema: unknown, depth = 0): string {
  if (!isRecord(schema) || depth > deepest) return "";
  const parts: string[] = [];
  if (typeof schema.description === "string") parts.push(schema.description);
  if (isRecord(schema.properties)) {
    for (const [name, property] of Object.entries(schema.properties))
      parts.push(name, parameterText(property, depth + 1));
  }
  if (isRecord(schema.items)) parts.push(parameterText(schema.items, depth + 1));
  if (Array.isArray(schema.enum)) parts.push(schema.enum.filter((value) => typeof value === "string").join(" "));
  return parts.join(" ");
}

function fieldsOf({ name, description, declaration }: MenuTool): readonly Field[] {
  return [
    { text: name, weight: weights.name },
    { text: description, weight: weights.description },
    { text: parameterText(declaration.parameters), weight: weights.parameters },
  ];
}

/** Prepares tools for being searched by name, description and parameters. */
export function indexTools(tools: readonly MenuTool[]): ToolIndex {
  const documents = tools.map(fieldsOf);
  const words = (index: number) => new Set(documents[index]!.flatMap(({ text }) => [...tokens(text)]));
  return { tools, texts: createIndex(documents), words };
}

/** The tools that fit best, best first. `must`: words that each of them has to hold. */
export function findTools(
  { tools, texts, words }: ToolIndex,
  query: string,
  must: readonly string[],
  limit: number,
): readonly MenuTool[] {
  const needed = must.flatMap((word) => [...tokens(word)]);
  const hits = texts.search(query);
  const found: MenuTool[] = [];
  for (const { index } of hits) {
    if (found.length >= limit) break;
    const held = needed.length === 0 ? undefined : words(index);
    if (held === undefined || needed.every((word) => held.has(word))) found.push(tools[index]!);
  }
  return found;
}
