import { stem } from "../../ranker/stem.ts";
import { words } from "../../ranker/tokens.ts";
import { stopWords } from "./lexicon.ts";
import type { Mention } from "./mentions.ts";
import type { Parameter } from "./parameters.ts";
import type { Reading } from "./reading.ts";
import { type Take, type Taken, taken } from "./take.ts";

const limits = new Set(["limit", "max", "maximum", "count", "top", "n", "num", "lin", "siz", "length"]);
const starts = new Set(["offset", "start", "skip", "begin", "from"]);
const percents = new Set(["percent", "percentag", "bright", "brightnes", "brightness", "volum", "level"]);
const ends = new Set(["end", "stop", "upper", "to", "high"]);
const yearly = new Set(["year"]);
const fewLines = /\b(?:head|beginning|top|first(?: few| couple of)? lines|(?:at|from) the start)\b/iu;

/** How many lines are meant by "the first lines". */
const few = 20;

/** Numbers that are said in other ways than by a number of their own: "the first lines". */
export const takeNumber: Take = (parameter, reading, free) => {
  // To say which is the longest takes all of them.
  const { maximum } = parameter.schema;
  if (reading.extreme && !reading.refers && typeof maximum === "number" && isA(parameter, limits))
    return taken(maximum);
  if (isA(parameter, limits) && fewLines.test(reading.text) && !free.some((one) => isNumber(parameter, one)))
    return taken(few);
  return undefined;
};

/** The first number that nothing else has taken, digits before words; for the items of lists. */
export const takeAnyNumber: Take = (parameter, _reading, free) => {
  const mention = free.find((one) => one.kind === "number" && fits(parameter, Number(one.value)));
  return mention && taken(Number(mention.value), mention);
};

/** Parameters that say which lines are meant: the first of them, how many, the last of them. */
export type Window = { readonly from: Parameter; readonly count?: Parameter; readonly to?: Parameter };

/** The window of lines that these parameters make; undefined if none of them says where it begins. */
export function windowOf(parameters: readonly Parameter[]): Window | undefined {
  const numbers = parameters.filter(({ kind }) => kind === "number");
  const from = numbers.find((one) => isA(one, starts));
  if (!from) return undefined;
  const count = numbers.find((one) => one !== from && isA(one, limits) && !isA(one, ends));
  const to = numbers.find((one) => one !== from && isA(one, ends));
  return { from, ...(count && { count }), ...(to && { to }) };
}

function isNumber(parameter: Parameter, { kind, value }: Mention): boolean {
  return kind === "number" && fits(parameter, Number(value));
}

/** The number that a mention is for a parameter: percents become fractions where the parameter is one. */
export function numberFor(parameter: Parameter, { text }: Reading, mention: Mention): Taken {
  const value = Number(mention.value);
  const percent = /^\s?(?:%|percent\b)/iu.test(text.slice(mention.end, mention.end + 9));
  return taken(percent && isFraction(parameter) ? Number((value / 100).toPrecision(12)) : value, mention);
}

function isFraction({ schema, about, description, named }: Parameter): boolean {
  if (schema.type === "integer" || /%|percent/iu.test(description)) return false;
  return ![...named, ...about].some((word) => percents.has(word));
}

function isA(parameter: Parameter, role: ReadonlySet<string>): boolean {
  if (role === percents && [...parameter.about].some((word) => role.has(word))) return true;
  return [...parameter.named].some((word) => role.has(word));
}

function fits({ schema }: Parameter, value: number): boolean {
  if (schema.type === "integer" && !Number.isInteger(value)) return false;
  const { minimum, maximum } = schema;
  return !(typeof minimum === "number" && value < minimum) && !(typeof maximum === "number" && value > maximum);
}

/** How much the words around a number speak of a parameter; undefined if it does not fit. `telling` are the words of its name that tell it from others. */
export function rateNumber(
  parameter: Parameter,
  { text, mentions }: Reading,
  mention: Mention,
  telling: ReadonlySet<string>,
): number | undefined {
  if (!Number.isFinite(Number(mention.value)) || !fits(parameter, Number(mention.value))) return undefined;
  const { start, end } = mention;
  // Only what stands between this number and its neighbours speaks of it.
  const numbers = mentions.filter(({ kind }) => kind === "number");
  const from = Math.max(0, start - 80, ...numbers.filter((one) => one.end <= start).map((one) => one.end));
  const to = Math.min(text.length, end + 60, ...numbers.filter((one) => one.start >= end).map((one) => one.start));
  const before = text.slice(from, start).toLowerCase();
  const after = text.slice(end, to).toLowerCase();
  const left = content(before).reverse().slice(0, 5);
  const right = content(after.split(/[,;]|\band\b/u)[0] ?? "").slice(0, 3);
  const inDigits = /\d/u.test(text.slice(start, end));
  let rating = beside(telling, left, right) + (inDigits ? 0.6 : 0);
  const spoken = [...left.slice(0, 3), ...right.slice(0, 2)].filter((word) => parameter.about.has(word));
  rating += Math.min(2, spoken.length);
  // "Two numbers" are none of them.
  if (!inDigits && rating < 1) return undefined;
  if (/^\s*(?:%|percent)/u.test(after) && isA(parameter, percents)) rating += 3;
  const lead = before.trimEnd();
  if (isA(parameter, starts)) rating += /\b(?:from|at|after|starting|offset|line|between)\s*$/u.test(lead) ? 3 : -1;
  if (isA(parameter, ends) && /\b(?:to|and|through|until|up to)\s*$/u.test(lead)) rating += 2;
  if (isA(parameter, limits)) {
    if (/\b(?:first|top|most|to|limit|maximum|max|only|head|least)\s*$/u.test(lead)) rating += 2;
    const timed = /^\s*(?:\w+\s+)?(?:second|minute|hour|day|week|month|quarter|year)s\b/u.test(after);
    const latest =
      /\b(?:last|latest|newest|recent|past|oldest|next)\s*$/u.test(lead) ||
      /^\s*(?:(?:most|least)\s+)?(?:recent|latest|newest|last|oldest|first|top|best)\b/u.test(after);
    if (latest && !timed) rating += 2;
    if (/^\s*(?:lines?|results?|items?|entries|matches|rows)\b(?!\s+of\s+context)/u.test(after)) rating += 1;
    if (/\b(?:line|offset)\s*$/u.test(lead)) rating -= 3;
  }
  if (isA(parameter, yearly)) rating += /^(?:1[5-9]|20)\d\d$/u.test(mention.value) ? 2 : -1;
  return rating;
}

function content(text: string): string[] {
  return words(text)
    .filter((word) => !stopWords.has(word))
    .map(stem);
}

/** The words of a name beside a number: each counts, the nearest most. */
function beside(telling: ReadonlySet<string>, left: readonly string[], right: readonly string[]): number {
  const weight = (list: readonly string[], most: number) =>
    list.reduce((sum, word, index) => (telling.has(word) ? sum + Math.max(1, most - index * 0.5) : sum), 0);
  return Math.min(7, weight(left, 3) + weight(right.slice(0, 2), 3));
}
