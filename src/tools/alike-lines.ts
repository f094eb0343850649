import { borders, finder } from "./find-text.ts";

/**
 * The first places, up to `most`, at which these lines stand in a text, by the index of the line where they begin. The
 * first one may begin in the middle of a line and the last one end there. The time grows with the lengths alone.
 */
export function placesOfLines(lines: readonly string[], wanted: readonly string[], most: number): number[] {
  if (wanted.length === 0 || wanted.length > lines.length) return [];
  const only = wanted.length === 1 ? wanted[0]! : undefined;
  if (only !== undefined) return linesWith(lines, only, most);
  const found: number[] = [];
  for (const at of placesBetween(lines, wanted)) {
    if (found.length === most) break;
    const [first, last] = [lines[at]!, lines[at + wanted.length - 1]!];
    if (first.endsWith(wanted[0]!) && last.startsWith(wanted.at(-1)!)) found.push(at);
  }
  return found;
}

/** Where all but the first and the last of these lines are, one line before. */
function* placesBetween(lines: readonly string[], wanted: readonly string[]): Generator<number> {
  const numbers = new Map<string, number>();
  const numberOf = (line: string) => numbers.get(line) ?? numbers.set(line, numbers.size).size - 1;
  const inner = Int32Array.from(wanted.slice(1, -1), numberOf);
  const shorter = borders(inner);
  const end = lines.length - 1;
  for (let at = 1, fits = 0; at <= end; at++) {
    if (inner.length === 0) {
      yield at - 1;
      continue;
    }
    if (at === end) return;
    const number = numbers.get(lines[at]!) ?? -1;
    while (fits > 0 && (fits === inner.length || number !== inner[fits])) fits = shorter[fits - 1]!;
    if (number === inner[fits]) fits++;
    if (fits === inner.length) yield at - fits;
  }
}

function linesWith(lines: readonly string[], part: string, most: number): number[] {
  const found: number[] = [];
  const text = lines.join("\n");
  const next = finder(text, part);
  let [line, end] = [0, lines[0]!.length];
  for (let at = next(0); at !== -1 && found.length < most; at = next(end + 1)) {
    while (end < at) end += 1 + lines[++line]!.length;
    found.push(line);
  }
  return found;
}
