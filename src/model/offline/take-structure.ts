import type { Json, JsonObject } from "../../message/json.ts";
import { tellingWords } from "./assign.ts";
import { fieldsOf, type Owner } from "./fields.ts";
import { listIn } from "./literals.ts";
import type { Mention } from "./mentions.ts";
import { asObject, type Parameter, parameter as parameterOf, parametersOf } from "./parameters.ts";
import type { Reading } from "./reading.ts";
import type { Taken } from "./take.ts";
import { optionsSaid } from "./take-choice.ts";
import { takeAnyNumber } from "./take-number.ts";
import { first, stringTakes } from "./take-string.ts";

const deepest = 4;
const longest = 50;

type Take = (
  parameter: Parameter,
  reading: Reading,
  free: readonly Mention[],
  owner: Owner,
  depth?: number,
) => Taken | undefined;

/** A list: one that stands there as in code, else every mention that would do for one item. */
export const takeList: Take = (parameter, reading, free, owner, depth = 0) => {
  const item = itemOf(parameter);
  const literal = bestLiteral(parameter, item, reading, free);
  if (literal) return literal;
  if (item.kind === "object") return listOfObjects(item, reading, free, owner, depth);
  if (item.kind === "list") return undefined;
  if (item.kind === "enum") return optionsSaid(item, reading, free);
  const values: Json[] = [];
  const used: Mention[] = [];
  for (const mention of candidates(parameter, item, reading, free)) {
    const found = itemFor(item, reading, mention);
    if (!found || values.length >= longest) continue;
    values.push(found.value);
    used.push(mention);
  }
  return values.length > 0 ? { value: values, used } : undefined;
};

function itemOf(parameter: Parameter): Parameter {
  const declared = asObject(parameter.schema.items);
  const item = parameterOf(parameter.name, declared, true);
  // What the list is for is said of the list more often than of its items.
  return "description" in declared ? item : { ...item, about: parameter.about, examples: parameter.examples };
}

/** Lists that stand there: the one nearest behind the parameter's name, else the first that fits. */
function bestLiteral(_parameter: Parameter, item: Parameter, { text }: Reading, free: readonly Mention[]) {
  const fitting = free.flatMap((mention) => {
    if (mention.kind !== "list") return [];
    const items = listIn(mention.value);
    return items?.every((one) => suits(item, one)) ? [{ mention, items }] : [];
  });
  const best = fitting[0];
  return best && text !== "" ? { value: best.items as Json, used: [best.mention] } : undefined;
}

function suits({ kind, schema }: Parameter, value: Json): boolean {
  if (kind === "number") return typeof value === "number" && (schema.type !== "integer" || Number.isInteger(value));
  if (kind === "boolean") return typeof value === "boolean";
  if (kind === "list") return Array.isArray(value);
  return kind !== "object" && typeof value === "string";
}

/** Numbers and names are taken as a row: side by side, from the one that stands nearest behind the parameter's name. */
function candidates(parameter: Parameter, item: Parameter, { text }: Reading, free: readonly Mention[]) {
  if (item.kind === "email" || item.kind === "url" || item.kind === "path" || item.kind === "glob") return free;
  const kinds = item.kind === "number" ? ["number"] : ["quoted", "name", "identifier", "acronym", "id"];
  const rows: Mention[][] = [];
  const fitting = free.filter(({ kind }) => kinds.includes(kind));
  const inDigits = fitting.filter(({ start, end }) => /\d/u.test(text.slice(start, end)));
  for (const mention of item.kind === "number" && inDigits.length > 0 ? inDigits : fitting) {
    const row = rows.at(-1);
    const last = row?.at(-1);
    const gap = last && text.slice(last.end, mention.start);
    const together = last && gap !== undefined && (last.kind === "quoted") === (mention.kind === "quoted");
    if (row && together && /^\s*(?:,|;|&|and|or|, and|, or)?\s*$/iu.test(gap)) row.push(mention);
    else rows.push([mention]);
  }
  const telling = [...tellingWords(parameter, [parameter])];
  const named = rows.find((row) => {
    const lead = text.slice(Math.max(0, (row[0]?.start ?? 0) - 40), row[0]?.start).toLowerCase();
    return telling.some((word) => lead.includes(word));
  });
  if (named) return named;
  if (!parameter.required) return [];
  return rows.find((row) => row.length > 1) ?? rows[0] ?? [];
}

function itemFor(item: Parameter, reading: Reading, mention: Mention): Taken | undefined {
  if (item.kind === "number") return takeAnyNumber(item, reading, [mention]);
  const take = stringTakes[item.kind];
  return take ? take(item, reading, [mention]) : first([mention], "quoted", "name", "identifier", "acronym", "id");
}

function listOfObjects(
  item: Parameter,
  reading: Reading,
  free: readonly Mention[],
  owner: Owner,
  depth: number,
): Taken | undefined {
  const values: Json[] = [];
  const used: Mention[] = [];
  let guess = false;
  while (values.length < longest) {
    const left = free.filter((mention) => !used.includes(mention));
    const found = takeObject(item, reading, left, owner, depth + 1);
    // Plain words are found over and over again: each further object takes something that was free.
    if (!found?.used.some((mention) => left.includes(mention))) break;
    values.push(found.value);
    used.push(...found.used);
    if (found.guess) guess = true;
  }
  return values.length > 0 ? { value: values, used, ...(guess && { guess }) } : undefined;
}

/** An object, if the clause says all of its fields that have to be there. */
export const takeObject: Take = (parameter, reading, free, owner, depth = 0) => {
  const parameters = parametersOf(parameter.schema);
  if (depth > deepest || parameters.length === 0) return undefined;
  const { values, used, guessed } = fieldsOf(parameters, reading, free, { vocabulary: owner.vocabulary });
  const plain = parameters.some((field) => field.required && !values.has(field));
  if (values.size === 0 || plain) return undefined;
  const value: JsonObject = Object.fromEntries(
    parameters.flatMap((field) => (values.has(field) ? [[field.name, values.get(field) as Json] as const] : [])),
  );
  return { value, used: [...used], ...(guessed.length > 0 && { guess: true }) };
};
