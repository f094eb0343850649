import { boolean, isRecord, nothing, number, object, string, typesOf } from "../menu/schema-types.ts";
import type { JsonSchema } from "../model/model.ts";
import type { Entry } from "./compile.ts";
import { resolved } from "./fields.ts";

/** The options as the model reads them, each with the pick that takes it. */
export function renderMenu(entries: readonly Entry[], numbered: boolean): string {
  return [
    "Work as long as you need. Then decide for exactly one of these options, and end your reply with that pick: one JSON object, as the last thing in the reply.",
    "",
    ...entries.map((entry, index) => renderEntry(entry, numbered ? `${index + 1}.` : "-")),
  ].join("\n");
}

function renderEntry(entry: Entry, bullet: string): string {
  const schema = schemaOf(entry);
  const head = `${bullet} ${oneLine(entry.name)}${entry.description === "" ? "" : `: ${oneLine(entry.description)}`}`;
  const args = schema ? example(schema, within(schema), 0) : undefined;
  const pick = { call: entry.name, ...(isRecord(args) && Object.keys(args).length > 0 && { args }) };
  return [head, ...(schema ? fields(schema, within(schema), "  ") : []), `  ${JSON.stringify(pick)}`].join("\n");
}

function schemaOf(entry: Entry): JsonSchema | undefined {
  if (entry.kind === "function") return entry.tool.input.jsonSchema;
  return entry.kind === "schema" ? entry.input.jsonSchema : undefined;
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** How far schemas are followed, and how many fields of an option are shown: they may go round in themselves. */
const deepest = 4;
const mostFields = 100;

/** What is rendered: the schema that references are looked up in, and how many fields may still be shown. */
type Within = { readonly root: JsonSchema; left: number };

const within = (root: JsonSchema): Within => ({ root, left: mostFields });

type Field = { readonly name: string; readonly schema: JsonSchema; readonly required: boolean };

/** The fields of an object, those that `allOf` adds too. */
function fieldsOf(given: JsonSchema, root: JsonSchema, depth = 0): Field[] {
  const schema = resolved(given, root);
  const { properties, required, allOf } = schema;
  const own = Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, field]): Field[] =>
    isRecord(field)
      ? [
          {
            name,
            schema: resolved(field as JsonSchema, root),
            required: Array.isArray(required) && required.includes(name),
          },
        ]
      : [],
  );
  const more = Array.isArray(allOf) && depth < deepest ? (allOf as readonly unknown[]).filter(isRecord) : [];
  return [...own, ...more.flatMap((one) => fieldsOf(one as JsonSchema, root, depth + 1))];
}

/** A line for every field that says more than its place in the example does. */
function fields(schema: JsonSchema, at: Within, indent: string, depth = 0): string[] {
  if (depth >= deepest) return [];
  return fieldsOf(schema, at.root).flatMap(({ name, schema: field, required }) => {
    if (at.left-- <= 0) return [];
    const about = [
      typeName(field, at.root, 0),
      ...(required ? [] : ["optional"]),
      ...(typeof field.description === "string" ? [oneLine(field.description)] : []),
    ];
    const inner = isRecord(field.items) ? (field.items as JsonSchema) : field;
    return [`${indent}${name}: ${about.join("; ")}`, ...fields(inner, at, `${indent}  `, depth + 1)];
  });
}

function typeName(schema: JsonSchema, root: JsonSchema, depth: number): string {
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(", ")}`;
  if ("const" in schema) return JSON.stringify(schema.const);
  if (depth >= deepest) return "any value";
  const any = alternatives(schema);
  if (any) return [...new Set(any.map((one) => typeName(resolved(one, root), root, depth + 1)))].join(" or ");
  if (schema.type === "array" && isRecord(schema.items)) {
    return `list of ${typeName(resolved(schema.items as JsonSchema, root), root, depth + 1)}`;
  }
  if (Array.isArray(schema.type)) return schema.type.join(" or ");
  return typeof schema.type === "string" ? schema.type : "any value";
}

function alternatives(schema: JsonSchema): JsonSchema[] | undefined {
  const any = schema.anyOf ?? schema.oneOf;
  return Array.isArray(any) ? (any as readonly unknown[]).filter(isRecord).map((one) => one as JsonSchema) : undefined;
}

/** A value of the right shape, to be filled in. */
function example(given: JsonSchema, at: Within, depth: number): unknown {
  const schema = resolved(given, at.root);
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[0];
  if ("const" in schema) return schema.const;
  const inner = fieldsOf(schema, at.root);
  const any = alternatives(schema);
  if (any?.[0] && inner.length === 0) return depth < deepest ? example(any[0], at, depth + 1) : "…";
  if (depth >= deepest) return schema.type === "array" ? [] : inner.length > 0 ? {} : scalar(schema);
  if (inner.length > 0) {
    const shown = inner.filter(() => at.left-- > 0);
    return Object.fromEntries(shown.map(({ name, schema: field }) => [name, example(field, at, depth + 1)]));
  }
  if (schema.type === "array") {
    return isRecord(schema.items) ? [example(schema.items as JsonSchema, at, depth + 1)] : [];
  }
  return scalar(schema);
}

function scalar(schema: JsonSchema): unknown {
  const types = typesOf(schema, schema);
  if (types === nothing) return null;
  if ((types & string) !== 0) return "…";
  if ((types & number) !== 0) return 0;
  if ((types & boolean) !== 0) return false;
  return (types & object) !== 0 ? {} : [];
}
