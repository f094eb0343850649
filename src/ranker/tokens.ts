import { stem } from "./stem.ts";

const word = /[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)?/gu;
const lowerToUpper = /([\p{Ll}\p{N}])(\p{Lu})/gu;
const upperToWord = /(\p{Lu})(\p{Lu}\p{Ll})/gu;

/**
 * The words of a text in lower case, in order. Names fall into their parts: `readFile`, `read_file` and `read-file` are
 * all "read", "file". Letters and digits of every script count; a possessive "'s" is dropped.
 */
export function words(text: string): string[] {
  const parted = text.normalize("NFKC").replace(lowerToUpper, "$1 $2").replace(upperToWord, "$1 $2");
  return (parted.match(word) ?? []).map((found) => found.toLowerCase().replace(/['’]s$/, ""));
}

/** What texts are compared by: the {@link words}, stemmed. */
export function tokens(text: string): string[] {
  return words(text).map(stem);
}
