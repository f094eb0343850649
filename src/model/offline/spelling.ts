import { edits } from "../../ranker/edits.ts";

/** Shorter words are too near to others to be corrected. */
const shortest = 5;
const longest = 24;

/** Corrects words that are one slip away from a known one: "serch" is "search", "wether" is "weather". */
export type Spelling = (word: string) => string | undefined;

/** Knows the given words; a word is corrected to one of the same first letter. */
export function spelling(known: Iterable<string>): Spelling {
  const all = new Set(known);
  const byLetter = new Map<string, string[]>();
  for (const word of all) {
    if (word.length < shortest - 1 || !/^[a-z]+$/u.test(word)) continue;
    const key = word.slice(0, 1);
    const list = byLetter.get(key);
    if (list) list.push(word);
    else byLetter.set(key, [word]);
  }
  return (word) => {
    if (word.length < shortest || word.length > longest || all.has(word) || !/^[a-z]+$/u.test(word)) return undefined;
    return byLetter.get(word.slice(0, 1))?.find((one) => edits(word, one, 1) <= 1);
  };
}
