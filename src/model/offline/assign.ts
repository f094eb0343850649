import { stem } from "../../ranker/stem.ts";
import { words } from "../../ranker/tokens.ts";
import { dateFor } from "./dates.ts";
import { stopWords } from "./lexicon.ts";
import { isSign, kindOfQuoted, type Mention } from "./mentions.ts";
import type { Parameter } from "./parameters.ts";
import { phrasesOf } from "./phrases.ts";
import type { Reading } from "./reading.ts";
import { rolesOf } from "./roles.ts";
import { type Taken, taken, within } from "./take.ts";
import { numberFor, rateNumber } from "./take-number.ts";

type Pair = { readonly parameter: Parameter; readonly mention: Mention; readonly rating: number };

/** Below this a parameter that may be left out gets nothing. */
const sure = 3.5;

const textual: ReadonlySet<string> = new Set(["name", "text", "id", "date", "time", "acronym"]);

/** Names, texts, ids and numbers are told apart by what stands around them. */
export function assignable({ kind }: Parameter): boolean {
  return kind === "number" || textual.has(kind);
}

/**
 * Which of the free mentions is meant for which of these parameters: every pair is rated by the words around the mention
 * and by what the parameter is called, and the surest pairs go first. `vocabulary` holds the words that the tool is about.
 */
export function assign(
  parameters: readonly Parameter[],
  all: readonly Parameter[],
  reading: Reading,
  free: readonly Mention[],
  vocabulary: ReadonlySet<string>,
): ReadonlyMap<Parameter, Taken> {
  const open = parameters.filter(assignable);
  const result = new Map<Parameter, Taken>();
  if (open.length === 0) return result;
  const needsPhrases = open.some(({ kind }) => kind === "name" || kind === "text");
  const mentions = [...inRegions(free, open), ...(needsPhrases ? phrasesOf(reading, vocabulary) : [])];
  const surroundings = new Map(mentions.map((mention) => [mention, around(reading.text, mention, reading.mentions)]));
  const pairs = open.flatMap((parameter) => {
    const telling = tellingWords(parameter, all);
    return mentions.flatMap((mention): readonly Pair[] => {
      const near = surroundings.get(mention) as Around;
      const rating =
        parameter.kind === "number"
          ? mention.kind === "number" || mention.kind === "quoted"
            ? rateNumber(parameter, reading, mention, telling)
            : undefined
          : rateText(parameter, mention, near, telling, vocabulary);
      if (rating === undefined || rating < (parameter.required ? 0.1 : parameter.kind === "number" ? 2 : sure))
        return [];
      return [{ parameter, mention, rating: rating + (parameter.required ? 0.5 : 0) }];
    });
  });
  const used: Mention[] = [];
  const order = (parameter: Parameter) => open.indexOf(parameter);
  const ranked = pairs.sort(
    (a, b) => b.rating - a.rating || a.mention.start - b.mention.start || order(a.parameter) - order(b.parameter),
  );
  for (const { parameter, mention, rating } of ranked) {
    if (result.has(parameter) || within(used, mention.start, mention.end).length > 0) continue;
    const found =
      parameter.kind === "number" ? numberFor(parameter, reading, mention) : textFor(parameter, mention, free, reading);
    result.set(parameter, mention.kind === "phrase" && rating < sure ? { ...found, guess: true } : found);
    used.push(mention, ...found.used);
  }
  return result;
}

/** "London, UK" is two things to a tool that asks for the city and for the country. */
function inRegions(free: readonly Mention[], open: readonly Parameter[]): readonly Mention[] {
  if (!open.some(({ named }) => named.has("country") || named.has("stat") || named.has("region"))) return free;
  return free.flatMap((mention) => {
    const at = mention.kind === "name" ? mention.value.indexOf(", ") : -1;
    if (at < 0) return [mention];
    return [
      { ...mention, value: mention.value.slice(0, at), end: mention.start + at },
      { ...mention, value: mention.value.slice(at + 2), start: mention.start + at + 2 },
    ];
  });
}

/** A name of a place may go on behind a comma: "Denver, Colorado". */
function textFor(parameter: Parameter, mention: Mention, free: readonly Mention[], { text }: Reading): Taken {
  const { place, regional } = rolesOf(parameter);
  if (parameter.kind === "date") return taken(dateFor(mention.value, parameter.description), mention);
  if (!place || !regional || mention.kind !== "name") return taken(mention.value, mention);
  const next = free.find((one) => one.start === mention.end + 2 && (one.kind === "name" || one.kind === "acronym"));
  // One more behind it, and it is a list of names.
  const third =
    next && free.some((one) => one.kind === "name" && /^,? (?:and |or )?$/u.test(text.slice(next.end, one.start)));
  return next && !third ? taken(`${mention.value}, ${next.value}`, mention, next) : taken(mention.value, mention);
}

type Around = {
  /** Words before, the nearest first, up to the mention before; and behind. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The same as text. */
  readonly lead: string;
};

function around(text: string, { start, end }: Mention, others: readonly Mention[]): Around {
  const from = Math.max(0, start - 80, ...others.filter((one) => one.end <= start).map((one) => one.end));
  const to = Math.min(text.length, end + 60, ...others.filter((one) => one.start >= end).map((one) => one.start));
  const lead = text.slice(from, start);
  return {
    before: words(lead).reverse().slice(0, 6),
    after: words(text.slice(end, to).split(/[,;.]\s|\band\b/u)[0] ?? "").slice(0, 3),
    lead,
  };
}

/** The stems of a parameter's name that tell it from the others. */
export function tellingWords(parameter: Parameter, all: readonly Parameter[]): ReadonlySet<string> {
  const own = [...parameter.named].filter(
    (word) => !all.some((other) => other !== parameter && other.named.has(word)) && !stopWords.has(word),
  );
  const plain = own.filter((word) => !common.has(word));
  return plain.length > 0 ? new Set(plain) : new Set(own);
}

const common: ReadonlySet<string> = new Set("name id value typ number text string list code".split(" "));
const copulas: ReadonlySet<string> = new Set(
  "is are was be of the a an named called titled with as to for at in by".split(" "),
);
const base: { readonly [kind: string]: number } = { quoted: 1.2, name: 1, identifier: 0.7, acronym: 0.7, phrase: 0.3 };

function rateText(
  parameter: Parameter,
  mention: Mention,
  near: Around,
  telling: ReadonlySet<string>,
  vocabulary: ReadonlySet<string>,
): number | undefined {
  const grounds = groundsOf(parameter, mention);
  if (grounds === undefined) return undefined;
  if (
    isSign(mention) &&
    parameter.kind !== "acronym" &&
    !parameter.named.has("currency") &&
    !parameter.about.has("currency")
  )
    return undefined;
  const own = words(mention.value).map(stem);
  // "the city" is no city.
  if (own.length > 0 && own.every((word) => parameter.named.has(word))) return undefined;
  const listed = parameter.examples.has(mention.value.toLowerCase());
  const beside = nearness(telling, near);
  // A plain name is an id only where it is called one.
  const vague = mention.kind === "name" || (mention.kind === "number" && mention.value.length < 4);
  if (parameter.kind === "id" && vague && beside === 0) return undefined;
  // "3 orders" is no order.
  if (parameter.kind === "id" && mention.kind === "number" && counts(near)) return undefined;
  let rating = grounds + beside + (listed ? 3 : 0);
  if (near.before.slice(0, 2).some((word) => !stopWords.has(word) && parameter.about.has(stem(word)))) rating += 0.7;
  if (near.after[0] !== undefined && !stopWords.has(near.after[0]) && parameter.about.has(stem(near.after[0])))
    rating += 0.7;
  const roles = rolesOf(parameter);
  rating += roles.rate(near.lead, mention);
  if (mention.kind === "quoted" && parameter.kind === "text") rating += 1.5;
  if (mention.kind !== "quoted" && !listed && own.every((word) => vocabulary.has(word))) rating -= 1.5;
  if (mention.kind === "phrase" && /^\d/u.test(mention.value)) rating -= 1;
  return rating;
}

/** What kinds of mentions a parameter takes at all, and how gladly. */
function groundsOf({ kind }: Parameter, mention: Mention): number | undefined {
  if (kind === "date" || kind === "time" || kind === "acronym") {
    if (mention.kind === kind || (mention.kind === "quoted" && kindOfQuoted(mention.value) === kind)) return 3.6;
    const dated =
      kind === "acronym" ||
      /\d|\b(?:to|yester)?day\b|\btomorrow\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/iu.test(mention.value);
    return (mention.kind === "quoted" && dated) || (kind === "time" && mention.kind === "date") ? 0.5 : undefined;
  }
  if (kind !== "id") {
    const inQuotes = mention.kind === "quoted" && kind === "name" ? kindOfQuoted(mention.value) : undefined;
    return inQuotes === "time" || inQuotes === "date" || inQuotes === "email" ? undefined : base[mention.kind];
  }
  if (mention.kind === "phrase" || (mention.kind === "quoted" && /\s/u.test(mention.value))) return undefined;
  return /^(?:id|number|path|identifier)$/u.test(mention.kind) ? 2 : base[mention.kind];
}

/** A plural behind a number: so many of them. */
function counts({ after, lead }: Around): boolean {
  const [next = "", then = ""] = after;
  if (/\b(?:last|first|latest|newest|recent|top|next|past)\s+$/iu.test(lead)) return true;
  return [next, then].some((word) => /[^su]s$/u.test(word)) && !/\b(?:no|number|id|#)\.?\s*$/iu.test(lead);
}

/** The parameter's own name beside a mention: "genre jazz", "a city called Rome", "Chinese cuisine". */
function nearness(telling: ReadonlySet<string>, { before, after }: Around): number {
  const spoken = before.filter(
    (word, index) => !(copulas.has(word) && before.slice(0, index).every((w) => copulas.has(w))),
  );
  if (spoken[0] !== undefined && telling.has(stem(spoken[0]))) return 4;
  if (after[0] !== undefined && telling.has(stem(after[0]))) return 3.5;
  if (spoken[1] !== undefined && telling.has(stem(spoken[1]))) return 2;
  if (after[1] !== undefined && telling.has(stem(after[1]))) return 1.5;
  return 0;
}
