import { canonicalJson, type Json } from "../../message/json.ts";
import { stem } from "../../ranker/stem.ts";
import { words } from "../../ranker/tokens.ts";
import { dateFor } from "./dates.ts";
import { type Feed, fill } from "./fill.ts";
import { stopWords } from "./lexicon.ts";
import type { Mention } from "./mentions.ts";
import type { Parameter } from "./parameters.ts";
import type { Call } from "./pick.ts";
import type { Reading } from "./reading.ts";
import { numberFor } from "./take-number.ts";

/**
 * The same call for something else: what the words say anew takes the place of what they said before, the rest stays.
 * It has to differ in something that the tool requires.
 */
export function sameAgain(first: Call, before: Reading, reading: Reading): Call | undefined {
  const { profile, filling } = first;
  const found = fill(profile, reading, nothing);
  const used = new Set<Mention>();
  const matched = alike(first, before, reading, used);
  // Listed values and lists are told by their own words; the rest by how alike they stand.
  const plain = profile.parameters.filter((one) => Object.hasOwn(found.values, one.name));
  const values: { [name: string]: Json } = {};
  for (const parameter of plain) {
    const own = !filling.sources.has(parameter) || !Object.hasOwn(filling.values, parameter.name);
    const source = found.sources.get(parameter);
    if (source && used.has(source)) continue;
    if (matched.size < filling.sources.size || own) values[parameter.name] = found.values[parameter.name] as Json;
  }
  for (const [parameter, value] of matched) values[parameter.name] = value;
  const changed = profile.parameters.filter(
    ({ name, required, schema }) =>
      (required || profile.parameters.every((one) => !one.required)) &&
      Object.hasOwn(values, name) &&
      Object.hasOwn(filling.values, name) &&
      !("default" in schema && values[name] === schema.default) &&
      canonicalJson(values[name] ?? null) !== canonicalJson(filling.values[name] ?? null),
  );
  const guess = matched.size === 0 && found.guessed.length > filling.guessed.length;
  if (changed.length === 0 || guess || (found.used.size === 0 && found.guessed.length === 0)) return undefined;
  // What takes a list takes all of it at once.
  if (changed.some(({ kind }) => kind === "list")) return undefined;
  const all = { ...filling.values, ...values };
  return { ...first, arguments: all, filling: { ...found, values: all, missing: [] } };
}

/** Which value stands where one of the call before stood: of the same kind, between the same words. */
function alike({ filling }: Call, before: Reading, reading: Reading, used: Set<Mention>): ReadonlyMap<Parameter, Json> {
  const mentions = reading.mentions.filter(({ kind }) => kind !== "list" && kind !== "code");
  const sources = [...filling.sources].filter(([{ kind }]) => kind !== "enum" && kind !== "boolean" && kind !== "list");
  const pairs = mentions.flatMap((mention, index) =>
    sources.flatMap(([parameter, source], place) => {
      if (source.kind !== mention.kind) return [];
      const [was, is] = [beside(before.text, source), beside(reading.text, mention)];
      const rating =
        (was.right !== "" && was.right === is.right ? 2 : 0) +
        (was.left !== "" && was.left === is.left ? 2 : 0) +
        (was.direct === is.direct ? 0.5 : 0) +
        (mentions.length - index === sources.length - place ? 0.4 : 0);
      return [{ parameter, mention, rating }];
    }),
  );
  const result = new Map<Parameter, Json>();
  for (const { parameter, mention, rating } of pairs.sort((a, b) => b.rating - a.rating)) {
    if (result.has(parameter) || used.has(mention) || (rating < 2 && mentions.length > 1)) continue;
    used.add(mention);
    if (parameter.kind === "number") result.set(parameter, numberFor(parameter, reading, mention).value);
    else
      result.set(parameter, parameter.kind === "date" ? dateFor(mention.value, parameter.description) : mention.value);
  }
  return result;
}

function beside(text: string, { start, end }: Mention) {
  const left = words(text.slice(Math.max(0, start - 60), start)).reverse();
  const right = words(text.slice(end, end + 40));
  return {
    left: stem(left.find((word) => !stopWords.has(word)) ?? ""),
    direct: left[0] ?? "",
    right: stem(right[0] ?? ""),
  };
}

const nothing: Feed = () => undefined;
