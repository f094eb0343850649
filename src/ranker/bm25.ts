import { tokens } from "./tokens.ts";

/** A part of a document. A word in a field of weight 3 counts as if it stood there three times. Default weight 1. */
export type Field = { readonly text: string; readonly weight?: number };

/** What is ranked: a text, or parts of different weight. */
export type RankedDocument = string | readonly Field[];

/** A word of a query as a token (see `tokens`) with a weight, default 1. */
export type Term = { readonly token: string; readonly weight?: number };

/** A document that holds at least one word of the query. */
export type Hit = {
  /** Position of the document in the set. */
  readonly index: number;
  /** BM25: comparable within one answer only. */
  readonly score: number;
  /** How much of the query the document holds, 0 to 1, rare words counting more. Comparable between queries of one set. */
  readonly coverage: number;
};

/** A set of documents, prepared once and asked many times. */
export type TextIndex = {
  readonly size: number;
  /** Best first; equal scores in order of the set. `limit` defaults to all. */
  search(query: string | readonly Term[], limit?: number): readonly Hit[];
};

// Saturation of repeated words, and how much long documents are held back: descriptions of tools are short and alike.
const k1 = 1.2;
const b = 0.5;

type Posting = { readonly index: number; readonly frequency: number };

/** Prepares documents for {@link TextIndex.search}. */
export function createIndex(documents: readonly RankedDocument[]): TextIndex {
  const postings = new Map<string, Posting[]>();
  const lengths = documents.map((document, index) => {
    const { frequencies, length } = frequenciesOf(document);
    for (const [token, frequency] of frequencies) {
      const list = postings.get(token);
      if (list) list.push({ index, frequency });
      else postings.set(token, [{ index, frequency }]);
    }
    return length;
  });
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length) || 1;
  const rarity = (found: number) => Math.log(1 + (lengths.length - found + 0.5) / (found + 0.5));

  const search: TextIndex["search"] = (query, limit = Number.POSITIVE_INFINITY) => {
    const scores = new Map<number, { score: number; covered: number }>();
    let asked = 0;
    for (const [token, weight] of weightsOf(query)) {
      const list = postings.get(token) ?? [];
      const worth = weight * rarity(list.length);
      asked += worth;
      for (const { index, frequency } of list) {
        const held = frequency + k1 * (1 - b + (b * (lengths[index] ?? 0)) / mean);
        const entry = scores.get(index) ?? { score: 0, covered: 0 };
        entry.score += (worth * frequency * (k1 + 1)) / held;
        entry.covered += worth;
        scores.set(index, entry);
      }
    }
    return [...scores]
      .map(([index, { score, covered }]) => ({ index, score, coverage: Math.min(1, covered / asked) }))
      .sort((x, y) => y.score - x.score || x.index - y.index)
      .slice(0, Math.max(0, limit));
  };
  return { size: documents.length, search };
}

/** Ranks documents once; for many queries over one set use {@link createIndex}. */
export function rank(query: string, documents: readonly RankedDocument[], limit?: number): readonly Hit[] {
  return createIndex(documents).search(query, limit);
}

function frequenciesOf(document: RankedDocument) {
  const frequencies = new Map<string, number>();
  let length = 0;
  for (const { text, weight = 1 } of typeof document === "string" ? [{ text: document }] : document) {
    for (const token of tokens(text)) {
      frequencies.set(token, (frequencies.get(token) ?? 0) + weight);
      length += weight;
    }
  }
  return { frequencies, length };
}

function weightsOf(query: string | readonly Term[]): Map<string, number> {
  const weights = new Map<string, number>();
  const terms = typeof query === "string" ? tokens(query).map((token) => ({ token })) : query;
  // A word that is said twice is not asked for twice.
  for (const { token, weight = 1 } of terms as readonly Term[]) {
    if (weight > 0) weights.set(token, Math.max(weight, weights.get(token) ?? 0));
  }
  return weights;
}
