import type { JsonSchema } from "../model.ts";

/** A schema that a grammar can be made of. */
export type GrammarSchema = { readonly [key: string]: unknown };

const anything: GrammarSchema = {
  oneOf: [
    { type: ["string", "number", "boolean", "null"] },
    { type: "object", additionalProperties: true },
    { type: "array" },
  ],
};

const object: GrammarSchema = { type: "object", additionalProperties: true };

const scalars = new Set(["string", "number", "integer", "boolean", "null"]);

/**
 * A schema for the grammar that holds a model to what this JSON Schema says of structure: it lets through everything
 * that fits, in the order of the properties, and also some that does not (limits, patterns), which the validator finds.
 *
 * The grammars of `node-llama-cpp` require every property that they name. So an object with a few properties that are
 * not required becomes a choice of objects, one for each selection of them. Where there are more, these may follow by
 * any name, with a value of one of their types.
 */
export function grammarSchema(schema: JsonSchema): GrammarSchema {
  const defs = definitionsOf(schema);
  const made = structure(schema, [...defs.keys()].length > 0 ? (name) => defs.has(name) : () => false, 0);
  if (defs.size === 0) return made;
  const named = [...defs].map(([name, def]) => [name, structure(def, (other) => defs.has(other), 0)] as const);
  return { ...made, $defs: Object.fromEntries(named) };
}

function structure(schema: unknown, known: (def: string) => boolean, depth: number): GrammarSchema {
  if (!isObject(schema) || depth > 40) return anything;
  const go = (inner: unknown) => structure(inner, known, depth + 1);
  const { $ref, const: constant, enum: values, type } = schema;
  if (typeof $ref === "string") {
    const name = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec($ref)?.[1];
    return name !== undefined && known(name) ? { $ref: `#/$defs/${name}` } : anything;
  }
  if (constant !== undefined) return isScalar(constant) ? { const: constant } : anything;
  if (Array.isArray(values)) return values.length > 0 && values.every(isScalar) ? { enum: values } : anything;
  const choices = schema.anyOf ?? schema.oneOf;
  // What several schemas say together is more than a grammar can hold: it is left to the validator.
  if (schema.allOf !== undefined) return anything;
  if (Array.isArray(choices)) return choices.length > 0 ? { oneOf: choices.map(go) } : anything;
  if (Array.isArray(type))
    return type.length > 0 ? { oneOf: type.map((one) => go({ ...schema, type: one })) } : anything;
  if (type === "object" || (type === undefined && schema.properties !== undefined)) return objectOf(schema, go);
  if (type === "array") return { type: "array", ...(isObject(schema.items) && { items: go(schema.items) }) };
  return typeof type === "string" && scalars.has(type) ? { type } : anything;
}

function objectOf(schema: JsonSchema, go: (inner: unknown) => GrammarSchema): GrammarSchema {
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const { additionalProperties } = schema;
  const extra = isObject(additionalProperties) ? go(additionalProperties) : undefined;
  if (properties.length === 0) {
    if (additionalProperties === false) return { type: "object" };
    return extra === undefined ? object : { type: "object", additionalProperties: extra };
  }
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const made = properties.map(([name, inner]) => [name, go(inner)] as const);
  const free = made.filter(([name]) => !required.has(name));
  if (extra === undefined && free.length <= mostFree) {
    const variants = selections(free.map(([name]) => name)).map((left) => ({
      type: "object",
      properties: Object.fromEntries(made.filter(([name]) => !left.has(name))),
    }));
    return variants.length === 1 ? variants[0]! : { oneOf: variants };
  }
  const kinds = free.map(([, kind]) => kind);
  if (extra !== undefined) kinds.push(extra);
  const distinct = [...new Map(kinds.map((kind) => [JSON.stringify(kind), kind])).values()];
  return {
    type: "object",
    properties: Object.fromEntries(made.filter(([name]) => required.has(name))),
    ...(distinct.length > 0 && { additionalProperties: distinct.length === 1 ? distinct[0] : { oneOf: distinct } }),
  };
}

/** Each choice doubles the grammar. */
const mostFree = 4;

/** All sets of these names. */
function selections(names: readonly string[]): ReadonlySet<string>[] {
  let sets: ReadonlySet<string>[] = [new Set()];
  for (const name of names) sets = sets.flatMap((set) => [set, new Set([...set, name])]);
  return sets;
}

function definitionsOf(schema: JsonSchema): ReadonlyMap<string, unknown> {
  const all = [schema.definitions, schema.$defs].filter(isObject);
  return new Map(all.flatMap((defs) => Object.entries(defs)));
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isScalar = (value: unknown): boolean =>
  value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean";
