import type { JsonSchema } from "../model/model.ts";
import { isRecord, own, resolveRef, typeOf, typesOf } from "./schema-types.ts";

const maxDepth = 10;

/** False if a field that the branch pins to a constant (`const`, or an `enum` of one) has another value. */
function constantsFit(root: JsonSchema, branch: unknown, value: object): boolean {
  let schema = branch;
  for (let hops = 0; isRecord(schema) && typeof schema.$ref === "string" && hops < maxDepth; hops++) {
    schema = resolveRef(root, schema.$ref);
  }
  if (!isRecord(schema) || !isRecord(schema.properties)) return true;
  for (const key of Object.keys(schema.properties)) {
    const field = own(schema.properties, key);
    if (!isRecord(field)) continue;
    const pinned = field.const ?? (Array.isArray(field.enum) && field.enum.length === 1 ? field.enum[0] : undefined);
    if (pinned !== undefined && pinned !== own(value as { [key: string]: unknown }, key)) return false;
  }
  return true;
}

/** The one branch of a union that can hold the value; undefined if none can or several. */
function branchFor(root: JsonSchema, branches: readonly unknown[], value: object): unknown {
  const typed = branches.filter((branch) => (typesOf(root, branch) & typeOf(value)) !== 0);
  if (typed.length <= 1) return typed[0];
  const fitting = typed.filter((branch) => constantsFit(root, branch, value));
  return fitting.length === 1 ? fitting[0] : undefined;
}

function collect(root: JsonSchema, schema: unknown, value: object, into: JsonSchema[], depth: number): void {
  if (!isRecord(schema) || depth > maxDepth) return;
  into.push(schema as JsonSchema);
  if (typeof schema.$ref === "string") collect(root, resolveRef(root, schema.$ref), value, into, depth + 1);
  if (Array.isArray(schema.allOf)) for (const sub of schema.allOf) collect(root, sub, value, into, depth + 1);
  for (const union of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(union)) collect(root, branchFor(root, union, value), value, into, depth + 1);
  }
}

/** Every schema that speaks about this object or array: those given, what they refer to, `allOf`, the union's branch. */
export function schemasThatHold(root: JsonSchema, schemas: readonly unknown[], value: object): readonly JsonSchema[] {
  const into: JsonSchema[] = [];
  for (const schema of schemas) collect(root, schema, value, into, 0);
  return into;
}

/** What a field is to an object: the schemas that speak about it, and whether it is declared and required. */
export type KeySchemas = {
  readonly schemas: readonly unknown[];
  readonly declared: boolean;
  readonly required: boolean;
};

/** The schemas of one field, from all schemas that hold for the object. */
export function schemasOfKey(holding: readonly JsonSchema[], key: string): KeySchemas {
  const schemas: unknown[] = [];
  let declared = false;
  let required = false;
  for (const schema of holding) {
    let known = false;
    if (isRecord(schema.properties) && Object.hasOwn(schema.properties, key)) {
      schemas.push(own(schema.properties, key));
      declared = true;
      known = true;
    }
    if (isRecord(schema.patternProperties)) {
      for (const pattern of Object.keys(schema.patternProperties)) {
        const match = matches(pattern, key);
        if (match === false) continue;
        // A pattern that cannot be asked allows everything, so that nothing is repaired in the field.
        schemas.push(match === undefined ? true : own(schema.patternProperties, pattern));
        known = true;
      }
    }
    if (!known && schema.additionalProperties !== undefined) schemas.push(schema.additionalProperties);
    if (Array.isArray(schema.required) && schema.required.includes(key)) required = true;
  }
  return { schemas, declared, required };
}

/** Undefined for a pattern that only some engines know. */
function matches(pattern: string, key: string): boolean | undefined {
  try {
    return new RegExp(pattern, "u").test(key);
  } catch {
    return undefined;
  }
}

/** The schemas of one item, from all schemas that hold for the array. */
export function schemasOfItem(holding: readonly JsonSchema[], index: number): readonly unknown[] {
  const schemas: unknown[] = [];
  for (const schema of holding) {
    const tuple = Array.isArray(schema.prefixItems)
      ? schema.prefixItems
      : Array.isArray(schema.items)
        ? schema.items
        : [];
    const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items;
    const item = index < tuple.length ? tuple[index] : rest;
    if (item !== undefined) schemas.push(item);
  }
  return schemas;
}
