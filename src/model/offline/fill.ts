import type { Json } from "../../message/json.ts";
import { tokens } from "../../ranker/tokens.ts";
import type { Mention } from "./mentions.ts";
import { asObject, type Parameter, type ParameterKind, parameter as parameterOf, parametersOf } from "./parameters.ts";
import type { Profile } from "./profile.ts";
import type { Reading } from "./reading.ts";
import type { Take, Taken } from "./take.ts";
import { takeBoolean, takeOption } from "./take-choice.ts";
import { takeAnyNumber, takeNumber } from "./take-number.ts";
import { stringTakes } from "./take-string.ts";
import { takeAssigned, takeName, takeTail, takeText } from "./take-words.ts";

/** What earlier results offer: the value that a parameter may take from them, if any. */
export type Feed = (parameter: Parameter) => Json | undefined;

/** Arguments made of a clause. */
export type Filling = {
  readonly values: { readonly [name: string]: Json };
  /** Mentions that became arguments. */
  readonly used: ReadonlySet<Mention>;
  /** Stems of the words in the values. */
  readonly words: ReadonlySet<string>;
  /** Required parameters without a value. */
  readonly missing: readonly string[];
  /** A value came from an earlier result. */
  readonly fed: boolean;
};

// Who takes first: kinds that can be told apart for certain, then the ones that take what is left.
const order: readonly ParameterKind[] = [
  "enum",
  "boolean",
  "glob",
  "regex",
  "url",
  "email",
  "date",
  "time",
  "path",
  "folder",
  "expression",
  "acronym",
  "number",
  "id",
  "list",
  "object",
  "name",
  "text",
];

/** Fills the parameters of a tool from a clause and, where it points back, from earlier results. */
export function fill(profile: Profile, reading: Reading, feed: Feed): Filling {
  const vocabulary = new Set([...profile.named, ...profile.about]);
  const values: { [name: string]: Json } = {};
  const used = new Set<Mention>();
  let fed = false;
  const free = () => reading.mentions.filter((mention) => !used.has(mention) && mention.value !== profile.tool.name);
  const open = () => sorted(profile.parameters.filter(({ name }) => !Object.hasOwn(values, name)));
  const set = (parameter: Parameter, found: Taken | undefined) => {
    if (!found) return;
    Object.defineProperty(values, parameter.name, {
      value: found.value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    for (const mention of found.used) used.add(mention);
  };

  for (const parameter of open()) set(parameter, takeAssigned(parameter, reading, free()));
  for (const parameter of open()) {
    const found = takeOf(parameter, vocabulary)(parameter, reading, free());
    // The clause points at one thing: it is meant for the first parameter that can hold it, required or not.
    const pointed = !found && reading.refers && !fed ? feed(parameter) : undefined;
    if (pointed !== undefined) fed = true;
    set(parameter, pointed === undefined ? found : { value: pointed, used: [] });
  }
  for (const parameter of open().filter(({ required }) => required)) {
    set(parameter, lastResort(parameter, vocabulary)(parameter, reading, free()));
    if (Object.hasOwn(values, parameter.name)) continue;
    const offered = feed(parameter);
    if (offered !== undefined) fed = true;
    const fallback = offered ?? parameter.schema.default;
    if (fallback !== undefined) set(parameter, { value: fallback, used: [] });
  }
  return {
    values: inOrder(profile, values),
    used,
    words: new Set(Object.values(values).flatMap((value) => (typeof value === "string" ? tokens(value) : []))),
    missing: open()
      .filter(({ required }) => required)
      .map(({ name }) => name),
    fed,
  };
}

function sorted(parameters: readonly Parameter[]): readonly Parameter[] {
  const place = ({ kind, required }: Parameter) => order.indexOf(kind) * 2 + (required ? 0 : 1);
  return [...parameters].sort((a, b) => place(a) - place(b));
}

function inOrder(profile: Profile, values: { readonly [name: string]: Json }): { readonly [name: string]: Json } {
  const names = profile.parameters.map(({ name }) => name).filter((name) => Object.hasOwn(values, name));
  return Object.fromEntries(names.map((name) => [name, values[name] as Json]));
}

function takeOf({ kind }: Parameter, vocabulary: ReadonlySet<string>): Take {
  if (kind === "enum") return takeOption(vocabulary);
  if (kind === "boolean") return takeBoolean;
  if (kind === "number") return takeNumber;
  if (kind === "list") return takeList;
  if (kind === "object") return takeObject;
  if (kind === "name") return takeName;
  if (kind === "text") return takeText;
  return stringTakes[kind] ?? nothing;
}

const nothing: Take = () => undefined;

function lastResort({ kind }: Parameter, vocabulary: ReadonlySet<string>): Take {
  if (kind === "number") return takeAnyNumber;
  return kind === "name" || kind === "text" ? takeTail(vocabulary) : nothing;
}

/** Every mention that would do for one item. */
const takeList: Take = (parameter, reading, free) => {
  const item = parameterOf(parameter.name, asObject(parameter.schema.items), true);
  const take = item.kind === "number" ? takeAnyNumber : takeOf(item, parameter.about);
  if (item.kind === "list" || item.kind === "object") return undefined;
  const values: Json[] = [];
  const used: Mention[] = [];
  for (;;) {
    const found = take(
      item,
      reading,
      free.filter((mention) => !used.includes(mention)),
    );
    if (!found || found.used.length === 0) break;
    values.push(found.value);
    used.push(...found.used);
  }
  return values.length > 0 ? { value: values, used } : undefined;
};

/** An object whose own fields are said as assignments. */
const takeObject: Take = (parameter, reading, free) => {
  const found = parametersOf(parameter.schema).map(
    (field) => [field.name, takeAssigned(field, reading, free)] as const,
  );
  const said = found.flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  if (said.length === 0) return undefined;
  return {
    value: Object.fromEntries(said.map(([name, { value }]) => [name, value])),
    used: said.flatMap(([, { used }]) => used),
  };
};
