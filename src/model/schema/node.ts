import type { Json, JsonObject } from "../../message/json.ts";

/**
 * A schema behind `normal`: in words of draft 2020-12, only keywords that we know, with values of the right kind; `allOf`
 * is merged, and a `$ref` stands alone and only where the schema recurs. What could not be kept is told under `$notes`.
 */
export type Node = boolean | Keywords;
export type Keywords = JsonObject;

/** What says nothing about values. */
export const annotations: readonly string[] = ["title", "description", "default", "examples", "$notes"];

/** Keywords that speak of values of one type only; of the others they let everything through. */
export const families: { readonly [type: string]: readonly string[] } = {
  string: ["minLength", "maxLength", "pattern", "format"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  array: ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains"],
  object: [
    ...["properties", "required", "additionalProperties", "patternProperties", "propertyNames"],
    ...["minProperties", "maxProperties", "dependentRequired", "dependentSchemas"],
  ],
};

export const typeNames: readonly string[] = ["string", "number", "integer", "boolean", "object", "array", "null"];

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isList = (value: unknown): value is readonly Json[] => Array.isArray(value);

export function typeOf(value: Json | undefined): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

/** Whether a value of one type may be of another: every integer is a number. */
export const fits = (type: string, wanted: string): boolean =>
  type === wanted || (type === "integer" && wanted === "number");

/** The types that a schema says; undefined: it says none. */
export function typesOf({ type }: Keywords): readonly string[] | undefined {
  if (typeof type === "string") return [type];
  return isList(type) ? (type as readonly string[]) : undefined;
}

/** The values that a schema lists, by `enum` or `const`. */
export function valuesOf(node: Keywords): readonly Json[] | undefined {
  if (node.const !== undefined) return [node.const];
  return isList(node.enum) ? node.enum : undefined;
}

/** An object of these fields, of which the last of a name counts and undefined ones are left out; `__proto__` is a name like any other. */
export function fieldsOf(entries: Iterable<readonly [string, Json | undefined]>): JsonObject {
  return Object.fromEntries([...new Map(entries)].filter(([, value]) => value !== undefined));
}

/** The keywords but these. */
export function without(node: Keywords, ...names: readonly string[]): Keywords {
  return fieldsOf(Object.entries(node).filter(([key]) => !names.includes(key)));
}

/** The keywords of these names alone. */
export function only(node: Keywords, names: readonly string[]): Keywords {
  return fieldsOf(Object.entries(node).filter(([key]) => names.includes(key)));
}

/** True if nothing but annotations is left. */
export const isOpen = (node: Node): boolean =>
  node === true || (isObject(node) && Object.keys(node).every((key) => annotations.includes(key)));

/** An own field of a map, so that `constructor` is a name like any other. */
export const ownField = (map: Json | undefined, key: string): Json | undefined =>
  isObject(map) && Object.hasOwn(map, key) ? map[key] : undefined;

/** The schema with a note about what it no longer says; for a boolean there is nowhere to note it. */
export function noted(node: Node, ...notes: readonly string[]): Node {
  if (typeof node === "boolean" || notes.length === 0) return node;
  return { ...node, $notes: [...notesOf(node), ...notes] };
}

export const notesOf = ({ $notes }: Keywords): readonly string[] => (isList($notes) ? ($notes as string[]) : []);
