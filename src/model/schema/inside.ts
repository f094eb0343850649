import type { JsonSchema } from "../model.ts";

const single = [
  "additionalItems",
  "additionalProperties",
  "unevaluatedItems",
  "unevaluatedProperties",
  "contains",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
] as const;
const lists = ["prefixItems", "allOf", "anyOf", "oneOf"] as const;
const maps = ["$defs", "definitions", "properties", "patternProperties", "dependentSchemas"] as const;

/** Keywords under which schemas stand. */
export const schemaKeywords: readonly string[] = [...single, ...lists, ...maps, "items"];

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Every schema inside a schema with the place where it stands, in the order of the keywords; null for what must be one and is none. */
export function* inside(schema: JsonSchema, at: string): Generator<readonly [string, unknown]> {
  for (const key of single) if (schema[key] !== undefined) yield [`${at}/${key}`, schema[key]];
  for (const key of [...lists, "items"]) {
    const list = schema[key];
    if (list === undefined) continue;
    if (Array.isArray(list)) for (const [index, item] of list.entries()) yield [`${at}/${key}/${index}`, item];
    else if (key === "items") yield [`${at}/items`, list];
    else yield [`${at}/${key}`, null];
  }
  for (const key of maps) {
    const map = schema[key];
    if (map === undefined) continue;
    if (!isRecord(map)) yield [`${at}/${key}`, null];
    // An own key, so that `__proto__` is a name like any other.
    else for (const name of Object.keys(map)) yield [`${at}/${key}/${name}`, map[name]];
  }
}

/** True if a schema or one inside it satisfies `test`. References are not followed. */
export function someSchema(schema: JsonSchema, test: (node: JsonSchema) => boolean): boolean {
  const open: unknown[] = [schema];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!isRecord(node)) continue;
    if (test(node as JsonSchema)) return true;
    for (const [, sub] of inside(node as JsonSchema, "")) open.push(sub);
  }
  return false;
}
