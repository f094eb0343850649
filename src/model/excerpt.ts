/**
 * The beginning of what a provider said. A word that a cut would halve goes whole: half of a key would not be found among
 * the secrets that are taken out later. One word alone is cut.
 */
export function excerpt(text: string, most: number): string {
  if (text.length <= most) return text;
  const begun = text.slice(0, most - 1);
  return `${begun.replace(/[^\s"'`<>{}[\](),;]+$/, "") || begun}…`;
}
