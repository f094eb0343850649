import { stem } from "../../ranker/stem.ts";
import { tokens } from "../../ranker/tokens.ts";
import type { Filling } from "./fill.ts";
import { type Family, familiesOf, isNounish, isPlainVerb, isWriting } from "./lexicon.ts";
import type { Profile } from "./profile.ts";
import type { Reading } from "./reading.ts";
import { escaped } from "./take.ts";
import { isWary } from "./wary.ts";
import { addsTo, inPart, writesWhole } from "./within-file.ts";

/** How well a tool fits a clause. */
export type Score = {
  readonly value: number;
  /** Something in the clause names the tool or what it does; without that a tool is never picked freely. */
  readonly anchored: boolean;
};

/** A tool below this is not picked. */
export const enough = 2;

/** And one with a guess among its arguments below this. */
export const enoughToGuess = 2.5;

// A long clause says many things that no tool explains.
const mostOdd = 3;

/** A tool is picked only if the next best is at least so much worse. */
export const margin = 0.15;

/** Rates a tool: words in common, the verb, and how much of what the clause mentions it can take. */
export function score(profile: Profile, reading: Reading, filling: Filling, coverage: number): Score {
  const outright = namesTool(profile.tool.name, reading.text);
  const nameHits = hits(profile.named, reading);
  const telling = reading.mentions.filter(({ kind, value }) => kind !== "acronym" && value !== profile.tool.name);
  const unused = telling.filter((mention) => !filling.used.has(mention));
  const own = [...profile.named].filter((word) => !plain(word));
  const named = nameHits > 0 && (own.length === 0 || hits(new Set(own), reading) > 0);
  const typed = byType(profile, filling) && unused.length === 0;
  const aboutHits = hits(profile.about, reading);
  const verb = [...reading.families].some((family) => profile.families.has(family));
  // Plain words that were taken for want of anything better speak for nothing.
  const used = [...filling.used].filter(({ kind }) => kind !== "phrase");
  const value =
    coverage * 2 +
    nameHits * 1.2 +
    Math.min(3, aboutHits) * 0.5 +
    (verb ? 2 : 0) +
    (reading.counts && !typed ? (counts(profile) ? 1.5 : -1.5) : 0) +
    (outright ? 4 : 0) +
    (used.length * 0.7 || (filling.found > 0 ? 0.5 : 0)) -
    Math.min(mostOdd, unused.length) * 0.7 -
    Math.min(mostOdd, strange(profile, reading, filling)) * 0.5 +
    pointed(reading, filling) +
    (reading.described && profile.parameters.some(({ kind }) => kind === "regex") ? 1 : 0) +
    (typed ? 1.5 : nameHits > 0 && (verb || reading.families.size === 0) && whole(profile, filling) ? 0.7 : 0);
  // Its own verb, and everything that it requires is there and nothing else: "transfer 20 EUR from Alice to Bob".
  const full =
    reading.demands.some((said) => profile.named.has(stem(said)) && !common.has(stem(said))) &&
    unused.length === 0 &&
    used.length > 1 &&
    filling.missing.length === 0 &&
    (filling.guessed.length === 0 || !profile.writes) &&
    profile.parameters.filter(({ required }) => required).length > 1;
  // What the tool is about, its verbs left out: many tools get, find or calculate something.
  const topic = hits(new Set([...profile.about].filter((word) => !plain(word))), reading);
  const object = used.length > 0 || filling.found > 0;
  const sum = reading.arithmetic && profile.parameters.some(({ kind }) => kind === "code");
  const pointing = sum || filling.fed || reading.refers !== undefined;
  const concrete = pointing || used.some(({ kind }) => !loose.has(kind)) || (used.length === 0 && filling.found > 0);
  const anchored =
    outright || named || typed || full || topic > 1 || ((verb || aboutHits > 0) && concrete) || (topic > 0 && object);
  return { value, anchored };
}

/** Verbs of half of all tools. */
const common: ReadonlySet<string> = new Set(
  "get fetch find search list show read check calculate compute evaluate solve determine estimate measure compare create add set make update"
    .split(" ")
    .map(stem),
);

/** Kinds of things that any tool could take. */
const loose: ReadonlySet<string> = new Set(["number", "name", "acronym", "phrase"]);

function plain(word: string): boolean {
  return familiesOf(word).size > 0 && !isNounish(word);
}

/** How near a tool's words are to a clause, before anything is filled. */
export function nearness(profile: Profile, reading: Reading): number {
  const verb = [...reading.families].some((family) => profile.families.has(family));
  const called = namesTool(profile.tool.name, reading.text) ? 4 : 0;
  return called + hits(profile.named, reading) * 1.2 + Math.min(3, hits(profile.about, reading)) * 0.5 + (verb ? 2 : 0);
}

/**
 * Whether a tool may be picked for a clause at all: one that changes something only if the clause asks for such a change
 * in so many words, as a demand that nothing in its sentence puts in doubt; and a clause that asks for a change gets no tool that only reads.
 */
export function allowed(profile: Profile, reading: Reading): boolean {
  const called = namesTool(profile.tool.name, reading.text);
  const verb = [...reading.families].some((family) => profile.families.has(family));
  // What its author calls harmless may be run; what only sounds so is nothing for a clause that asks for a change.
  if (!profile.writes) return called || !reading.writes || (profile.tool.readOnly === true && verb);
  if (reading.clause.barred) return false;
  const codes = profile.parameters.some(({ kind }) => kind === "code");
  // A question for a sum is no demand, but a sum may always be worked out.
  if (codes && reading.arithmetic && !isWary(reading.text)) return true;
  if (reading.clause.wary) return false;
  if (called && callsTool(profile.tool.name, reading.text)) return true;
  // To add to a file, or to put something at a place in it, is not to write it anew, which would lose what is there.
  if (writesWhole(profile) && inPart(reading, profile.tool.name)) return false;
  return reading.demands.some(
    (verb) => demands(verb, profile, reading.text) || (codes && demandsFamily(verb, "compute")),
  );
}

/** A verb in its plain form, of the tool itself or of the same kind. */
function demands(verb: string, { actions, families }: Profile, text: string): boolean {
  if (addsTo(verb, text)) return actions.has(stem(verb));
  const known = familiesOf(stem(verb));
  if (known.size === 0) return actions.has(stem(verb)) && !/(?:ing|ed|[^s]s)$/u.test(verb);
  if (!isPlainVerb(verb)) return false;
  return actions.has(stem(verb)) || [...known].some((family) => isWriting(family) && families.has(family));
}

function demandsFamily(verb: string, family: Family): boolean {
  return isPlainVerb(verb) && familiesOf(stem(verb)).has(family);
}

/** "Use write_file …", "write_file: …": what the clause begins with is the tool. */
function callsTool(name: string, text: string): boolean {
  return new RegExp(
    `^(?:(?:use|call|run|execute|invoke|with|via)\\s+)?(?:the\\s+)?(?:tool\\s+)?["'\`]?${escaped(name)}`,
    "iu",
  ).test(text);
}

/** The clause calls the tool by its name: any name of several parts, and a single word where a tool's name would stand. */
export function namesTool(name: string, text: string): boolean {
  if (!text.toLowerCase().includes(name.toLowerCase())) return false;
  const exact = `(?<![\\p{L}\\p{N}_.-])${escaped(name)}(?![\\p{L}\\p{N}_-])`;
  if (/[_.\-/]|\p{Ll}\p{Lu}/u.test(name)) return new RegExp(exact, "iu").test(text);
  return new RegExp(`^${exact}|\\b(?:use|using|call|run|with|via|tool)\\s+(?:the\\s+)?${exact}`, "iu").test(text);
}

function hits(vocabulary: ReadonlySet<string>, reading: Reading): number {
  let sum = 0;
  for (const { token, weight = 1 } of reading.terms) {
    // "Get" and its like stand in the names of half of all tools.
    if (vocabulary.has(token) && !familiesOf(token).has("get")) sum += weight >= 0.6 ? weight : 0;
  }
  return sum;
}

/** Words of the clause that neither the tool nor the grammar of requests explains. */
function strange(profile: Profile, reading: Reading, filling: Filling): number {
  const { described } = reading;
  const spans = described && filling.found > 0 ? [...filling.used, described, described.verb] : [...filling.used];
  const said = spans.flatMap(({ start, end }) => tokens(reading.text.slice(start, end)));
  const taken = new Set([...said, ...filling.words, ...parameterWords(profile), ...profile.named, ...profile.about]);
  return [...reading.content].filter((word) => !taken.has(word) && familiesOf(word).size === 0).length;
}

function parameterWords(profile: Profile): readonly string[] {
  return profile.parameters.flatMap(({ named, about, options }) => [
    ...named,
    ...about,
    ...options.map((option) => String(option).toLowerCase()),
  ]);
}

function counts(profile: Profile): boolean {
  return profile.families.has("count") || profile.parameters.some(({ options }) => options.includes("count"));
}

/** All that the tool requires was found, and none of it is a guess. */
function whole({ parameters }: Profile, { missing, guessed, used }: Filling): boolean {
  return missing.length === 0 && guessed.length === 0 && used.size > 0 && parameters.some(({ required }) => required);
}

/** Two things and more that only such a tool takes, such as two currencies, and all that it requires. */
function byType(profile: Profile, filling: Filling): boolean {
  const telling = [...filling.sources].filter(([{ kind }, source]) => kind === source.kind && tellingKinds.has(kind));
  return telling.length > 1 && whole(profile, filling);
}

const tellingKinds: ReadonlySet<string> = new Set(["acronym", "email", "url", "glob"]);

function pointed(reading: Reading, filling: Filling): number {
  if (filling.fed) return reading.refers || reading.hands ? 1 : 0.3;
  const said = reading.mentions.some(({ kind }) => kind === "path" || kind === "glob" || kind === "folder");
  return reading.refers && !said && !reading.counts ? -0.8 : 0;
}
