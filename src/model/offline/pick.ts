import type { Json } from "../../message/json.ts";
import { stem } from "../../ranker/stem.ts";
import { type Feed, type Filling, fill } from "./fill.ts";
import type { Menu, Profile } from "./profile.ts";
import { blank, type Reading, respelled } from "./reading.ts";
import { allowed, enough, enoughToGuess, margin, nearness, score } from "./score.ts";

/** A tool that was picked, with its arguments. */
export type Call = {
  readonly kind: "call";
  readonly name: string;
  readonly arguments: { readonly [name: string]: Json };
  /** The tool, and how its arguments were found. */
  readonly profile: Profile;
  readonly filling: Filling;
};

/** What comes of a clause: a call, or why there is none. */
export type Verdict =
  | Call
  | { readonly kind: "nothing" }
  | { readonly kind: "barred"; readonly why: NonNullable<Reading["clause"]["barred"]> }
  | { readonly kind: "missing"; readonly name: string; readonly missing: readonly string[] }
  | { readonly kind: "unclear"; readonly names: readonly string[] };

type Candidate = { readonly profile: Profile; readonly filling: Filling; readonly value: number };

/** Picks a tool for a clause if one fits well enough, clearly better than the others, and all it requires is said. */
export function pick(menu: Menu, said: Reading, feed: Feed): Verdict {
  if (said.clause.barred) return { kind: "barred", why: said.clause.barred };
  if (menu.work && menu.work.left <= 0) return { kind: "nothing" };
  const reading = respelled(said, menu.spelling);
  const fitting = candidates(menu, reading, feed, (profile) => allowed(profile, reading)).filter(
    ({ anchored, value, profile, filling }) =>
      // What changes something is never called with a guess.
      anchored &&
      value >= (filling.guessed.length > 0 ? enoughToGuess : enough) &&
      !(
        profile.writes &&
        (filling.guessed.length > 0 || leavesOut(profile, reading, filling) || describes(profile, reading, filling))
      ),
  );
  const complete = fitting.filter(isComplete);
  const best = complete[0];
  const lacking = fitting.find((candidate) => !isComplete(candidate));
  // What fits much better and only lacks an argument is what was meant: better to say so than to do something else.
  if (lacking && (!best || lacking.value > best.value + 2))
    return { kind: "missing", name: lacking.profile.tool.name, missing: lacking.filling.missing };
  if (!best) return { kind: "nothing" };
  const close = complete.filter(({ value }) => value > best.value - margin);
  if (close.length > 1) return { kind: "unclear", names: close.map(({ profile }) => profile.tool.name) };
  return call(best);
}

/** Something was said that the call would not do: two texts for two files are no call of one, whichever is taken. */
function leavesOut({ families, tool, parameters }: Profile, { mentions, text }: Reading, { used }: Filling): boolean {
  if (families.has("compute")) return false;
  // It would be done now.
  const plain = blank(
    text,
    mentions.filter(({ kind }) => kind === "quoted"),
  );
  if (
    notNow.test(plain) &&
    !parameters.some(({ named, kind }) => kind === "date" || [...named].some((word) => timed.has(word)))
  )
    return true;
  return mentions.some((one) => telling.has(one.kind) && one.value !== tool.name && !used.has(one));
}

/** "The oldest user", "merged branches", "Bob's user": plain words before a noun say which one, and are not its name. */
function describes({ named }: Profile, { text }: Reading, { sources }: Filling): boolean {
  return [...sources].some(([parameter, { kind, value, end }]) => {
    if (kind !== "phrase") return false;
    const next = /^\s+([\p{L}\p{N}]+)/u.exec(text.slice(end, end + 40))?.[1] ?? "";
    const noun = stem(next.toLowerCase());
    // "A single room" says a kind of room; "the oldest user" is no user.
    const whole = [...parameter.named].every((word) => word === noun || labels.has(word));
    return /['’]s?$/u.test(value) || (whole && named.has(noun));
  });
}

const labels: ReadonlySet<string> = new Set("id nam titl key usernam".split(" "));
const notNow =
  /\b(?:tomorrow|tonight|(?:next|this coming) (?:week|month|year|hour|morning|evening|\p{L}+day)|every (?:day|week|month|year|hour|minute|morning|evening|\p{L}+day)|daily|weekly|monthly|hourly|in (?:an?|\d+|two|three|five|ten) (?:seconds?|minutes?|hours?|days?|weeks?))\b/iu;
const timed: ReadonlySet<string> = new Set(
  "when time date day schedule start delay repeat frequency interval recurrence".split(" ").map(stem),
);

const telling: ReadonlySet<string> = new Set(["quoted", "path", "glob", "folder", "date", "email", "url"]);

/** Picks one of these tools whatever fits, the best filled first; undefined if none of them is in the menu. */
export function pickForced(
  menu: Menu,
  readings: readonly (readonly [Reading, Feed])[],
  names: readonly string[] | undefined,
): Verdict | undefined {
  const all = readings.flatMap(([reading, feed]) => {
    const among = candidates(menu, reading, feed, (profile) =>
      names === undefined ? !profile.writes || allowed(profile, reading) : names.includes(profile.tool.name),
    ).filter(
      ({ profile, filling }) =>
        names !== undefined ||
        !profile.writes ||
        (filling.guessed.length === 0 &&
          !leavesOut(profile, reading, filling) &&
          !describes(profile, reading, filling)),
    );
    return among.map((candidate) => ({ ...candidate, rank: rankForced(candidate, reading, names !== undefined) }));
  });
  const best = all.sort((a, b) => b.rank - a.rank || b.value - a.value)[0];
  return best && call(best);
}

// A tool that changes something is taken without a demand for it only if the caller named it.
function rankForced(candidate: Candidate, reading: Reading, named: boolean): number {
  return (named || allowed(candidate.profile, reading) ? 2 : 0) + (isComplete(candidate) ? 1 : 0);
}

function candidates(menu: Menu, reading: Reading, feed: Feed, keep: (profile: Profile) => boolean) {
  const coverageOf = coverages(menu, reading);
  const kept = menu.profiles.flatMap((profile, index) => (keep(profile) ? [{ profile, index }] : []));
  const worth = kept.length > mostFilled ? nearest(kept, reading, coverageOf.all) : kept;
  if (menu.work) menu.work.left -= worth.length * (reading.mentions.length + 1);
  return worth
    .map(({ profile, index }) => {
      const filling = fill(profile, reading, feed);
      return { profile, filling, ...score(profile, reading, filling, coverageOf.one(index, filling)) };
    })
    .sort((a, b) => b.value - a.value);
}

/** Of many tools only those are filled that the words speak of most. */
const mostFilled = 24;

type Place = { readonly profile: Profile; readonly index: number };

function nearest(places: readonly Place[], reading: Reading, coverage: ReadonlyMap<number, number>): readonly Place[] {
  return places
    .map((place) => ({ place, near: nearness(place.profile, reading) + 2 * (coverage.get(place.index) ?? 0) }))
    .sort((a, b) => b.near - a.near)
    .slice(0, mostFilled)
    .map(({ place }) => place);
}

/** How much of the clause a tool's texts hold, words left out that became arguments of it. */
function coverages(menu: Menu, reading: Reading) {
  const all = new Map(menu.index.search(reading.terms).map((hit) => [hit.index, hit.coverage]));
  const one = (index: number, { words }: Filling): number => {
    if (!reading.terms.some(({ token }) => words.has(token))) return all.get(index) ?? 0;
    const rest = reading.terms.filter(({ token }) => !words.has(token));
    return menu.index.search(rest).find((hit) => hit.index === index)?.coverage ?? 0;
  };
  return { all, one };
}

function isComplete({ filling }: Candidate): boolean {
  return filling.missing.length === 0;
}

function call({ profile, filling }: Candidate): Call {
  return { kind: "call", name: profile.tool.name, arguments: filling.values, profile, filling };
}
