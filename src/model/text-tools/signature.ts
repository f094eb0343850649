import type { JsonSchema } from "../model.ts";

type Schema = { readonly [key: string]: unknown };

/** How far schemas are followed: they may go round in themselves. */
const deepest = 5;

/** What a signature cannot say: such a schema is shown as it is. */
const beyond = ["allOf", "not", "if", "patternProperties", "dependentSchemas", "dependentRequired", "$dynamicRef"];

/**
 * Arguments as a model reads them with few tokens: `{ "city": string, "days"?: integer }`, one field a line where
 * something is to be said of one. Schemas that say more than that are shown as JSON Schema.
 */
export function signatureOf(schema: JsonSchema): string {
  const root: Schema = schema;
  if (saysMore(root, 0)) return `JSON Schema ${JSON.stringify(withoutDialect(root))}`;
  return typeOf(root, root, 0);
}

const withoutDialect = ({ $schema: _, ...rest }: Schema): Schema => rest;

function saysMore(value: unknown, depth: number): boolean {
  if (!isRecord(value) || depth > 12) return false;
  if (beyond.some((key) => Object.hasOwn(value, key))) return true;
  const inner = [...partsOf(value.properties), ...partsOf(value.$defs), ...partsOf(value.definitions)];
  const one = [value.items, value.additionalProperties];
  return [...inner, ...one, ...listed(value.anyOf), ...listed(value.oneOf)].some((part) => saysMore(part, depth + 1));
}

const partsOf = (value: unknown): unknown[] => (isRecord(value) ? Object.values(value) : []);
const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A schema as a type. */
function typeOf(given: unknown, root: Schema, depth: number): string {
  const schema = resolved(given, root);
  if (schema === undefined || depth > deepest) return "any";
  if (Array.isArray(schema.enum)) return union(schema.enum.map((value) => JSON.stringify(value)));
  if ("const" in schema) return JSON.stringify(schema.const);
  if (isRecord(schema.properties)) return objectOf(schema, schema.properties, root, depth);
  const any = [...listed(schema.anyOf), ...listed(schema.oneOf)];
  if (any.length > 0) return union(any.map((one) => typeOf(one, root, depth + 1)));
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return union(types.map((type) => plainType(type, schema, root, depth)));
}

function plainType(type: unknown, schema: Schema, root: Schema, depth: number): string {
  if (type === "array") {
    if (schema.items === undefined) return "any[]";
    const item = typeOf(schema.items, root, depth + 1);
    return / \| /.test(item) ? `(${item})[]` : `${item}[]`;
  }
  if (type === "object") {
    return isRecord(schema.additionalProperties)
      ? `{ [key: string]: ${typeOf(schema.additionalProperties, root, depth + 1)} }`
      : "{}";
  }
  return typeof type === "string" ? type : "any";
}

const union = (types: readonly string[]): string => [...new Set(types)].join(" | ");

function objectOf(schema: Schema, properties: Schema, root: Schema, depth: number): string {
  const fields = Object.entries(properties).map(([name, field]) => ({
    text: `${JSON.stringify(name)}${listed(schema.required).includes(name) ? "" : "?"}: ${typeOf(field, root, depth + 1)}`,
    remark: remarkOf(resolved(field, root) ?? {}, field),
  }));
  if (fields.length === 0) return "{}";
  const short = fields.every(({ text, remark }) => remark === "" && !text.includes("\n"));
  if (short) return `{ ${fields.map(({ text }) => text).join(", ")} }`;
  const indent = "  ".repeat(depth + 1);
  const lines = fields.map(({ text, remark }) => `${indent}${text},${remark === "" ? "" : ` // ${remark}`}`);
  return `{\n${lines.join("\n")}\n${"  ".repeat(depth)}}`;
}

const bounds: readonly (readonly [string, string])[] = [
  ["format", "format"],
  ["pattern", "pattern"],
  ["minimum", "at least"],
  ["exclusiveMinimum", "more than"],
  ["maximum", "at most"],
  ["exclusiveMaximum", "less than"],
  ["multipleOf", "a multiple of"],
  ["minLength", "characters at least"],
  ["maxLength", "characters at most"],
  ["minItems", "items at least"],
  ["maxItems", "items at most"],
  ["default", "default"],
];

/** Bounds that every whole number of a program has anyway. */
const isNoBound = (value: unknown): boolean => typeof value === "number" && Math.abs(value) >= Number.MAX_SAFE_INTEGER;

/** What a type does not say of a field. */
function remarkOf(schema: Schema, given: unknown): string {
  const said = (isRecord(given) ? given.description : undefined) ?? schema.description;
  const found = bounds.flatMap(([key, word]) =>
    key in schema && !isNoBound(schema[key])
      ? [`${word} ${typeof schema[key] === "string" && key !== "default" ? schema[key] : JSON.stringify(schema[key])}`]
      : [],
  );
  const description = typeof said === "string" ? said.replace(/\s+/g, " ").trim() : "";
  return [...(description === "" ? [] : [description]), ...found].join("; ");
}

/** A schema, behind its reference to a part of the whole. */
function resolved(given: unknown, root: Schema): Schema | undefined {
  let at = given;
  for (let hops = 0; isRecord(at) && typeof at.$ref === "string"; hops++) {
    if (hops === 8 || !at.$ref.startsWith("#")) return undefined;
    let target: unknown = root;
    for (const step of at.$ref.slice(1).split("/").filter(Boolean)) {
      const key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
      target = isRecord(target) && Object.hasOwn(target, key) ? target[key] : undefined;
    }
    at = target;
  }
  return isRecord(at) ? at : undefined;
}

/**
 * A value of the shape of a schema, with what it requires and nothing else. A text stands as its name in `<>`: models
 * copy what could be a value.
 */
export function exampleOf(given: unknown, root: Schema, name = "text", depth = 0): unknown {
  const schema = resolved(given, root) ?? {};
  const told = [...listed(schema.examples), schema.default, ...listed(schema.enum), schema.const];
  const first = told.find((one) => one !== undefined);
  if (first !== undefined) return first;
  if (isRecord(schema.properties) && depth < deepest) {
    const fields: Schema = schema.properties;
    const required = listed(schema.required).filter((field): field is string => typeof field === "string");
    return Object.fromEntries(required.map((field) => [field, exampleOf(fields[field], root, field, depth + 1)]));
  }
  const any = [...listed(schema.anyOf), ...listed(schema.oneOf)];
  if (any.length > 0 && depth < deepest) return exampleOf(any[0], root, name, depth + 1);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "integer" || type === "number")
    return typeof schema.minimum === "number" && !isNoBound(schema.minimum) ? schema.minimum : 1;
  if (type === "boolean") return true;
  if (type === "array")
    return depth < deepest && schema.items !== undefined ? [exampleOf(schema.items, root, name, depth + 1)] : [];
  if (type === "object") return {};
  return type === "null" ? null : `<${name}>`;
}

const isRecord = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
