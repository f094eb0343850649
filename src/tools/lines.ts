/** Lines of a file, from the first to the last one, counted from 1; infinity for the last one is the end of the file. */
export type Lines = readonly [from: number, to: number];

export const allLines: Lines = [1, Number.POSITIVE_INFINITY];

/** The same lines in ascending order, those that touch put together. */
export function joinLines(all: readonly Lines[]): Lines[] {
  const joined: Lines[] = [];
  for (const [from, to] of all.filter(([from, to]) => from <= to).sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1] + 1) joined[joined.length - 1] = [last[0], Math.max(last[1], to)];
    else joined.push([from, to]);
  }
  return joined;
}

/** The first lines that are not among these; undefined if none is missing up to the end of the file. */
export function firstGap(all: readonly Lines[]): Lines | undefined {
  const [first, second] = joinLines(all);
  if (first === undefined) return allLines;
  if (first[0] > 1) return [1, first[0] - 1];
  return first[1] === allLines[1] ? undefined : [first[1] + 1, (second?.[0] ?? Number.POSITIVE_INFINITY) - 1];
}

/** Lines without some of them, which are in ascending order. */
export function without([from, to]: Lines, numbers: readonly number[]): Lines[] {
  const left: Lines[] = [];
  let start = from;
  for (const number of numbers) {
    if (start < number) left.push([start, number - 1]);
    start = number + 1;
  }
  if (start <= to) left.push([start, to]);
  return left;
}
