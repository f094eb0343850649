import type { JsonSchema } from "../model/model.ts";

/** Sets of JSON types, as bits. `number` allows every number, `integer` only whole ones. */
export const string = 1;
export const integer = 2;
export const fraction = 4;
export const number = integer | fraction;
export const boolean = 8;
export const object = 16;
export const array = 32;
export const nothing = 64;
export const every = 127;

const byName = new Map([
  ["string", string],
  ["integer", integer],
  ["number", number],
  ["boolean", boolean],
  ["object", object],
  ["array", array],
  ["null", nothing],
]);

/** The names that `type` may hold. */
export const typeNames: readonly string[] = [...byName.keys()];

/** The one type of a JSON value. */
export function typeOf(value: unknown): number {
  if (value === null) return nothing;
  if (typeof value === "string") return string;
  if (typeof value === "number") return Number.isInteger(value) ? integer : fraction;
  if (typeof value === "boolean") return boolean;
  if (typeof value === "object") return Array.isArray(value) ? array : object;
  return 0;
}

/** True for an object that is no array. */
export function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own field, so that `constructor` and `__proto__` are names like any other. */
export function own(record: { readonly [key: string]: unknown }, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** What a `$ref` of the form `#/a/b` (or `#`) points to; others are not followed. */
export function resolveRef(root: JsonSchema, ref: string): unknown {
  if (ref === "#") return root;
  if (!ref.startsWith("#/")) return undefined;
  let at: unknown = root;
  for (const part of ref.slice(2).split("/")) {
    let key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (key.includes("%")) {
      try {
        key = decodeURIComponent(key);
      } catch {
        // A stray percent sign stands for itself.
      }
    }
    if (typeof at !== "object" || at === null) return undefined;
    at = own(at as { [key: string]: unknown }, key);
  }
  return at;
}

const maxDepth = 10;

/**
 * The types that a schema lets through at its top, as far as `type`, `enum`, `const`, `$ref`, `anyOf`, `oneOf` and
 * `allOf` tell. Never too few: what is not understood allows every type.
 */
export function typesOf(root: JsonSchema, schema: unknown, depth = 0): number {
  if (schema === false) return 0;
  if (!isRecord(schema) || depth > maxDepth) return every;
  let types = every;
  const { type, $ref, anyOf, oneOf, allOf } = schema;
  if (typeof type === "string") types &= byName.get(type) ?? every;
  else if (Array.isArray(type)) types &= type.reduce<number>((sum, name) => sum | (byName.get(name) ?? every), 0);
  if (Array.isArray(schema.enum)) types &= schema.enum.reduce<number>((sum, item) => sum | typeOf(item), 0);
  if (schema.const !== undefined) types &= typeOf(schema.const);
  if (typeof $ref === "string") types &= typesOf(root, resolveRef(root, $ref), depth + 1);
  for (const union of [anyOf, oneOf]) {
    if (Array.isArray(union)) types &= union.reduce<number>((sum, sub) => sum | typesOf(root, sub, depth + 1), 0);
  }
  if (Array.isArray(allOf)) for (const sub of allOf) types &= typesOf(root, sub, depth + 1);
  return types;
}
