/** What a search for tools asks: these very names, or words, of which those with a plus have to be there. */
export type ToolQuery =
  | { readonly select: readonly string[] }
  | { readonly words: string; readonly must: readonly string[] };

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
  const must: string[] = [];
  const words = text.split(/\s+/).map((word) => {
    if (word.length < 2 || !word.startsWith("+")) return word;
    must.push(word.slice(1));
    return word.slice(1);
  });
  return { words: words.join(" "), must };
}
