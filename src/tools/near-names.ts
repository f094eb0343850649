/** The names most like the one that was meant: at most three, best first, none that has little to do with it. */
export function nearNames(meant: string, names: readonly string[]): string[] {
  const wanted = meant.toLowerCase();
  const most = Math.max(2, Math.floor(wanted.length / 3));
  return names
    .map((name) => ({ name, distance: distanceOf(wanted, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
}

function distanceOf(wanted: string, name: string): number {
  // The right stem with another ending, as in `readme` and `readme.md`, is one mistake however long the ending is.
  if (wanted.length > 2 && stem(wanted) === stem(name)) return wanted === name ? 0 : 1;
  return edits(wanted, name);
}

const stem = (name: string) => name.replace(/(?<=.)\.[^.]*$/, "");

/** Levenshtein distance. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
