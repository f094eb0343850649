import { stem } from "../../ranker/stem.ts";
import { words } from "../../ranker/tokens.ts";
import type { Mention } from "./mentions.ts";
import type { Parameter } from "./parameters.ts";
import type { Reading } from "./reading.ts";
import { type Take, taken } from "./take.ts";

const limits = new Set(["limit", "max", "maximum", "count", "top", "n", "num", "lin", "siz", "length"]);
const starts = new Set(["offset", "start", "skip", "begin", "from"]);
const percents = new Set(["percent", "percentag", "bright", "brightnes", "brightness", "volum", "level"]);
const fewLines = /\b(?:head|beginning|top|first(?: few| couple of)? lines|(?:at|from) the start)\b/iu;
const range = /\blines?\s+(\d+)\s*(?:-|–|to|through|until|and)\s*(\d+)/iu;

/** How many lines are meant by "the first lines". */
const few = 20;

/** A number: one that the clause ties to the parameter; for a required one, else the first that is free. */
export const takeNumber: Take = (parameter, reading, free) => {
  // To say which is the longest takes all of them.
  const { maximum } = parameter.schema;
  if (reading.extreme && !reading.refers && typeof maximum === "number" && isA(parameter, limits))
    return taken(maximum);
  const lines = range.exec(reading.text);
  if (lines) {
    const [first, last] = [Number(lines[1]), Number(lines[2])];
    const used = reading.mentions.filter(
      ({ kind, start }) => kind === "number" && start >= lines.index && start < lines.index + lines[0].length,
    );
    if (isA(parameter, starts)) return taken(first, ...used);
    if (isA(parameter, limits) && last >= first) return taken(last - first + 1, ...used);
  }
  const candidates = free.filter((mention) => mention.kind === "number" && fits(parameter, Number(mention.value)));
  const rated = candidates.map((mention) => ({ mention, rating: rate(parameter, reading, mention) }));
  const best = rated.sort((a, b) => b.rating - a.rating || a.mention.start - b.mention.start)[0];
  if (best && best.rating >= 2) return taken(Number(best.mention.value), best.mention);
  if (isA(parameter, limits) && candidates.length === 0 && fewLines.test(reading.text)) return taken(few);
  return undefined;
};

/** The first number that nothing else has taken; for required parameters, once all others had their turn. */
export const takeAnyNumber: Take = (parameter, _reading, free) => {
  const mention = free.find(({ kind, value }) => kind === "number" && fits(parameter, Number(value)));
  return mention && taken(Number(mention.value), mention);
};

function isA(parameter: Parameter, role: ReadonlySet<string>): boolean {
  if (role === percents && [...parameter.about].some((word) => role.has(word))) return true;
  return [...parameter.named].some((word) => role.has(word));
}

function fits({ schema }: Parameter, value: number): boolean {
  if (schema.type === "integer" && !Number.isInteger(value)) return false;
  const { minimum, maximum } = schema;
  return !(typeof minimum === "number" && value < minimum) && !(typeof maximum === "number" && value > maximum);
}

function rate(parameter: Parameter, { text }: Reading, { start, end }: Mention): number {
  // Only what stands between this number and its neighbours speaks of it.
  const before = (text.slice(0, start).split(/\d/).at(-1) ?? "").toLowerCase();
  const after = (text.slice(end).split(/\d/)[0] ?? "").toLowerCase();
  const near = [...words(before).slice(-3), ...words(after.split(/[,;]|\band\b/u)[0] ?? "").slice(0, 3)].map(stem);
  const beforeNear = before.trimEnd();
  let rating = near.some((word) => parameter.named.has(word)) ? 3 : 0;
  if (near.some((word) => parameter.about.has(word))) rating += 1;
  if (/^\s*(?:%|percent)/u.test(after) && isA(parameter, percents)) rating += 3;
  if (isA(parameter, starts)) rating += /\b(?:from|at|after|starting|offset|line)\s*$/u.test(beforeNear) ? 3 : -2;
  if (isA(parameter, limits)) {
    if (/\b(?:first|top|most|to|limit|maximum|max|only|head|least)\s*$/u.test(beforeNear)) rating += 2;
    if (/^\s*(?:lines?|results?|items?|entries|matches|rows)\b(?!\s+of\s+context)/u.test(after)) rating += 1;
    if (/\b(?:line|offset)\s*$/u.test(beforeNear)) rating -= 3;
  }
  return rating;
}
