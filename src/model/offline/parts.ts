import { stem } from "../../ranker/stem.ts";
import { sameAgain } from "./again.ts";
import type { Feed } from "./fill.ts";
import { familiesOf } from "./lexicon.ts";
import { isSign } from "./mentions.ts";
import { type Call, pick, type Verdict } from "./pick.ts";
import type { Menu } from "./profile.ts";
import { partOf, type Reading } from "./reading.ts";
import { inRows } from "./rows.ts";
import { writesWhole } from "./within-file.ts";

/** A clause, or a part of one, and what comes of it. */
export type Part = { readonly reading: Reading; readonly verdict: Verdict };

const separator =
  /,\s+(?:(?:and|also|then|plus|as well as)\s+){0,2}|;\s+|\s+(?:and|as well as|plus|or)\s+(?:(?:also|then|the same)\s+)?/giu;
const mostParts = 12;
const mostTries = 8;
const mostMentions = 40;

/**
 * What a clause asks for, with one part for each call: "weather in Paris and in Rome", "convert 100 EUR to USD and 50 GBP
 * to CHF", "the area of a circle of radius 5 and the volume of a cube of side 2". It is parted where both sides are calls.
 */
export function partsOf(menu: Menu, reading: Reading, feed: Feed): readonly Part[] {
  const verdict = pick(menu, reading, feed);
  if (verdict.kind === "call" && !verdict.filling.fed) {
    const rows = inRows(verdict, reading);
    const all = rows.map((row) => ({ reading, verdict: row }));
    if (rows.length > 1 && !overwritten(all)) return all;
  }
  const parts: Part[] = [];
  let rest: Part = { reading, verdict };
  while (parts.length < mostParts) {
    const halves = halve(menu, rest, feed);
    if (!halves) break;
    parts.push(halves[0]);
    rest = halves[1];
  }
  const all = [...parts, rest].flatMap((part) =>
    part.verdict.kind === "call" && !part.verdict.filling.fed
      ? inRows(part.verdict, part.reading).map((verdict) => ({ ...part, verdict }))
      : [part],
  );
  return overwritten(all) ? [{ reading, verdict: { kind: "nothing" } }] : all;
}

/** Two whole texts for one file: the second would be all that is left of them. */
function overwritten(parts: readonly Part[]): boolean {
  const places = parts.flatMap(({ verdict }) => {
    if (verdict.kind !== "call" || !writesWhole(verdict.profile)) return [];
    const path = verdict.profile.parameters.find(({ kind }) => kind === "path");
    return [JSON.stringify([verdict.name, path && verdict.arguments[path.name]])];
  });
  return new Set(places).size < places.length;
}

function halve(menu: Menu, { reading, verdict }: Part, feed: Feed): readonly [Part, Part] | undefined {
  if (verdict.kind === "barred" || reading.refers) return undefined;
  const { text, mentions } = reading;
  // One call that takes all that is said is one call.
  const all = verdict.kind === "call" && mentions.every((one) => isSign(one) || verdict.filling.used.has(one));
  if (mentions.length > mostMentions) return undefined;
  let tries = 0;
  for (const found of text.matchAll(separator)) {
    const [start, end] = [found.index, found.index + found[0].length];
    if (mentions.some((one) => one.start < end && one.end > start) || start === 0 || end === text.length) continue;
    const before = text.slice(0, start);
    if (/\b(?:between|both)\b(?!.*\band\b)[^,;]*$/iu.test(before)) continue;
    tries += 1;
    if (tries > mostTries) return undefined;
    const left = partOf(reading, before);
    const first = pick(menu, left, feed);
    if (first.kind !== "call" || first.filling.fed || first.filling.used.size === 0) continue;
    const second = secondOf(menu, left, first, text.slice(end), feed, all);
    if (!second) continue;
    return [{ reading: left, verdict: shared(first, verdict) }, second];
  }
  return undefined;
}

/** The part behind the separator: another call by its own words, or the same one for something else. */
function secondOf(menu: Menu, left: Reading, first: Call, text: string, feed: Feed, all: boolean): Part | undefined {
  const verb = /^\S+/u.exec(left.text)?.[0] ?? "";
  const own = partOf(left, familiesOf(stem(verb.toLowerCase())).size > 0 ? `${verb} ${text}` : text);
  const verdict = pick(menu, own, feed);
  if (verdict.kind === "call" && !verdict.filling.fed && verdict.filling.guessed.length === 0) {
    const other = verdict.name !== first.name;
    if (other && verdict.filling.used.size > 0) return { reading: own, verdict };
  }
  if (all) return undefined;
  const reading = partOf(left, text);
  const again = sameAgain(first, left, reading);
  return again && { reading, verdict: again };
}

/** What stands at the end may be meant for all: "search for a and b in src". */
function shared(first: Call, whole: Verdict): Call {
  if (whole.kind !== "call" || whole.name !== first.name) return first;
  return { ...first, arguments: { ...whole.arguments, ...first.arguments } };
}
