import type { Term } from "../../ranker/bm25.ts";
import { tokens } from "../../ranker/tokens.ts";
import { searchable } from "./search-text.ts";

/** What a search for tools asks: these very names, or words, of which those with a plus have to be there. */
export type ToolQuery =
  | { readonly select: readonly string[] }
  | { readonly terms: readonly Term[]; readonly must: readonly string[] };

/** Different words of a query that are looked up, and of those that have to be there: each is looked up apart. */
const mostTerms = 200;
const mostMust = 20;

/** Words that hold sentences together, and those of asking: they stand in most descriptions, and say little of what is wanted. */
const common = new Set(
  tokens(
    `a an the this that these those it its they them their he she his her him we our us you your i me my mine who whom
    whose which what when where why how is are was were be been being am do does did doing done have has had having can could
    will would shall should may might must of in on at to from by with without for about into onto over under between through
    during before after above below up down out off as than then so if or and but not no nor there here all any some each
    every both few more most other another such only own same too very just also again once ever never now please want need
    like let make get give tell show help know many much long`,
  ),
);

const weightOf = (token: string): number => (common.has(token) ? 0.3 : 1);

/**
 * Reads a query: `select:a,b` names tools; else it is words, and `+word` is one that the tool has to hold in its name, its
 * description or its parameters.
 */
export function readQuery(query: string): ToolQuery {
  const text = query.trim();
  const named = /^select:(.*)$/is.exec(text);
  if (named) {
    const names = named[1]!.split(",").map((name) => name.trim());
    return { select: [...new Set(names.filter((name) => name !== ""))] };
  }
  const said = searchable(text);
  const must = [...said.matchAll(/(?<!\S)\+(\S+)/gu)].flatMap(([, word]) => tokens(word!));
  const terms = [...new Set(tokens(said))].slice(0, mostTerms);
  return {
    terms: terms.map((token) => ({ token, weight: weightOf(token) })),
    must: [...new Set(must)].slice(0, mostMust),
  };
}
