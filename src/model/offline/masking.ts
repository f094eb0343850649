/**
 * A request whose quotes, code and addresses are set aside, so that nothing is split or read inside of them. In `text`
 * each stands as a mark that holds its place in `held`.
 */
export type Masked = { readonly text: string; readonly held: readonly string[] };

// An opening quote ends the one before it, so that no text is scanned twice.
const aside =
  /```[\s\S]*?```|"[^"\n]*"|“[^“”\n]*”|`[^`\n]*`|«[^«»\n]*»|(?<![\p{L}\p{N}])'(?:[^'\n]|(?<=\p{L})'(?=\p{L}))*'(?![\p{L}\p{N}])|https?:\/\/\S+/gu;

/** Matches a mark; its group is the place in `held`. */
export const mark = /\uE000(\d+)\uE001/gu;

/** Longer ones stay set aside while a clause is read. */
export const longestQuote = 240;

export function masked(request: string): Masked {
  const held: string[] = [];
  const text = unwrapped(request.replace(/[\uE000\uE001]/gu, " ")).replace(aside, (found) => {
    held.push(found);
    return `\uE000${held.length - 1}\uE001`;
  });
  return { text, held };
}

/** The text with its quotes in place again, but for very long ones. */
export function unmasked(text: string, held: readonly string[], most = longestQuote): string {
  return text.replace(mark, (whole, place) => {
    const found = held[Number(place)] ?? "";
    return found.length > most ? whole : found;
  });
}

/** What was set aside, without its quotes. */
export function withoutQuotes(found: string): string {
  const fence = /^```[\w-]*\n([\s\S]*?)\n?```$/u.exec(found)?.[1];
  return fence ?? (/^["“`«']/u.test(found) ? found.slice(1, -1) : found);
}

/** A request that stands in quotes as a whole. */
function unwrapped(request: string): string {
  const text = request.trim();
  if (!text.startsWith('"') || !text.endsWith('"') || text.length < 2) return request;
  const inner = text.slice(1, -1);
  // "one" and "two" begins and ends with quotes, too: there the first one inside closes.
  if (/^[^"]*[^\s"(]"/u.test(inner)) return request;
  return /\s/u.test(inner) && (inner.match(/"/gu) ?? []).length % 2 === 0 ? inner : request;
}
