import type { JsonObject } from "../../message/json.ts";
import type { Dialect } from "./dialect.ts";

const types = ["string", "number", "boolean", "object", "array", "null"];

const known = new WeakMap<Dialect, JsonObject>();

/**
 * A schema that lets everything through. Where every schema has to say its type, these are all types, and items of items
 * are no arrays any more, as this has to end somewhere.
 */
export function anything(dialect: Dialect): JsonObject {
  let open = known.get(dialect);
  if (open === undefined) {
    open = dialect.typed ? anyOfTypes(dialect, 2) : {};
    known.set(dialect, open);
  }
  return open;
}

function anyOfTypes(dialect: Dialect, arrays: number): JsonObject {
  const list = types.filter((type) => type !== "array" || arrays > 0);
  if (dialect.typeLists)
    return { type: list, ...(arrays === 0 ? undefined : { items: anyOfTypes(dialect, arrays - 1) }) };
  return {
    anyOf: list.map((type) =>
      type === "array" ? { type, items: anyOfTypes(dialect, arrays - 1) } : ofType(type, dialect),
    ),
  };
}

/** A schema that says its type alone. */
export function ofType(type: string, dialect: Dialect): JsonObject {
  if (type === "array" && dialect.itemsNeeded) return { type, items: anything(dialect) };
  return type === "object" && dialect.closedObjects ? { type, additionalProperties: true } : { type };
}
