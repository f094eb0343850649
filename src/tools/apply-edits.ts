import { leftOutOf } from "../message/redact.ts";
import { finder, holds } from "./find-text.ts";
import { nearestText } from "./nearest-text.ts";
import { breaksBefore } from "./same-ends.ts";
import { showCount, showSizes } from "./show-size.ts";
import { withoutStrayCr } from "./stray-cr.ts";

/** One replacement in a text. */
export type Edit = { readonly old_string: string; readonly new_string: string; readonly replace_all?: boolean };

/** What an edit did: where in the text before it, in ascending order, the old string gave way to the new one. */
export type Step = {
  /** The text before it. */
  readonly text: string;
  readonly found: readonly number[];
  readonly old_string: string;
  readonly new_string: string;
};

/**
 * Applies edits in order, each to what the one before left. Throws an error for the model if any of them cannot be
 * applied; `shown` is the file in errors, `longest` the most characters that it may come to have. Line ends are LF on both
 * sides; `dropped` tells that a CR was left out which would have changed one.
 */
export function applyEdits(
  text: string,
  edits: readonly Edit[],
  shown: string,
  longest = Number.POSITIVE_INFINITY,
): { text: string; steps: Step[]; dropped: boolean } {
  let after = text;
  let [places, looked, dropped] = [0, 0, false];
  const steps: Step[] = [];
  for (const [index, edit] of edits.entries()) {
    const which = edits.length === 1 ? "" : `edits[${index}]: `;
    const found = placesOf(after, edit, (chars) => {
      looked += chars;
      if (looked > mostLooked)
        throw new Error(
          `${which}what old_string begins with is at so many places of ${shown} that it would take too long to look for it. Give a text that is less like others around it, or fewer edits. ${unchanged}`,
        );
    });
    if (found.length === 0) throw new Error(`${which}${notFound(text, after, edit, shown)} ${unchanged}`);
    if (found.length > 1 && edit.replace_all !== true)
      throw new Error(`${which}${notUnique(after, found, shown)} ${unchanged}`);
    places += found.length;
    if (places > mostPlaces)
      throw new Error(
        `${which}old_string is at too many places of ${shown}; at most ${showCount(mostPlaces)} are replaced at once. Give a longer old_string. ${unchanged}`,
      );
    const grown = after.length + found.length * (edit.new_string.length - edit.old_string.length);
    if (grown > Math.max(longest, after.length)) throw tooLarge(shown, grown, longest);
    steps.push({ text: after, found, old_string: edit.old_string, new_string: edit.new_string });
    const whole = replaced(after, edit, found);
    after = withoutStrayCr(after, whole);
    dropped ||= after !== whole;
  }
  if (after === text && dropped)
    throw new Error(
      `A CR (\\r) before a line end is left out, as ${shown} keeps its own line ends, so there is nothing to change.`,
    );
  if (after === text) throw new Error(`The edits of ${shown} take each other back, so there is nothing to change.`);
  return { text: after, steps, dropped };
}

const unchanged = "Nothing was changed.";

export function tooLarge(shown: string, size: number, longest: number): Error {
  const [all, most] = showSizes(size, longest);
  return new Error(
    `With these edits ${shown} would have ${all}; files of more than ${most} are not written here. ${unchanged}`,
  );
}

/** Places that all edits together may replace: nothing else is done meanwhile. */
const mostPlaces = 20_000;

/** Characters that are looked at one by one for all edits together: nothing else is done meanwhile. */
const mostLooked = 20_000_000;

/** Edits that are taken at once. */
const mostEdits = 100;

/** Throws for edits that say nothing, before any file is looked at. */
export function checkEdits(edits: readonly Edit[]): void {
  if (edits.length === 0)
    throw new Error("There is no edit. Give old_string and new_string, or a list of them as edits.");
  if (edits.length > mostEdits)
    throw new Error(
      `There are ${showCount(edits.length)} edits; at most ${mostEdits} are made at once. Give fewer, or use replace_all. ${unchanged}`,
    );
  for (const [index, { old_string, new_string }] of edits.entries()) {
    const which = edits.length === 1 ? "" : `edits[${index}]: `;
    if (old_string === "")
      throw new Error(
        `${which}old_string is empty. Give the text to replace; to add text give a line beside it as old_string, and both as new_string. To make a new file use write_file.`,
      );
    if (old_string === new_string)
      throw new Error(`${which}old_string and new_string are equal, so there is nothing to change.`);
  }
}

/** Places of a text that is not unique which are told. */
const toldPlaces = 10;

/**
 * Where the text to replace begins; overlapping places too, unless all are replaced, when none overlaps another. Ends
 * with the first that is too many, as nothing else is done meanwhile.
 */
function placesOf(text: string, { old_string, replace_all }: Edit, spend: (chars: number) => void): number[] {
  const found: number[] = [];
  const [step, most] = replace_all === true ? [old_string.length, mostPlaces] : [1, toldPlaces];
  const next = finder(text, old_string, spend);
  for (let at = next(0); at !== -1; at = next(at + step)) {
    found.push(at);
    if (found.length > most) break;
  }
  return found;
}

function replaced(text: string, { old_string, new_string }: Edit, found: readonly number[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const at of found) {
    parts.push(text.slice(end, at), new_string);
    end = at + old_string.length;
  }
  return parts.join("") + text.slice(end);
}

function notUnique(text: string, found: readonly number[], shown: string): string {
  const first = found.slice(0, toldPlaces);
  const breaks = breaksBefore(text);
  const lines = first.map((at) => breaks(at) + 1);
  const [times, more] = found.length > first.length ? [`more than ${toldPlaces}`, " and so on"] : [found.length, ""];
  return `old_string is ${times} times in ${shown} (lines ${lines.join(", ")}${more}), so it is not clear which is meant. Give more of the lines around it, or set replace_all to replace them all.`;
}

/** Characters of a text up to which the nearest place is looked for. */
const longestSought = 20_000;

function notFound(original: string, text: string, { old_string }: Edit, shown: string): string {
  if (text !== original && holds(original, old_string))
    return `old_string is no longer in ${shown}: an edit before it changed that text. Edits are applied in order, each to the result of the one before.`;
  if (old_string.length > longestSought)
    return `old_string is not in ${shown}, and with ${showCount(old_string.length)} characters it is too long to look for what is like it. Give a shorter one.`;
  const name = leftOutOf(old_string);
  if (name !== undefined)
    return `old_string is not in ${shown}: it has "[redacted: ${name}]", which stands in results for the value of the environment variable ${name}. Give only text that stands before or behind it.`;
  const near = nearestText(text, old_string);
  return `old_string is not in ${shown}. ${near === "" ? "Nothing there is like it: read the file again." : near}`;
}
