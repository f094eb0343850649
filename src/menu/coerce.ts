import type { JsonSchema } from "../model/model.ts";
import { array, boolean, fraction, integer, isRecord, nothing, object, typeOf, typesOf } from "./schema-types.ts";
import { schemasOfItem, schemasOfKey, schemasThatHold } from "./schema-walk.ts";

/** A value after repairs, and how many there were; without any it is the very same value. */
export type Coerced = { readonly value: unknown; readonly repairs: number };

/** Deeper than this nothing is repaired. */
const maxDepth = 64;

type Repair = { readonly root: JsonSchema; repairs: number };

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const wholeNumber = /^-?(?:0|[1-9]\d*)$/;

/** The number that a text is, if none of its digits is lost. */
function toNumber(text: string, types: number): number | undefined {
  if (!jsonNumber.test(text)) return undefined;
  const value = Number(text);
  if (wholeNumber.test(text)) return (types & integer) !== 0 && Number.isSafeInteger(value) ? value : undefined;
  if ((types & fraction) === 0) return undefined;
  const digits = text
    .replace(/[eE].*$/, "")
    .replace(/\D/g, "")
    .replace(/^0+/, "");
  const inRange = value === 0 ? digits === "" : Math.abs(value) > 1e-300 && Number.isFinite(value);
  return inRange && digits.length <= 15 ? value : undefined;
}

/**
 * What a text stands for where these types are wanted; undefined if for nothing of them. The text alone decides which it
 * is: digits are a number, `true` a boolean, `{` an object, `[` an array.
 */
function fromText(text: string, types: number): unknown {
  const trimmed = text.trim();
  if ((types & (integer | fraction)) !== 0) {
    const value = toNumber(trimmed, types);
    if (value !== undefined) return value;
  }
  if ((types & boolean) !== 0 && /^(?:true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === "true";
  const container = trimmed.startsWith("{") ? object : trimmed.startsWith("[") ? array : 0;
  if ((types & container) === 0) return undefined;
  try {
    return JSON.parse(trimmed) as unknown;
  } catch {
    return undefined;
  }
}

function coerceObject(given: object, schemas: readonly JsonSchema[], repair: Repair, depth: number): unknown {
  const value = given as { readonly [key: string]: unknown };
  let copy: { [key: string]: unknown } | undefined;
  for (const key of Object.keys(value)) {
    const field = value[key];
    const { schemas: forKey, declared, required } = schemasOfKey(schemas, key);
    if (forKey.length === 0) continue;
    if (field === null && declared && !required && (typesOfAll(repair.root, forKey) & nothing) === 0) {
      // Spread keeps an own `__proto__` as the plain field that it is.
      copy ??= { ...value };
      delete copy[key];
      repair.repairs++;
      continue;
    }
    const next = coerceValue(field, forKey, repair, depth + 1);
    if (next === field) continue;
    copy ??= { ...value };
    Object.defineProperty(copy, key, { value: next, enumerable: true, writable: true, configurable: true });
  }
  return copy ?? value;
}

function coerceArray(
  value: readonly unknown[],
  schemas: readonly JsonSchema[],
  repair: Repair,
  depth: number,
): unknown {
  let copy: unknown[] | undefined;
  for (let index = 0; index < value.length; index++) {
    const forItem = schemasOfItem(schemas, index);
    if (forItem.length === 0) continue;
    const next = coerceValue(value[index], forItem, repair, depth + 1);
    if (next === value[index]) continue;
    copy ??= [...value];
    copy[index] = next;
  }
  return copy ?? value;
}

function typesOfAll(root: JsonSchema, schemas: readonly unknown[]): number {
  let types = -1;
  for (const schema of schemas) types &= typesOf(root, schema);
  return types;
}

function coerceValue(value: unknown, schemas: readonly unknown[], repair: Repair, depth: number): unknown {
  if (depth > maxDepth) return value;
  let result = value;
  if (typeof value === "string") {
    const types = typesOfAll(repair.root, schemas);
    if ((types & typeOf(value)) !== 0) return value;
    result = fromText(value, types);
    if (result === undefined) return value;
    repair.repairs++;
  }
  if (typeof result !== "object" || result === null) return result;
  const hold = schemasThatHold(repair.root, schemas, result);
  if (hold.length === 0) return result;
  return Array.isArray(result) ? coerceArray(result, hold, repair, depth) : coerceObject(result, hold, repair, depth);
}

/**
 * Repairs what models get wrong about the form of arguments, guided by the schema and without loss: only where the
 * schema does not allow the value's type, and only if the result says exactly the same.
 *
 * - Blank text or `null` for all arguments is `{}`; a text that holds an object is that object.
 * - In fields and items, at any depth: `"42"` becomes 42 and `"true"` true, and a text that holds an object or array
 *   becomes it, where the schema wants such a type and no string.
 * - `null` for a field that is declared, not required and not nullable: the field is dropped.
 *
 * The rule for unions (`anyOf`, `oneOf`, lists of types, nullable fields): what any branch allows is left as it is, so
 * where a string is allowed a text stays byte for byte, also `"42"` and `"{}"`. Otherwise the text alone decides what it
 * becomes, never the order of the branches. Inside an object or array a repair follows the one branch that can hold it:
 * the only one of its type, or the only one whose constant fields (a `kind`) fit; if there are several, the inside is
 * left alone.
 *
 * Never changes what it is given; shares with the result what needed no repair.
 */
export function coerce(schema: JsonSchema, value: unknown): Coerced {
  const repair: Repair = { root: schema, repairs: 0 };
  let given = value;
  if (!isRecord(value)) {
    if (value === null || (typeof value === "string" && value.trim() === "")) given = {};
    else if (typeof value === "string") given = fromText(value, object) ?? value;
    if (given === value) return { value, repairs: 0 };
    repair.repairs++;
  }
  return { value: coerceValue(given, [schema], repair, 0), repairs: repair.repairs };
}

/** As {@link coerce}, for a value that need be no object: what is no object stays what it is, if the schema allows that. */
export function coerceAny(schema: JsonSchema, value: unknown): Coerced {
  const repair: Repair = { root: schema, repairs: 0 };
  return { value: coerceValue(value, [schema], repair, 0), repairs: repair.repairs };
}
