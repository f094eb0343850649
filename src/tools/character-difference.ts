import { loose } from "./loose-form.ts";

/** Where two texts differ, and in what; `at` counts UTF-16 units from 0 on, in each of them. */
export type CharacterDifference = {
  readonly there: { readonly at: number; readonly chars: string };
  readonly given: { readonly at: number; readonly chars: string };
};

/** A letter with its marks, and white space or what is not seen before it. */
type Unit = { readonly form: string; readonly at: number; readonly gap: string; readonly chars: string };

/** Lines that are taken apart, in characters: nothing else is done meanwhile. */
const longest = 50_000;

/** Letters of a line, and what is behind the last one. */
type Units = { readonly units: readonly Unit[]; readonly rest: { readonly at: number; readonly chars: string } };

function unitsOf(line: string): Units {
  const units: Unit[] = [];
  let [at, start] = [0, 0];
  for (const [chars] of line.matchAll(/\P{M}\p{M}*|\p{M}+/gu)) {
    const form = loose(chars);
    if (form !== "") {
      units.push({ form, at, gap: line.slice(start, at), chars });
      start = at + chars.length;
    }
    at += chars.length;
  }
  return { units, rest: { at: start, chars: line.slice(start) } };
}

/**
 * The first difference between a line and a text that is in it if white space, case and characters that look alike do not
 * count; `bound` to its beginning, to its end. Undefined if there is none, or the texts are not so.
 */
export function characterDifference(
  line: string,
  part: string,
  boundStart: boolean,
  boundEnd: boolean,
): CharacterDifference | undefined {
  if (line.length > longest) return undefined;
  const [there, given] = [unitsOf(line), unitsOf(part)];
  const all = (units: readonly Unit[]) => units.map(({ form }) => form).join("");
  let place = all(there.units).indexOf(all(given.units));
  if (place === -1 || given.units.length === 0) return undefined;
  let first = 0;
  for (; place > 0; first++) place -= there.units[first]!.form.length;
  for (const [i, own] of given.units.entries()) {
    const other = there.units[first + i];
    if (other?.form !== own.form) return undefined;
    // The text may begin in the middle of white space.
    const same = i === 0 && !boundStart ? other.gap.endsWith(own.gap) : other.gap === own.gap;
    if (!same) return between(other.at, other.gap, own.at, own.gap);
    if (other.chars !== own.chars)
      return { there: { at: other.at, chars: other.chars }, given: { at: own.at, chars: own.chars } };
  }
  const next = there.units[first + given.units.length];
  const [at, gap] = next === undefined ? [line.length, there.rest.chars] : [next.at, next.gap];
  const own = given.rest.chars;
  return (boundEnd ? gap === own : gap.startsWith(own)) ? undefined : between(at, gap, part.length, own);
}

const between = (end: number, gap: string, ownEnd: number, own: string): CharacterDifference => ({
  there: { at: end - gap.length, chars: gap },
  given: { at: ownEnd - own.length, chars: own },
});

/**
 * The first character in which two lines differ, if one of the two is none of ASCII: they may look the same. `bound` to its
 * beginning; else the text may leave out its indentation.
 */
export function firstOther(line: string, part: string, boundStart: boolean): CharacterDifference | undefined {
  const [indent, own] = boundStart ? [0, 0] : [indentOf(line), indentOf(part)];
  let same = 0;
  while (indent + same < line.length && line[indent + same] === part[own + same]) same++;
  if (/[\udc00-\udfff]/.test(line[indent + same] ?? "") && /[\ud800-\udbff]/.test(line[indent + same - 1] ?? ""))
    same--;
  const there = characterAt(line, indent + same);
  const given = characterAt(part, own + same);
  return /^[\0-\x7f]*$/.test(there.chars + given.chars) ? undefined : { there, given };
}

const indentOf = (line: string) => line.length - line.trimStart().length;

function characterAt(text: string, at: number) {
  const code = text.codePointAt(at);
  return { at, chars: code === undefined ? "" : String.fromCodePoint(code) };
}
