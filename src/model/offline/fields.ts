import type { Json } from "../../message/json.ts";
import { tokens } from "../../ranker/tokens.ts";
import { assign } from "./assign.ts";
import type { Mention } from "./mentions.ts";
import { asObject, type Parameter, type ParameterKind } from "./parameters.ts";
import type { Reading } from "./reading.ts";
import type { Taken } from "./take.ts";
import { takeBoolean, takeOption } from "./take-choice.ts";
import { takeLines } from "./take-lines.ts";
import { takeNumber } from "./take-number.ts";
import { takeReplacement } from "./take-replacement.ts";
import { stringTakes } from "./take-string.ts";
import { takeList, takeObject } from "./take-structure.ts";
import { takeAssigned, takeText } from "./take-words.ts";

/** What a clause says for a set of parameters. */
export type Fields = {
  readonly values: ReadonlyMap<Parameter, Json>;
  /** Mentions that became values. */
  readonly used: ReadonlySet<Mention>;
  /** The mention that a value was made of, where it was one. */
  readonly sources: ReadonlyMap<Parameter, Mention>;
  /** Names of parameters that got plain words for want of anything better. */
  readonly guessed: readonly string[];
  /** Words that are no values: those of the owner and of the parameters. */
  readonly known: ReadonlySet<string>;
};

/** What the parameters belong to. */
export type Owner = {
  /** Stems of the words that it is about: they choose nothing. */
  readonly vocabulary: ReadonlySet<string>;
  /** Called for a parameter of which the clause says nothing, as long as nothing was taken from there. */
  feed?(parameter: Parameter): Json | undefined;
};

// Who takes first: kinds that can be told apart for certain, then the ones that take what is left.
const order: readonly ParameterKind[] =
  "enum boolean glob regex url email code command path folder expression object list date time acronym number id name text".split(
    " ",
  ) as ParameterKind[];

/** Finds the values of parameters in a clause, each mention being used once. */
export function fieldsOf(
  parameters: readonly Parameter[],
  reading: Reading,
  mentions: readonly Mention[],
  owner: Owner,
): Fields {
  const known = new Set([...owner.vocabulary, ...parameters.flatMap(wordsOf)]);
  const values = new Map<Parameter, Json>();
  const used = new Set<Mention>();
  const sources = new Map<Parameter, Mention>();
  const guessed: string[] = [];
  let fed = false;
  const lines = takeLines(parameters, reading);
  const free = () => mentions.filter((mention) => !used.has(mention));
  const closed = new Set(lines.closed);
  const open = () => sorted(parameters.filter((one) => !values.has(one) && !closed.has(one)));
  const set = (parameter: Parameter, found: Taken | undefined) => {
    if (!found) return;
    values.set(parameter, found.value);
    const [source, more] = found.used;
    if (source && !more) sources.set(parameter, source);
    if (found.guess) guessed.push(parameter.name);
    for (const mention of found.used) used.add(mention);
  };

  for (const [parameter, found] of lines.values) set(parameter, found);
  for (const mention of lines.used) used.add(mention);
  for (const parameter of open()) set(parameter, takeAssigned(parameter, reading, free()));
  const replacement = takeReplacement(parameters, reading, mentions, (parameter) => values.has(parameter));
  for (const [parameter, found] of replacement.values) set(parameter, found);
  for (const parameter of replacement.closed) closed.add(parameter);
  for (const parameter of open()) {
    const found = takeOf(parameter, reading, free(), owner);
    // The clause points at one thing: it is meant for the first parameter that can hold it, required or not.
    const pointed = !found && !fed ? owner.feed?.(parameter) : undefined;
    if (pointed !== undefined) fed = true;
    set(parameter, pointed === undefined ? found : { value: pointed, used: [] });
  }
  for (const [parameter, found] of assign(open(), parameters, reading, free(), known)) set(parameter, found);
  for (const inner of parameters) if (values.has(inner) && doubled(inner, values)) values.delete(inner);
  return { values, used, sources, guessed, known };
}

/** The same is said inside of another value already: one edit by itself, or a list of edits. */
function doubled(inner: Parameter, values: ReadonlyMap<Parameter, Json>): boolean {
  return [...values].some(([outer, value]) => {
    if (outer === inner || (outer.kind !== "list" && outer.kind !== "object")) return false;
    return [value].flat().some((one) => Object.hasOwn(asObject(one as Json), inner.name));
  });
}

function takeOf(parameter: Parameter, reading: Reading, free: readonly Mention[], owner: Owner): Taken | undefined {
  const { kind } = parameter;
  if (kind === "enum") return takeOption(owner.vocabulary)(parameter, reading, free);
  if (kind === "boolean") return takeBoolean(parameter, reading, free);
  if (kind === "number") return takeNumber(parameter, reading, free);
  if (kind === "list") return takeList(parameter, reading, free, owner);
  if (kind === "object") return takeObject(parameter, reading, free, owner);
  if (kind === "text") return takeText(parameter, reading, free);
  return stringTakes[kind]?.(parameter, reading, free);
}

function sorted(parameters: readonly Parameter[]): readonly Parameter[] {
  const place = ({ kind, required }: Parameter) => order.indexOf(kind) * 2 + (required ? 0 : 1);
  return [...parameters].sort((a, b) => place(a) - place(b));
}

/** What a parameter is called and may be chosen from: such words are no values of others. */
function wordsOf({ named, options }: Parameter): readonly string[] {
  return [...named, ...options.flatMap((option) => (typeof option === "string" ? tokens(option) : []))];
}
