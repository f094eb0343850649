import { isRecord, resolveRef } from "../menu/schema-types.ts";
import type { JsonSchema } from "../model/model.ts";

/** The fields that a schema speaks of by name, and whether it may take others. */
export type Fields = { readonly names: ReadonlySet<string>; readonly open: boolean };

/** How far a schema is followed: it may go round in itself. */
const deepest = 6;

const others = ["additionalProperties", "unevaluatedProperties", "patternProperties", "propertyNames"];

/** The fields of an object schema, also those of its parts and alternatives. */
export function fieldsOf(root: JsonSchema): Fields {
  const names = new Set<string>();
  let open = false;
  let listed = false;
  const collect = (given: unknown, depth: number): void => {
    if (!isRecord(given)) return;
    if (depth > deepest) {
      open = true;
      return;
    }
    const schema = resolved(given as JsonSchema, root);
    if (isRecord(schema.properties)) {
      listed = true;
      for (const name of Object.keys(schema.properties)) names.add(name);
    }
    open ||= others.some((key) => schema[key] === true || isRecord(schema[key]));
    for (const parts of [schema.allOf, schema.anyOf, schema.oneOf, [schema.then, schema.else]]) {
      if (Array.isArray(parts)) for (const part of parts) collect(part, depth + 1);
    }
  };
  collect(root, 0);
  return { names, open: open || !listed };
}

/** The schema behind a local `$ref`. */
export function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let at = schema;
  for (let hops = 0; hops < 10 && typeof at.$ref === "string"; hops++) {
    const target = resolveRef(root, at.$ref);
    if (!isRecord(target)) return at;
    at = target as JsonSchema;
  }
  return at;
}
