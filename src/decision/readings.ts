import { isRecord } from "../menu/schema-types.ts";
import type { Entry } from "./compile.ts";
import { type Fields, fieldsOf } from "./fields.ts";

const nameKeys = ["call", "action", "function", "tool", "choice", "decision", "name"];
const argumentKeys = ["args", "arguments", "parameters", "input"];

/** The key that data has too: it names an option only where nothing else stands in the object that is not of the pick. */
const common = "name";

/**
 * One way to read an object as a pick: the option that it names, and its arguments as JSON. `weak`: named in a way that
 * data is named too, so that any other pick of the reply comes first.
 */
export type Reading = { readonly entry: Entry; readonly args: string; readonly weak: boolean };

type Given = { readonly [key: string]: unknown };

/** A name that stands in an object, and the keys around it that say nothing of the pick itself. */
type Named = {
  readonly object: Given;
  readonly key: string;
  readonly name: string;
  readonly around: number;
  readonly weak: boolean;
};

/** A reading, and how many of its keys it leaves unexplained. */
type Weighed = Reading & { readonly odd: number };

/** Readings of one object that are tried: more than one only where several explain all of it. */
const mostTried = 4;

/**
 * The readings of an object, the likeliest first; or the name that it gives, if that is of no option; or nothing, if it
 * gives no name. Fields may be called as the keys of the grammar are, so of several ways to read an object that counts
 * which explains most of its keys. What the menu shows, `{ call, args }`, is never read otherwise if it fits.
 */
export function readingsOf(
  object: Given,
  find: (name: string) => Entry | undefined,
): { readonly readings: readonly Reading[] } | { readonly unknown: string } | undefined {
  const names = namesIn(object);
  const all = names.flatMap((named) => {
    const entry = find(named.name);
    // By another key than the one shown, and with more beside it than the option takes, it may well be data.
    const doubtful = (one: Weighed) => one.weak || (named.key !== "call" && one.odd > 0);
    return entry ? weighed(named, entry).map((one) => ({ ...one, weak: doubtful(one) })) : [];
  });
  const [best] = all.toSorted((a, b) => a.odd - b.odd);
  if (!best) {
    const unknown = names.find((one) => !find(one.name) && !isData(one));
    return unknown && { unknown: unknown.name };
  }
  const rest = all.filter((one) => one !== best && one.odd === 0);
  return { readings: [best, ...rest].slice(0, mostTried) };
}

/** An object with a name and more, which is no pick for that. */
const isData = ({ object, key, around, weak }: Named): boolean =>
  weak && around + Object.keys(object).filter((one) => one !== key && !argumentKeys.includes(one)).length > 0;

/** The names in an object; also in OpenAI's own shape, `{ "function": { "name", "arguments" } }`. */
function namesIn(object: Given): Named[] {
  return nameKeys.flatMap((key) => {
    const given = own(object, key);
    if (!isRecord(given)) return named(object, key, 0, key === common);
    return nameKeys.flatMap((inner) => named(given, inner, Object.keys(object).length - 1, key === common));
  });
}

function named(object: Given, key: string, around: number, weak: boolean): Named[] {
  const given = own(object, key);
  if (!["string", "number", "boolean"].includes(typeof given)) return [];
  return [{ object, key, name: String(given), around, weak }];
}

const own = (object: Given, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);

/** The ways to read the arguments beside a name: what stands under a key for them, and what stands beside the name. */
function weighed({ object, key, around, weak }: Named, entry: Entry): Weighed[] {
  const fields = fieldsOfEntry(entry);
  const beside = Object.keys(object).filter((one) => one !== key);
  const under = argumentKeys.filter((one) => Object.hasOwn(object, one));
  const shown = key === "call" && beside.length === 1 && beside[0] === "args" && isRecord(object.args);
  const wrapped = under.map((one): Weighed => {
    const { args, odd } = argumentsIn(object[one], fields);
    return { entry, args, weak, odd: shown ? 0 : odd + beside.length - 1 + around };
  });
  if (under.some((one) => !fields.names.has(one))) return weak && beside.length + around > 1 ? [] : wrapped;
  const rest = Object.fromEntries(beside.map((one) => [one, object[one]]));
  const flat = { entry, args: JSON.stringify(rest), weak, odd: unexplained(beside, fields) + around };
  return weak && flat.odd > 0 ? wrapped.filter(() => beside.length + around === 1) : [...wrapped, flat];
}

const nothing: Fields = { names: new Set(), open: false };

function fieldsOfEntry(entry: Entry): Fields {
  if (entry.kind === "value") return nothing;
  return fieldsOf(entry.kind === "function" ? entry.tool.input.jsonSchema : entry.input.jsonSchema);
}

const unexplained = (keys: readonly string[], { names, open }: Fields) =>
  open ? 0 : keys.filter((key) => !names.has(key)).length;

/** Arguments are an object, or that as JSON text. */
function argumentsIn(given: unknown, fields: Fields): { readonly args: string; readonly odd: number } {
  const args = typeof given === "string" ? given : JSON.stringify(given ?? {});
  const value = parsed(args);
  return { args, odd: isRecord(value) ? unexplained(Object.keys(value), fields) : args.trim() === "" ? 0 : 1 };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
