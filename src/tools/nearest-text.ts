import { showCount } from "./show-size.ts";

/** As far as is looked: beyond it takes too long. */
const [mostChars, mostLines] = [2_000_000, 20_000];

/**
 * Says, for a model that wanted to replace a text which is not there, what comes nearest to it: where that is and what
 * is different. Empty if nothing is near.
 */
export function nearestText(text: string, wanted: string): string {
  const lines = text.slice(0, mostChars).split("\n").slice(0, mostLines);
  const meant = trimmed(wanted.split("\n"));
  if (meant.length === 0) return "";
  return alike(lines, meant) || numbered(lines, meant) || similar(lines, meant);
}

function trimmed(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line.trim() !== "") + 1);
}

const noSpace = (line: string) => line.replace(/\s+/g, "");
const lookAlikes = (line: string) =>
  line
    .normalize("NFKC")
    .replace(/[\u2018\u2019\u201a\u2032\u00b4`]/g, "'")
    .replace(/[\u201c\u201d\u201e\u2033\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replaceAll("\u2026", "...")
    .replaceAll("\ufffd", "");
const loose = (line: string) => noSpace(lookAlikes(line)).toLowerCase();

/** What two texts may differ in, the least first. */
const forms: readonly (readonly [what: string, form: (line: string) => string])[] = [
  ["in spaces, tabs or empty lines", noSpace],
  ["in upper and lower case", (line) => line.toLowerCase()],
  ["in quotes, dashes or other characters that look alike", lookAlikes],
];

/** A place that is the same but for white space, case and characters that look alike. */
function alike(lines: readonly string[], meant: readonly string[]): string {
  // Empty lines count as white space here.
  const full = lines.flatMap((line, index) => (line.trim() === "" ? [] : [{ index, line, form: loose(line) }]));
  const wanted = meant.filter((line) => line.trim() !== "");
  const keys = wanted.map(loose);
  const found: number[] = [];
  for (let at = 0; at + keys.length <= full.length && found.length < 10; at++) {
    if (keys.every((key, i) => fits(full[at + i]!.form, key, i, keys.length))) found.push(at);
  }
  if (found.length === 0) return "";
  const [first, last] = [full[found[0]!]!, full[found[0]! + keys.length - 1]!];
  const here = full.slice(found[0]!, found[0]! + keys.length).map(({ line }) => line);
  const what = forms.find(([, form]) => wanted.every((line, i) => form(here[i]!).includes(form(line))))?.[0];
  const others = found.length > 1 ? ` (the first of ${found.length === 10 ? "at least 10" : found.length})` : "";
  const where = placeOf(first.index + 1, last.index + 1);
  const only = what ?? "in white space, case or characters that look alike";
  const at = here.findIndex((line, i) => !line.includes(wanted[i]!));
  if (at === -1)
    return `${where}${others} differs only ${only}: ${quoted(lines.slice(first.index, last.index + 1).join("\n"))}.`;
  return `${where}${others} differs only ${only}. ${compared(full[found[0]! + at]!.index + 1, here[at]!, wanted[at]!)}`;
}

/** A text may begin and end in the middle of a line. */
function fits(line: string, key: string, index: number, count: number): boolean {
  if (count === 1) return line.includes(key);
  if (index === 0) return line.endsWith(key);
  return index === count - 1 ? line.startsWith(key) : line === key;
}

/** Line numbers that somebody put before the lines. */
function numbered(lines: readonly string[], meant: readonly string[]): string {
  const number = /^\s*\d+\s*(?:[:|\t→-]|\s\s)\s?/;
  if (!meant.every((line) => number.test(line))) return "";
  const bare = meant.map((line) => line.replace(number, ""));
  if (!lines.join("\n").includes(bare.join("\n")) && alike(lines, trimmed(bare)) === "") return "";
  return "old_string has line numbers that are not part of the file: leave them out.";
}

/** The place whose lines have most in common with what is wanted. */
function similar(lines: readonly string[], meant: readonly string[]): string {
  const wanted = meant.map(pairs);
  const anchor = wanted.reduce((best, one, i) => (one.size > wanted[best]!.size ? i : best), 0);
  if (wanted[anchor]!.size < 3) return "";
  const near = lines
    .map((line, index) => ({ start: index - anchor, score: dice(pairs(line), wanted[anchor]!) }))
    .filter(({ start, score }) => score >= 0.4 && start >= 0)
    .sort((a, b) => b.score - a.score || a.start - b.start)
    .slice(0, 50);
  let best = { start: 0, score: 0 };
  for (const { start } of near) {
    const scores = wanted.map((one, i) => dice(pairs(lines[start + i] ?? ""), one));
    const score = scores.reduce((sum, one) => sum + one, 0) / scores.length;
    if (score > best.score) best = { start, score };
  }
  if (best.score < 0.5) return "";
  const at = meant.findIndex((line, i) => lines[best.start + i] !== line);
  const where = placeOf(best.start + 1, best.start + meant.length);
  return `The most similar text: ${where[0]!.toLowerCase()}${where.slice(1)}. ${compared(best.start + at + 1, lines[best.start + at] ?? "", meant[at]!)}`;
}

/** Neighbouring letters of a line. */
function pairs(line: string): Set<string> {
  const text = loose(line.slice(0, 300));
  const found = new Set<string>();
  for (let i = 0; i + 1 < text.length; i++) found.add(text.slice(i, i + 2));
  return found;
}

function dice(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return a.size === b.size ? 1 : 0;
  let both = 0;
  for (const pair of a) if (b.has(pair)) both++;
  return (2 * both) / (a.size + b.size);
}

const placeOf = (first: number, last: number) =>
  first === last ? `Line ${showCount(first)}` : `Lines ${showCount(first)} to ${showCount(last)}`;

const compared = (line: number, there: string, given: string) =>
  `Line ${showCount(line)} is ${quoted(there)}; old_string has ${quoted(given)}.`;

/** With tabs and other invisible characters written out. */
const quoted = (text: string) => JSON.stringify(text.length > 300 ? `${text.slice(0, 300)}…` : text);
