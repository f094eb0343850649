import { jsonBreak } from "../menu/json-position.ts";
import { isRecord } from "../menu/schema-types.ts";
import { nearestNames } from "../ranker/nearest.ts";
import type { Decision, Entry } from "./compile.ts";
import { type Found, jsonIn } from "./json-in-text.ts";
import { type Reading, readingsOf } from "./readings.ts";
import { spellings } from "./unwrap.ts";

/** A pick, with its arguments as the model wrote them; `barred`: why it may not be taken. */
export type Pick = Reading & { readonly barred?: string };

/** The picks of a reply, the last first, or why there is none. */
export type Parsed = { readonly picks: readonly [Pick, ...Pick[]] } | { readonly problem: string };

/**
 * Where a reply begins to tell results that nobody gave it. Nothing behind is read: a pick there would rest on an
 * invention.
 */
const invented =
  /(?:^|[\n.!?])[ \t]{0,20}(?:\*\*)?(?:observation|(?:tool|function)[ _]?(?:result|output|response))s?(?:\*\*)?[ \t]{0,5}:|<\/?(?:tool|function)_?(?:result|response|output)/i;

/**
 * Reads the picks of a reply. The grammar, in this order, up to the first invented tool result:
 *
 * 1. JSON objects, fenced or bare, with anything around them, that name an option under `call` (or `action`, `function`,
 *    `tool`, `choice`, `decision`, `name`), its arguments under `args` (or `arguments`, `parameters`, `input`, as an object
 *    or as JSON text) or beside the name. `name` names an option only where all else in the object is of the pick, and
 *    behind the other keys: data has names too. So does a pick by another key than `call` with more beside it than the
 *    option takes. Fields of an option may have those names too: see {@link readingsOf}. Those that
 *    name no option are passed over; if none does, the last is what is wrong. What stands inside another object, whole or
 *    broken, is never a pick.
 * 2. The whole reply is the name of an option, or its number from 1 (unless an option has a number for its name): with
 *    quotes, emphasis, brackets, a fence around, "Option" before and a period behind at most.
 *
 * An option that is withheld can be named, to be told why it is; it has no number.
 */
export function parsePicks(text: string, decision: Decision): Parsed {
  const { pieces, end } = readable(text);
  const all = [...decision.entries, ...decision.withheld.map(({ entry }) => entry)];
  const find = (name: string) => all.find((one) => one.name === name) ?? alike(name, all);
  const pickOf = (reading: Reading): Pick => {
    const barred = decision.withheld.find(({ entry }) => entry === reading.entry)?.reason;
    return barred === undefined ? reading : { ...reading, barred };
  };
  const read = pieces.toReversed().map(({ value }) => (isRecord(value) ? readingsOf(value, find) : undefined));
  const picks = read.flatMap((one) => (one && "readings" in one ? one.readings.map(pickOf) : []));
  const [last, ...earlier] = [...picks.filter(({ weak }) => !weak), ...picks.filter(({ weak }) => weak)];
  if (last) return { picks: [last, ...earlier] };
  const unknown = read.find((one) => one && "unknown" in one);
  if (unknown && "unknown" in unknown) return { problem: unknownOption(unknown.unknown, decision) };
  const whole = wholeReply(text.slice(0, end), all, decision);
  if (whole) return { picks: [pickOf({ entry: whole, args: "{}", weak: false })] };
  const broken = pieces.findLast(({ value }) => value === undefined);
  if (broken) return { problem: brokenText(text.slice(broken.start, broken.end)) };
  return { problem: "it holds no pick." };
}

/** The objects up to the first invented result, and where that begins. Inside an object nothing is one. */
function readable(text: string): { readonly pieces: readonly Found[]; readonly end: number } {
  const all = jsonIn(text);
  let from = 0;
  for (let index = 0; index <= all.length; index++) {
    const piece = all[index];
    const match = invented.exec(text.slice(from, piece?.start));
    if (match) return { pieces: all.slice(0, index), end: from + match.index };
    from = piece?.end ?? text.length;
  }
  return { pieces: all, end: text.length };
}

/** The one option whose name differs in case and surrounding space alone. */
function alike(name: string, entries: readonly Entry[]): Entry | undefined {
  const folded = name.trim().toLowerCase();
  const same = entries.filter((entry) => entry.name.trim().toLowerCase() === folded);
  return same.length === 1 ? same[0] : undefined;
}

function wholeReply(text: string, all: readonly Entry[], { entries, numbered }: Decision): Entry | undefined {
  const tried = spellings(text);
  for (const spelling of tried) {
    const entry = all.find(({ name }) => name === spelling);
    if (entry) return entry;
  }
  const bare = tried.at(-1)!;
  const entry = alike(bare, all);
  if (entry || !numbered) return entry;
  const number = /^(?:option\s*)?#?(\d{1,4})$/i.exec(bare)?.[1];
  return number === undefined ? undefined : entries[Number(number) - 1];
}

function unknownOption(name: string, { entries }: Decision): string {
  const names = entries.map((entry) => entry.name);
  const near = nearestNames(name, names);
  const hint = near.length > 0 ? ` Did you mean ${near.map((one) => `"${one}"`).join(" or ")}?` : "";
  return `there is no option ${JSON.stringify(name.slice(0, 80))}.${hint}`;
}

/** Where a piece that was to be JSON is none, in words for the model. */
export function brokenText(piece: string): string {
  const { at, ended } = jsonBreak(piece) ?? { at: 0, ended: false };
  if (ended) return `the JSON that begins ${JSON.stringify(piece.slice(0, 40))} is not closed.`;
  return `its JSON breaks near ${JSON.stringify(piece.slice(Math.max(0, at - 20), at + 20))}.`;
}
