import type { JsonObject } from "../message/json.ts";
import type { JsonSchema } from "../model/model.ts";
import type { Entry } from "./compile.ts";

/** The options as the model reads them, each with the pick that takes it. */
export function renderMenu(entries: readonly Entry[]): string {
  return [
    "Work as long as you need. Then decide for exactly one of these options, and end your reply with that pick: one JSON object, as the last thing in the reply.",
    "",
    ...entries.map(renderEntry),
  ].join("\n");
}

function renderEntry(entry: Entry): string {
  const schema = schemaOf(entry);
  const head = entry.description === "" ? `- ${entry.name}` : `- ${entry.name}: ${oneLine(entry.description)}`;
  const args = schema ? example(schema, schema, 0) : undefined;
  const pick = { call: entry.name, ...(isObject(args) && Object.keys(args).length > 0 && { args }) };
  return [head, ...(schema ? fields(schema, schema, "  ") : []), `  ${JSON.stringify(pick)}`].join("\n");
}

function schemaOf(entry: Entry): JsonSchema | undefined {
  if (entry.kind === "function") return entry.tool.input.jsonSchema;
  return entry.kind === "schema" ? entry.input.jsonSchema : undefined;
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const deepest = 4;

/** A line for every field that says more than its place in the example does. */
function fields(schema: JsonSchema, root: JsonSchema, indent: string, depth = 0): string[] {
  const at = resolved(schema, root);
  if (!isObject(at.properties) || depth >= deepest) return [];
  const required = Array.isArray(at.required) ? at.required : [];
  return Object.entries(at.properties).flatMap(([name, given]) => {
    if (!isObject(given)) return [];
    const field = resolved(given, root);
    const about = [
      typeName(field, root),
      ...(required.includes(name) ? [] : ["optional"]),
      ...(typeof field.description === "string" ? [oneLine(field.description)] : []),
    ];
    const inner = isObject(field.items) ? field.items : field;
    return [`${indent}${name}: ${about.join("; ")}`, ...fields(inner, root, `${indent}  `, depth + 1)];
  });
}

function typeName(schema: JsonSchema, root: JsonSchema): string {
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(", ")}`;
  if ("const" in schema) return JSON.stringify(schema.const);
  const any = alternatives(schema);
  if (any) return any.map((one) => typeName(resolved(one, root), root)).join(" or ");
  if (schema.type === "array" && isObject(schema.items))
    return `list of ${typeName(resolved(schema.items, root), root)}`;
  if (Array.isArray(schema.type)) return schema.type.join(" or ");
  return typeof schema.type === "string" ? schema.type : "any value";
}

function alternatives(schema: JsonSchema): JsonSchema[] | undefined {
  const any = schema.anyOf ?? schema.oneOf;
  return Array.isArray(any) ? any.filter(isObject) : undefined;
}

/** A value of the right shape, to be filled in. */
function example(given: JsonSchema, root: JsonSchema, depth: number): unknown {
  const schema = resolved(given, root);
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[0];
  if ("const" in schema) return schema.const;
  const any = alternatives(schema);
  if (any?.[0]) return example(any[0], root, depth);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "object" || (type === undefined && isObject(schema.properties))) {
    if (depth >= deepest || !isObject(schema.properties)) return {};
    const entries = Object.entries(schema.properties).filter(([, one]) => isObject(one));
    return Object.fromEntries(entries.map(([name, one]) => [name, example(one as JsonSchema, root, depth + 1)]));
  }
  if (type === "array")
    return isObject(schema.items) && depth < deepest ? [example(schema.items, root, depth + 1)] : [];
  return type === "integer" || type === "number" ? 0 : type === "boolean" ? false : type === "null" ? null : "…";
}

/** The schema behind a local `$ref`. */
function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let at = schema;
  for (let i = 0; i < 10 && typeof at.$ref === "string" && at.$ref.startsWith("#"); i++) {
    const path = at.$ref.slice(1).split("/").filter(Boolean);
    const target = path.reduce<unknown>((value, key) => (isObject(value) ? value[unescaped(key)] : undefined), root);
    if (!isObject(target)) return at;
    at = target;
  }
  return at;
}

const unescaped = (key: string) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~");
