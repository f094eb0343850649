/**
 * A short reply without what models put around an answer that is all there is: a fence, emphasis, quotes, brackets, a
 * period behind. From the text as it stands to the barest; texts of more than 300 characters stay as they are.
 */
export function spellings(text: string): string[] {
  const whole = text.trim();
  if (whole.length > 300) return [whole];
  const bare = unfenced(whole)
    .normalize("NFKC")
    .trim()
    .replace(/^[*_`"'([]+/, "")
    .replace(/[*_`"')\].]+$/, "")
    .trim();
  return [...new Set([whole, whole.normalize("NFKC"), unfenced(whole).trim(), bare])];
}

/** The text without the fence around all of it. */
export function unfenced(text: string): string {
  const first = text.indexOf("\n");
  if (first < 0 || !text.startsWith("```") || !text.endsWith("```") || text.length < first + 4) return text;
  return text.slice(first + 1, -3);
}
