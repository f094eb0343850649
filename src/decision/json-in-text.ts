/** A piece of JSON that stands somewhere in a text. */
export type Found = { readonly value: unknown; readonly raw: string; readonly start: number; readonly end: number };

/**
 * The JSON objects of a text in order, fenced or bare, with anything around them; also arrays if asked for. Objects
 * inside others are not told apart. Linear in the text: a bracket that opens nothing is passed over once.
 */
export function jsonIn(text: string, arrays = false): Found[] {
  const found: Found[] = [];
  // Where the innermost bracket that is open at each place ends; unknown for those that never close.
  const ends = closings(text, arrays);
  const parse = parser(text.length * 4 + 100_000);
  for (let at = 0; at < text.length; at++) {
    const end = ends.get(at);
    if (end === undefined) continue;
    const value = parse(text, at, end);
    if (value === undefined) continue;
    found.push({ value, raw: text.slice(at, end), start: at, end });
    at = end - 1;
  }
  return found;
}

/** The ends of brackets that close, by where they open. Strings inside brackets are stepped over. */
function closings(text: string, arrays: boolean): Map<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (inString) {
      if (c === "\\") i++;
      else if (c === '"') inString = false;
      // JSON strings do not go over the end of a line: that quote was only prose.
      else if (c === "\n") inString = false;
    } else if (c === '"') inString = open.length > 0;
    else if (c === "{" || (arrays && c === "[")) open.push(i);
    else if (c === "}" || (arrays && c === "]")) {
      const start = open.pop();
      if (start !== undefined) ends.set(start, i + 1);
    }
  }
  return ends;
}

/** Parses pieces until too much has been tried in vain: hostile texts nest what does not parse. */
function parser(budget: number): (text: string, start: number, end: number) => unknown {
  let left = budget;
  return (text, start, end) => {
    if (left <= 0 || !mayBegin.test(text.slice(start, start + 40))) return undefined;
    left -= end - start;
    try {
      return JSON.parse(text.slice(start, end));
    } catch {
      return undefined;
    }
  };
}

const mayBegin = /^(\{\s*(["}]|$)|\[)/;
