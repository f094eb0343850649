/** What may stand between or upon letters without being read: characters that are not seen, format controls, accents. */
const unread = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{M}]/gu;

const plain = /^[\0-\x7f]*$/;

/** A text as whoever reads it may take it: compatible forms of letters as the letters, without case, without what is not read. */
export const read = (text: string): string =>
  plain.test(text) ? text.toLowerCase() : text.normalize("NFKD").replace(unread, "").toLowerCase();

/** A text with every place that reads as `word` replaced; the very same text if there is none. `word` reads as itself. */
export function replaceLookalikes(text: string, word: string, replacement: string): string {
  const whole = read(text);
  if (!whole.includes(word)) return text;
  // Where each piece of what is read begins in the text.
  let letters = "";
  const starts: number[] = [];
  let at = 0;
  for (const character of text) {
    const letter = read(character);
    for (let i = 0; i < letter.length; i++) starts.push(at);
    letters += letter;
    at += character.length;
  }
  starts.push(text.length);
  let cleaned = "";
  let kept = 0;
  for (let found = letters.indexOf(word); found >= 0; found = letters.indexOf(word, found + word.length)) {
    cleaned += text.slice(kept, starts[found]) + replacement;
    kept = starts[found + word.length]!;
  }
  return cleaned + text.slice(kept);
}
