import { spokenValue } from "./numbers.ts";

/** Which lines of a file are meant: counted from 1, or `last` of them from the end. */
export type Lines = {
  readonly from?: number;
  readonly count?: number;
  readonly last?: number;
  /** Where in the text it is said. */
  readonly start: number;
  readonly end: number;
};

type Said = Omit<Lines, "start" | "end">;
type Rule = readonly [pattern: RegExp, read: (first: number, second: number) => Said | undefined];

/** How many are meant by "the last lines". */
const few = 20;

const ordinals = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");
const spoken = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty";
const number = `(\\d{1,9}|${spoken})`;
const begins = "(?:from|starting (?:at|from|with|on|in)|beginning (?:at|from|with|on)|start(?:ing)? at)";
const rule = (pattern: string, read: Rule[1]): Rule => [new RegExp(pattern, "iu"), read];

// The first that fits.
const rules: readonly Rule[] = [
  rule(
    `\\blines?\\s+${number}\\s*(?:-|–|\\.\\.\\.?|to|through|thru|until|till|and)\\s*(?:line\\s+)?${number}\\b`,
    (a, b) => (b >= a ? { from: a, count: b - a + 1 } : undefined),
  ),
  rule(`\\b${number}\\s+lines\\s+${begins}\\s+(?:line\\s+)?${number}\\b`, (count, from) => ({ from, count })),
  rule(`\\b(?:first|top|initial|leading)\\s+${number}\\s+lines\\b`, (count) => ({ count })),
  rule(`\\b(?:last|final|bottom|trailing)\\s+${number}\\s+lines\\b`, (last) => ({ last })),
  rule(`^head\\s+(?:-n\\s*|-)${number}\\b`, (count) => ({ count })),
  rule(`^tail\\s+(?:-n\\s*|-)${number}\\b`, (last) => ({ last })),
  rule("\\b(?:last|final|bottom)\\s+line\\b", () => ({ last: 1 })),
  rule("\\b(?:last|final|bottom)\\s+(?:few\\s+|couple\\s+of\\s+)?lines\\b|^tail\\b|\\b(?:the|its) tail\\b", () => ({
    last: few,
  })),
  rule("\\b(?:first|top)\\s+line\\b", () => ({ count: 1 })),
  rule(`\\b(${ordinals.join("|")})\\s+line\\b`, (from) => ({ from, count: 1 })),
  rule("\\b(\\d{1,9})(?:st|nd|rd|th)\\s+line\\b", (from) => ({ from, count: 1 })),
  rule(`\\b${begins}\\s+line\\s+${number}\\b|\\bline\\s+${number}\\s+(?:on|onwards?|and (?:on|below))\\b`, (from) => ({
    from,
  })),
  rule(`\\bline\\s+(?:number\\s+|no\\.?\\s+|#)?${number}\\b`, (from) => ({ from, count: 1 })),
];

/** The lines that a clause speaks of, if it names any. */
export function linesIn(text: string): Lines | undefined {
  if (!/\blines?\b|^head\b|\btail\b/iu.test(text)) return undefined;
  for (const [pattern, read] of rules) {
    const found = pattern.exec(text);
    if (!found) continue;
    const [first = 0, second = 0] = found.slice(1).flatMap((group) => (group === undefined ? [] : [numberOf(group)]));
    const said = read(first, second);
    if (said) return { ...said, start: found.index, end: found.index + found[0].length };
  }
  return undefined;
}

/** The text without what it says of lines. */
export function withoutLines(text: string): string {
  const lines = linesIn(text);
  return lines ? `${text.slice(0, lines.start)} ${text.slice(lines.end)}` : text;
}

function numberOf(said: string): number {
  const place = ordinals.indexOf(said.toLowerCase());
  if (place >= 0) return place + 1;
  return /^\d/u.test(said) ? Number(said) : Number(spokenValue(said));
}
