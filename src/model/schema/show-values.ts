import { canonicalJson, type Json } from "../../message/json.ts";
import { isList, type Keywords, typeOf, typesOf, valuesOf } from "./node.ts";
import type { Show } from "./show.ts";
import type { Shown } from "./show-keywords.ts";
import { inWords } from "./words.ts";

/** The values that a schema lists, as the dialect can list them; else told, with numbers between the outer ones. */
export function showValues(node: Keywords, work: Show, allowed: ReadonlySet<string>): Shown {
  const { dialect } = work;
  const values = uniqueOf(valuesOf(node) ?? []);
  const type = typesOf(node) === undefined && dialect.typed ? { type: typeListOf(values) } : undefined;
  if (node.const !== undefined && allowed.has("const") && isPlain(values))
    return { fields: { ...type, const: node.const }, notes: [] };
  const listable = dialect.anyEnum
    ? isPlain(values) || !dialect.typed
    : values.every((value) => typeof value === "string" && value !== "");
  if (allowed.has("enum") && listable) return { fields: { ...type, enum: values }, notes: [] };
  // A null of one value says it by its type.
  if (values.length === 1 && values[0] === null && node.type === "null") return { fields: {}, notes: [] };
  work.losses += 1;
  const [only] = values;
  const note = values.length === 1 && only !== undefined ? inWords("const", only) : inWords("enum", values);
  return { fields: { ...type, ...range(values, node, allowed) }, notes: [note] };
}

const uniqueOf = (values: readonly Json[]): readonly Json[] => [
  ...new Map(values.map((value) => [canonicalJson(value), value])).values(),
];

const isPlain = (values: readonly Json[]): boolean =>
  values.every((value) => typeof value !== "object" || value === null);

function typeListOf(values: readonly Json[]): Json {
  const types = [...new Set(values.map(typeOf))];
  return types.length === 1 ? (types[0] as string) : types;
}

function range(values: readonly Json[], node: Keywords, allowed: ReadonlySet<string>): Record<string, Json> {
  if (!allowed.has("minimum") || !values.every((value) => typeof value === "number") || isList(node.type)) return {};
  const numbers = values as readonly number[];
  return { minimum: Math.min(...numbers), maximum: Math.max(...numbers) };
}
