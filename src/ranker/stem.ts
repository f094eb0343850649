/**
 * Strips English plurals and the common endings of verbs, so that "files" meets "file" and "searching" meets "search".
 * The result is a key to compare by, not always a word. Words with letters beyond a–z come back unchanged.
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  return withoutFinalE(withoutVerbEnding(withoutPlural(word)));
}

function withoutPlural(word: string): string {
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (/.{2}ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh|zz)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

function withoutVerbEnding(word: string): string {
  if (/.{2}ied$/.test(word)) return `${word.slice(0, -3)}y`;
  const ending = /(?:ing|[^e]ed)$/.exec(word)?.[0];
  if (ending === undefined) return word;
  const root = word.slice(0, ending === "ing" ? -3 : -2);
  // "string" and "red" end so by chance: what is left of them is no word.
  if (root.length < 3 || !/[aeiouy]/.test(root)) return word;
  return root.length > 3 && /([bdgmnprt])\1$/.test(root) ? root.slice(0, -1) : root;
}

function withoutFinalE(word: string): string {
  return word.length > 3 && word.endsWith("e") ? word.slice(0, -1) : word;
}
