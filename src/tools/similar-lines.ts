import { dice, type Pairs, pairsOf } from "./line-pairs.ts";

/** Places that are looked at, the best first, and the pairs that are compared for them. */
const [mostStarts, mostPairs] = [50, 3_000_000];

/**
 * Where lines have most in common with those that are wanted, by the index of the first one; undefined if nowhere much.
 * All lines in their loose form.
 */
export function mostSimilar(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const sought = wanted.map(pairsOf);
  const anchor = sought.reduce((best, one, i) => (one.length > sought[best]!.length ? i : best), 0);
  if (sought[anchor]!.length < 3) return undefined;
  const there = lines.map(pairsOf);
  const near = there
    .map((pairs, index) => ({ start: index - anchor, score: likely(pairs, sought[anchor]!) }))
    .filter(({ start, score }) => score >= 0.4 && start >= 0)
    .sort((a, b) => b.score - a.score || a.start - b.start)
    .slice(0, mostStarts);
  let best = { start: 0, score: 0 };
  let left = mostPairs;
  for (const { start } of near) {
    if (left < 0) break;
    let sum = 0;
    for (const [i, one] of sought.entries()) {
      const pairs = there[start + i] ?? none;
      left -= one.length + pairs.length + 1;
      sum += dice(pairs, one);
    }
    if (sum / sought.length > best.score) best = { start, score: sum / sought.length };
  }
  return best.score < 0.5 ? undefined : best.start;
}

const none: Pairs = new Uint16Array(0);

/** Lines of very different lengths have too little in common to look. */
const likely = (a: Pairs, b: Pairs) => (a.length * 4 < b.length || b.length * 4 < a.length ? 0 : dice(a, b));
