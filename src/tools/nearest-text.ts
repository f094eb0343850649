import { placesOfLines } from "./alike-lines.ts";
import { type CharacterDifference, characterDifference, firstOther } from "./character-difference.ts";
import { holds } from "./find-text.ts";
import { composed, isPlain, lookAlikes, loose, noSpace, noUnseen } from "./loose-form.ts";
import { showCount } from "./show-size.ts";
import { mostSimilar } from "./similar-lines.ts";
import { legend, namesOf, writtenOut } from "./written-out.ts";

/** As far as is looked, and in a text that is not all ASCII: beyond it takes too long. */
const [mostChars, mostOther, mostLines] = [2_000_000, 300_000, 20_000];

/** Places that are counted. */
const toldPlaces = 10;

/**
 * Says, for a model that wanted to replace a text which is not there, what comes nearest to it: where that is and what
 * is different. Empty if nothing is near.
 */
export function nearestText(text: string, wanted: string): string {
  const begin = text.slice(0, mostChars);
  const lines = (isPlain(begin) ? begin : begin.slice(0, mostOther)).split("\n").slice(0, mostLines);
  const meant = trimmed(wanted.split("\n"));
  if (meant.length === 0) return "";
  const sought = { lines, loose: lines.map(loose) };
  return alike(sought, meant) || numbered(sought, meant) || similar(sought, meant);
}

function trimmed(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line.trim() !== "") + 1);
}

/** What two texts may differ in, the least first. */
const differences: readonly (readonly [what: string, form: (line: string) => string])[] = [
  ["in spaces, tabs or empty lines", noSpace],
  ["in characters that are not seen", noUnseen],
  ["in how letters with marks are put together (Unicode NFC or NFD)", (line) => composed(line, "NFC")],
  ["in upper and lower case", (line) => line.toLowerCase()],
  ["in quotes, dashes or other characters that look alike", lookAlikes],
];

/** A text to look in: its lines, and for each its loose form. */
type Sought = { readonly lines: readonly string[]; readonly loose: readonly string[] };

/** A place that is the same but for white space, case and characters that look alike. */
function alike(sought: Sought, meant: readonly string[]): string {
  const { lines } = sought;
  // Empty lines count as white space here.
  const full = sought.loose.flatMap((form, index) => (form === "" ? [] : [{ index, form }]));
  const wanted = meant.filter((line) => loose(line) !== "");
  const forms = full.map(({ form }) => form);
  const found = placesOfLines(forms, wanted.map(loose), toldPlaces);
  if (found.length === 0) return "";
  const here = full.slice(found[0]!, found[0]! + wanted.length).map(({ index }) => index);
  const [first, last] = [here[0]!, here.at(-1)!];
  const only =
    differences.find(([, form]) => wanted.every((line, i) => holds(form(lines[here[i]!]!), form(line))))?.[0] ??
    "in white space, case or characters that look alike";
  const others =
    found.length > 1 ? ` (the first of ${found.length === toldPlaces ? "at least 10" : found.length})` : "";
  const where = placeOf(first + 1, last + 1);
  const at = here.findIndex((index, i) => !fits(lines[index]!, wanted[i]!, i > 0, i < here.length - 1));
  if (at === -1)
    return `${where}${others} differs only ${only}: ${writtenOut(lines.slice(first, last + 1).join("\n"), 0, false)}.`;
  const [there, given] = [lines[here[at]!]!, wanted[at]!];
  const difference = characterDifference(there, given, at > 0, at < here.length - 1);
  return `${where}${others} differs only ${only}. ${compared(here[at]! + 1, there, given, difference)}`;
}

/** Whether a text is in a line, where it may stand: `bound` to the beginning, to the end of it. */
const fits = (line: string, part: string, boundStart: boolean, boundEnd: boolean): boolean =>
  boundStart && boundEnd
    ? line === part
    : boundStart
      ? line.startsWith(part)
      : boundEnd
        ? line.endsWith(part)
        : holds(line, part);

/** Line numbers that somebody put before the lines. */
function numbered(sought: Sought, meant: readonly string[]): string {
  const number = /^\s*\d+\s*(?:[:|\t→-]|\s\s)\s?/;
  if (!meant.every((line) => number.test(line))) return "";
  const bare = meant.map((line) => line.replace(number, ""));
  if (!holds(sought.lines.join("\n"), bare.join("\n")) && alike(sought, trimmed(bare)) === "") return "";
  return "old_string has line numbers that are not part of the file: leave them out.";
}

/** The place whose lines have most in common with what is wanted. */
function similar(sought: Sought, meant: readonly string[]): string {
  const { lines } = sought;
  const start = mostSimilar(sought.loose, meant.map(loose));
  if (start === undefined) return "";
  // The first line may begin in the middle of one, and the last one end there: that is not what is different.
  const at = Math.max(
    0,
    meant.findIndex((line, i) => !fits(lines[start + i] ?? "", line, i > 0, i < meant.length - 1)),
  );
  const where = placeOf(start + 1, start + meant.length);
  const [there, given] = [lines[start + at] ?? "", meant[at]!];
  return `The most similar text: ${where[0]!.toLowerCase()}${where.slice(1)}. ${compared(start + at + 1, there, given, firstOther(there, given, at > 0))}`;
}

const placeOf = (first: number, last: number) =>
  first === last ? `Line ${showCount(first)}` : `Lines ${showCount(first)} to ${showCount(last)}`;

/** Two lines, with characters that are not seen written out, and where they differ if that may not be seen. */
function compared(line: number, there: string, given: string, difference: CharacterDifference | undefined): string {
  if (difference === undefined) return said(line, writtenOut(there, 0, false), writtenOut(given, 0, false), "");
  const [own, other] = [difference.there, difference.given];
  // Marks on letters are written out only where they are what differs: languages are full of them.
  const marks = composed(own.chars, "NFC") === composed(other.chars, "NFC");
  const which = ` At character ${showCount(own.at + 1)} the file has ${namesOf(own.chars)}, old_string ${namesOf(other.chars)}.`;
  return said(line, writtenOut(there, own.at, marks), writtenOut(given, other.at, marks), which);
}

const said = (line: number, there: string, given: string, which: string) =>
  `Line ${showCount(line)} is ${there}; old_string has ${given}.${which}${legend(there + given)}`;
