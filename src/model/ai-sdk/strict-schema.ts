import type { Json, JsonObject } from "../../message/json.ts";
import type { JsonSchema } from "../model.ts";

/** The lowest limits among the providers. */
const most = { depth: 5, properties: 100, enums: 500, schemas: 1_000 };

const anywhere = ["title", "description", "type", "enum", "const"];
const allowed: { readonly [type: string]: readonly string[] } = {
  object: ["properties", "required", "additionalProperties"],
  array: ["items", "minItems", "maxItems"],
  string: ["pattern", "format"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  integer: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  boolean: [],
  null: [],
};
const formats = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
const localRef = /^#\/(\$defs|definitions)\/([^/%~]+)$/;

type Visit = {
  readonly root: JsonSchema;
  readonly count: { properties: number; enums: number; schemas: number };
  /** Names that are being looked into: one of them again is a recursion. */
  readonly refs: readonly string[];
  readonly depth: number;
};

const refused = new Error("not strict");

/**
 * The schema as strict modes of providers take it, or undefined where they would refuse it: an object at the root, all
 * properties required, nothing left open, no recursion, no keyword beyond the common ones. Objects that say nothing about
 * further properties are closed, which takes no value in that the schema itself would not.
 */
export function strictSchema(schema: JsonSchema): JsonSchema | undefined {
  if (schema.type !== "object") return undefined;
  const visit = { root: schema, count: { properties: 0, enums: 0, schemas: 0 }, refs: [], depth: 0 };
  try {
    const { $schema: _, $defs, definitions, ...own } = schema;
    return {
      ...strict(own, visit),
      ...($defs === undefined ? undefined : { $defs: strictAll($defs, visit) }),
      ...(definitions === undefined ? undefined : { definitions: strictAll(definitions, visit) }),
    };
  } catch (thrown) {
    if (thrown === refused) return undefined;
    throw thrown;
  }
}

function strict(schema: Json | undefined, visit: Visit): JsonSchema {
  if (!isObject(schema)) throw refused;
  if (++visit.count.schemas > most.schemas) throw refused;
  if (schema.$ref !== undefined) return strictRef(schema, visit);
  if (schema.anyOf !== undefined) return strictAnyOf(schema, visit);

  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  const keywords = types.flatMap((type) => {
    if (typeof type !== "string" || !Object.hasOwn(allowed, type)) throw refused;
    return allowed[type] as readonly string[];
  });
  only(schema, [...anywhere, ...keywords]);
  checkValues(schema, visit);
  return {
    ...schema,
    ...(types.includes("object") ? strictObject(schema, visit) : undefined),
    ...(types.includes("array") ? { items: strict(schema.items, visit) } : undefined),
  };
}

function strictObject(schema: JsonObject, visit: Visit): JsonSchema {
  const { properties, required = [], additionalProperties = false } = schema;
  const depth = visit.depth + 1;
  if (!isObject(properties) || !Array.isArray(required) || additionalProperties !== false) throw refused;
  const names = Object.keys(properties);
  visit.count.properties += names.length;
  if (visit.count.properties > most.properties || depth > most.depth) throw refused;
  if (!names.every((name) => required.includes(name)) || required.length !== names.length) throw refused;
  return { properties: strictAll(properties, { ...visit, depth }), required, additionalProperties };
}

function strictRef(schema: JsonObject, visit: Visit): JsonSchema {
  only(schema, ["$ref"]);
  const [, where = "", name = ""] = localRef.exec(String(schema.$ref)) ?? [];
  const definitions = visit.root[where];
  if (!isObject(definitions) || !Object.hasOwn(definitions, name) || visit.refs.includes(name)) throw refused;
  strict(definitions[name], { ...visit, refs: [...visit.refs, name] });
  return schema;
}

function strictAnyOf(schema: JsonObject, visit: Visit): JsonSchema {
  only(schema, ["anyOf", "title", "description"]);
  if (!Array.isArray(schema.anyOf) || schema.anyOf.length === 0) throw refused;
  return { ...schema, anyOf: schema.anyOf.map((one) => strict(one, visit)) };
}

function strictAll(schemas: Json, visit: Visit): JsonObject {
  if (!isObject(schemas)) throw refused;
  return Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, strict(one, visit)]));
}

function checkValues(schema: JsonObject, { count }: Visit): void {
  const { enum: values = [], format, pattern, exclusiveMinimum, exclusiveMaximum } = schema;
  if (!Array.isArray(values)) throw refused;
  count.enums += values.length;
  if (count.enums > most.enums) throw refused;
  if (format !== undefined && !formats.includes(String(format))) throw refused;
  // Groups that look around are no part of what a grammar can hold.
  if (pattern !== undefined && /\(\?[=!<]/.test(String(pattern))) throw refused;
  if (typeof exclusiveMinimum === "boolean" || typeof exclusiveMaximum === "boolean") throw refused;
}

function only(schema: JsonObject, keywords: readonly string[]): void {
  if (!Object.keys(schema).every((key) => keywords.includes(key))) throw refused;
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
