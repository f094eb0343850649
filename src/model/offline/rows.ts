import type { Json } from "../../message/json.ts";
import type { Fields } from "./fields.ts";
import type { Mention } from "./mentions.ts";
import type { Parameter } from "./parameters.ts";
import { phrasesOf } from "./phrases.ts";
import type { Call } from "./pick.ts";
import type { Reading } from "./reading.ts";

/** Things in a row behind one another, such as "Paris, London and Rome": each is one value of a parameter. */
export type Row = {
  readonly parameter: Parameter;
  readonly values: readonly Json[];
  readonly mentions: readonly Mention[];
};

const mostCalls = 12;
const scalars: ReadonlySet<string> = new Set("number name text id date time acronym path folder enum".split(" "));
const link =
  /^(?:\s?%|\s\p{Ll}{1,7})?\s*(?:,|;|&|\band\b|\bor\b|, and\b|, or\b|\bas well as\b|\band also\b)\s*(?:(?:in|for|at|of|from|on|the|about)\s+){0,2}[$€£]?$/u;

/** The calls that a call stands for whose value is one of several in a row; the call alone if there is no row. */
export function inRows(call: Call, reading: Reading): readonly Call[] {
  const { rows } = call.filling;
  const [first, second] = rows;
  if (!first) return [call];
  const pairs = second && second.values.length === first.values.length && /\brespectively\b/iu.test(reading.text);
  const sets = pairs
    ? first.values.map((_, index) =>
        rows.map(({ parameter, values }) => [parameter.name, values[index] ?? null] as const),
      )
    : rows.reduce<readonly (readonly (readonly [string, Json])[])[]>(
        (all, { parameter, values }) =>
          all.flatMap((set) => values.map((value) => [...set, [parameter.name, value] as const])),
        [[]],
      );
  return sets
    .slice(0, mostCalls)
    .map((set) => ({ ...call, arguments: { ...call.arguments, ...Object.fromEntries(set) } }));
}

/** A file and a folder stand in one row: "docs and a.txt". */
const alike = ({ kind }: Mention) => (kind === "folder" ? "path" : kind);

/** The row in which the value of a parameter stands; undefined if it stands alone. */
export function rowOf(parameter: Parameter, fields: Fields, { text, mentions, ...reading }: Reading): Row | undefined {
  const source = fields.sources.get(parameter);
  if (!source || !scalars.has(parameter.kind) || (source.kind === "quoted" && parameter.kind === "text"))
    return undefined;
  const phrases = source.kind === "phrase" ? phrasesOf({ ...reading, text, mentions }, fields.known) : [];
  const all = [...mentions, ...phrases].sort((a, b) => a.start - b.start);
  const at = all.findIndex((one) => one.start === source.start);
  if (at < 0) return undefined;
  const row = [all[at] as Mention];
  let linked = false;
  const gapOf = (left: Mention, right: Mention) => text.slice(left.end, right.start);
  const joins = (left: Mention | undefined, right: Mention | undefined) =>
    left !== undefined && right !== undefined && alike(left) === alike(right) && link.test(gapOf(left, right));
  for (let i = at; joins(all[i - 1], all[i]); i -= 1) row.unshift(all[i - 1] as Mention);
  for (let i = at; joins(all[i], all[i + 1]); i += 1) row.push(all[i + 1] as Mention);
  for (let i = 1; i < row.length; i += 1)
    linked ||= /[a-z&]/u.test(gapOf(row[i - 1] as Mention, row[i] as Mention).replace(/^\s\p{Ll}{1,7}(?=\s*,)/u, ""));
  if (row.length < 2 || !linked) return undefined;
  const others = [...fields.sources].flatMap(([other, mention]) => (other === parameter ? [] : [mention]));
  if (row.some((one) => others.some((other) => other.start < one.end && other.end > one.start))) return undefined;
  const own = fields.values.get(parameter);
  // What is made of a number, such as a fraction of a percentage, is made of the others too.
  const scale = typeof own === "number" && Number(source.value) !== 0 ? own / Number(source.value) : 1;
  return {
    parameter,
    mentions: row,
    values: row.map(({ value }) => (typeof own === "number" ? Number((Number(value) * scale).toPrecision(12)) : value)),
  };
}
