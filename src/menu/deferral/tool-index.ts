import { createIndex, type Field, type TextIndex } from "../../ranker/bm25.ts";
import type { MenuTool } from "../entry.ts";
import type { ToolQuery } from "./query.ts";
import { parameterText, searchable } from "./search-text.ts";

/** Deferred tools, ready to be searched. */
export type ToolIndex = { readonly tools: readonly MenuTool[]; readonly texts: TextIndex };

/** How much a word counts in the name of a tool, in its description, and in what is said of its parameters. */
const weights = { name: 4, description: 2, parameters: 1 };

function fieldsOf({ name, description, declaration }: MenuTool): readonly Field[] {
  return [
    { text: searchable(name), weight: weights.name },
    { text: searchable(description), weight: weights.description },
    { text: searchable(parameterText(declaration.parameters)), weight: weights.parameters },
  ];
}

/** Prepares tools for being searched by name, description and parameters. */
export function indexTools(tools: readonly MenuTool[]): ToolIndex {
  return { tools, texts: createIndex(tools.map(fieldsOf)) };
}

/** The tools that fit best, best first; each holds the words that have to be there. */
export function findTools(
  { tools, texts }: ToolIndex,
  { terms, must }: Exclude<ToolQuery, { readonly select: readonly string[] }>,
  limit: number,
): readonly MenuTool[] {
  if (must.length === 0) return texts.search(terms, limit).map(({ index }) => tools[index]!);
  const holding = must.map((token) => new Set(texts.search([{ token }]).map(({ index }) => index)));
  const hits = texts.search(terms).filter(({ index }) => holding.every((some) => some.has(index)));
  return hits.slice(0, limit).map(({ index }) => tools[index]!);
}
