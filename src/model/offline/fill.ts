import type { Json } from "../../message/json.ts";
import { tokens } from "../../ranker/tokens.ts";
import { fieldsOf } from "./fields.ts";
import { takesText } from "./handed.ts";
import type { Mention } from "./mentions.ts";
import type { Parameter } from "./parameters.ts";
import type { Profile } from "./profile.ts";
import type { Reading } from "./reading.ts";
import { type Row, rowOf } from "./rows.ts";

/** What earlier results offer: the value that a parameter may take from them, if any. `sure`: only one that cannot be another. */
export type Feed = (parameter: Parameter, sure: boolean) => Json | undefined;

/** Arguments made of a clause. */
export type Filling = {
  readonly values: { readonly [name: string]: Json };
  /** Mentions that became arguments. */
  readonly used: ReadonlySet<Mention>;
  /** The mention that a value was made of, where it was one. */
  readonly sources: ReadonlyMap<Parameter, Mention>;
  /** Parameters with one value that is one of several in a row. */
  readonly rows: readonly Row[];
  /** Values that the clause says, in whatever way, but for guesses. */
  readonly found: number;
  /** Stems of the words in the values. */
  readonly words: ReadonlySet<string>;
  /** Required parameters without a value. */
  readonly missing: readonly string[];
  /** Parameters that got plain words for want of anything better. */
  readonly guessed: readonly string[];
  /** A value came from an earlier result. */
  readonly fed: boolean;
};

/** Fills the parameters of a tool from a clause and, where it points back, from earlier results. */
export function fill(profile: Profile, reading: Reading, feed: Feed): Filling {
  const vocabulary = new Set([...profile.named, ...profile.about]);
  const mentions = reading.mentions.filter(({ value }) => value !== profile.tool.name);
  let fed = false;
  const offer = (parameter: Parameter) => {
    // What changes something is not called for the first of several.
    const offered = feed(parameter, profile.writes);
    if (offered !== undefined) fed = true;
    return offered;
  };
  const found = fieldsOf(profile.parameters, reading, mentions, {
    vocabulary,
    ...((reading.refers || reading.hands) && { feed: offer }),
  });
  const values = new Map(found.values);
  // "Write it in French": what is to be written is not the word "French".
  for (const [parameter, source] of found.sources)
    if (profile.writes && reading.hands && source.kind !== "quoted" && takesText(parameter)) values.delete(parameter);
  for (const parameter of profile.parameters) {
    if (!parameter.required || values.has(parameter)) continue;
    const value = offer(parameter) ?? parameter.schema.default;
    if (value !== undefined) values.set(parameter, value);
  }
  const rows = profile.parameters.flatMap((parameter) => rowOf(parameter, found, reading) ?? []);
  const said = profile.parameters.filter((parameter) => values.has(parameter));
  return {
    values: Object.fromEntries(said.map((parameter) => [parameter.name, values.get(parameter) as Json])),
    used: new Set([...found.used, ...rows.flatMap(({ mentions }) => mentions)]),
    sources: found.sources,
    rows,
    found: found.values.size - found.guessed.length,
    words: new Set([...values.values()].flatMap((value) => (typeof value === "string" ? tokens(value) : []))),
    missing: [
      ...profile.parameters.filter((one) => one.required && !values.has(one)).map(({ name }) => name),
      ...unsaid(profile, values),
    ],
    guessed: found.guessed,
    fed,
  };
}

const targets: ReadonlySet<string> = new Set(["path", "folder", "id"]);

/** To change something takes more than the name of it, also where the schema has the rest as alternatives. */
function unsaid({ writes, families, parameters }: Profile, values: ReadonlyMap<Parameter, Json>): readonly string[] {
  if (!writes || !families.has("change") || [...values.keys()].some(({ kind }) => !targets.has(kind))) return [];
  return parameters
    .filter((one) => !one.required && !targets.has(one.kind) && one.kind !== "boolean")
    .map(({ name }) => name);
}
