/** The different pairs of neighbouring letters of a line, as numbers. */
export type Pairs = Uint16Array;

/** Letters of a line that count. */
const mostLetters = 300;

/** When a pair was met last, so that no set has to be made for each line. */
const met = new Int32Array(0x1_0000);
let round = 0;

function begin(): number {
  round = (round + 1) | 0;
  // Once in billions of times.
  if (round === 0) met.fill(++round);
  return round;
}

/** Two pairs with one number are so rare that they change nothing. */
const numberOf = (first: number, second: number) => ((first * 509) ^ second) & 0xffff;

export function pairsOf(line: string): Pairs {
  const now = begin();
  const length = Math.min(line.length, mostLetters);
  const found = new Uint16Array(Math.max(0, length - 1));
  let count = 0;
  for (let i = 0; i + 1 < length; i++) {
    const pair = numberOf(line.charCodeAt(i), line.charCodeAt(i + 1));
    if (met[pair] === now) continue;
    met[pair] = now;
    found[count++] = pair;
  }
  return found.subarray(0, count);
}

/** How much two lines have in common, from 0 to 1. */
export function dice(a: Pairs, b: Pairs): number {
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0;
  const now = begin();
  for (const pair of a) met[pair] = now;
  let both = 0;
  for (const pair of b) if (met[pair] === now) both++;
  return (2 * both) / (a.length + b.length);
}
