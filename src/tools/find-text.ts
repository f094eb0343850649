/**
 * Finds a text in another one: each call gives the first place from `from` on, or -1. Asked for in ascending order it takes
 * a time that grows with the two texts together, whatever they are: the search that comes with the language multiplies
 * them where a text nearly fits at every place. `spend` is told of the characters that have to be looked at one by one,
 * before it is done, and may throw; that is where more than `compared` characters would be compared otherwise.
 */
export function finder(
  text: string,
  wanted: string,
  spend: (chars: number) => void = () => {},
  compared = mostCompared,
): (from: number) => number {
  if (wanted.length <= partChars) return (from) => text.indexOf(wanted, from);
  const offset = partOf(wanted);
  const part = wanted.slice(offset, offset + partChars);
  let left = compared;
  let steady: ((from: number) => number) | undefined;
  return (from) => {
    if (steady !== undefined) return steady(from);
    for (let at = text.indexOf(part, from + offset); at !== -1; at = text.indexOf(part, at + 1)) {
      left -= wanted.length;
      // The part is there too often to look around it each time.
      if (left < 0) {
        spend(text.length - at + wanted.length);
        steady = steadyFinder(text, wanted);
        return steady(at - offset);
      }
      if (text.startsWith(wanted, at - offset)) return at - offset;
    }
    return -1;
  };
}

/** Whether a text is in another one, in the same bounds. */
export const holds = (text: string, wanted: string): boolean => finder(text, wanted)(0) !== -1;

/** For so short a text the usual search is the faster one, and bounded. */
const partChars = 32;

/** Characters that are compared around the places of the part, at most. */
const mostCompared = 5_000_000;

/** Where, not far from its beginning, a text has a part of many different characters: it will be there least often. */
function partOf(wanted: string): number {
  const last = Math.min(wanted.length - partChars, 1_000);
  let [best, most] = [0, 0];
  for (let at = 0; at <= last; at += 8) {
    const different = new Set(wanted.slice(at, at + partChars)).size;
    if (different > most) [best, most] = [at, different];
  }
  return best;
}

/** Looks at no character of the text twice (the way of Knuth, Morris and Pratt). */
function steadyFinder(text: string, wanted: string): (from: number) => number {
  const codes = new Uint16Array(wanted.length);
  for (let i = 0; i < codes.length; i++) codes[i] = wanted.charCodeAt(i);
  const shorter = borders(codes);
  const end = text.length;
  let [at, fits] = [0, 0];
  return (from) => {
    // What fits already and begins before `from` is given up; the rest need not be looked at again.
    while (fits > 0 && at - fits < from) fits = shorter[fits - 1]!;
    if (fits === 0) at = Math.max(at, from);
    while (at < end) {
      const char = text.charCodeAt(at++);
      while (fits > 0 && char !== codes[fits]) fits = shorter[fits - 1]!;
      if (char === codes[fits] && ++fits === codes.length) return at - fits;
    }
    return -1;
  };
}

/** For each beginning of a list the length of the longest shorter one that it also ends with. */
export function borders(items: ArrayLike<number>): Int32Array {
  const found = new Int32Array(items.length);
  for (let i = 1, length = 0; i < items.length; i++) {
    while (length > 0 && items[i] !== items[length]) length = found[length - 1]!;
    if (items[i] === items[length]) length++;
    found[i] = length;
  }
  return found;
}
