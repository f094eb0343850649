import type { Json, JsonObject } from "../../message/json.ts";
import { plainJson } from "../../message/plain-json.ts";
import type { JsonSchema } from "../model.ts";
import type { Dialect } from "./dialect.ts";
import { fieldsOf, isList, isObject, type Keywords, type Node } from "./node.ts";
import { type Normal, normalise } from "./normal.ts";
import { anything } from "./open.ts";
import { inPath, type Refusal, Refused } from "./refused.ts";
import { rootOf } from "./root.ts";
import { type Show, show } from "./show.ts";
import { showKeywords } from "./show-keywords.ts";
import { described } from "./words.ts";

/** A schema as a dialect takes it, and what there was no place for in it; or why there is none. */
export type Accepted = { readonly schema: JsonSchema; readonly note?: string } | { readonly refused: Refusal };

const noArguments: Accepted = { schema: { type: "object", properties: {} } };

const normals = new WeakMap<object, Normal | Refusal>();
const known = new WeakMap<Dialect, WeakMap<object, Accepted>>();

/**
 * The closest schema that a dialect takes for the arguments of a tool: every value that fits the original fits it too (but
 * for what docs/providers.md says), and what it cannot say is told in its descriptions. Made once for the same schema and
 * dialect. Never throws, changes nothing, fetches nothing.
 */
export function acceptedSchema(schema: unknown, dialect: Dialect): Accepted {
  if (schema === undefined || schema === null) return noArguments;
  if (typeof schema !== "object") return accept(schema, dialect);
  const made = known.get(dialect) ?? new WeakMap<object, Accepted>();
  known.set(dialect, made);
  const accepted = made.get(schema) ?? accept(schema, dialect);
  made.set(schema, accepted);
  return accepted;
}

/** As {@link acceptedSchema}, for the schema of a value of any type, which then is the only argument, `value`. Not remembered. */
export const acceptedValue = (schema: unknown, dialect: Dialect): Accepted => accept(schema, dialect, inValue);

const inValue = ({ schema, defs }: Normal): Normal => ({
  schema: { type: "object", properties: { value: schema }, required: ["value"], additionalProperties: false },
  defs,
});

function accept(schema: unknown, dialect: Dialect, within = (normal: Normal): Normal => normal): Accepted {
  const found = refusing(() => normalOf(schema));
  if ("keyword" in found) return { refused: found };
  const normal = within(found);
  const made = refusing(() => shown(normal, dialect));
  return "keyword" in made ? { refused: made } : made;
}

/** Runs one step; whatever it throws is why there is no schema. */
function refusing<T extends object>(make: () => T): T | Refusal {
  try {
    return make();
  } catch (thrown) {
    if (thrown instanceof Refused) return thrown.refusal;
    return { keyword: "$schema", path: "#", reason: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

function normalOf(schema: unknown): Normal | Refusal {
  if (typeof schema !== "object" || schema === null) return refusing(() => normalise(notObject(schema)));
  let normal = normals.get(schema);
  if (normal === undefined) {
    normal = refusing(() => normalise(notObject(plainJson(schema))));
    normals.set(schema, normal);
  }
  return normal;
}

function notObject(schema: unknown): JsonObject {
  if (isObject(schema)) return schema;
  throw new Refused("type", undefined, "is no schema of an object");
}

function shown({ schema, defs }: Normal, dialect: Dialect): Accepted {
  const work: Show = { dialect, defs, used: new Set(), losses: 0, schemas: 0 };
  const root = showKeywords(rootOf(schema, defs), { root: true, path: undefined, depth: 0, within: [] }, work);
  if (root === false) throw new Refused("required", undefined, "a field that is required can have no value");
  const named = withNames(root, dialect);
  const $defs = definitions(work);
  const { description, ...rest } = named;
  const takes = dialect.root.has("description");
  const whole = fieldsOf([
    ["type", "object"],
    ["description", takes ? description : undefined],
    ["properties", {}],
    ...Object.entries(rest),
    ["$defs", $defs],
  ]);
  return takes || typeof description !== "string" ? { schema: whole } : { schema: whole, note: description };
}

/** Definitions that are referred to, and those to which they refer. */
function definitions(work: Show): JsonObject | undefined {
  const made = new Map<string, Json>();
  for (const name of work.used) {
    const definition = (work.defs.get(name) ?? true) as Node;
    // A set that grows while it is walked through is walked to its end.
    made.set(
      name,
      show(definition, { path: inPath(undefined, "$defs", name), depth: 1, within: [] }, work) ||
        anything(work.dialect),
    );
  }
  return made.size === 0 ? undefined : fieldsOf(made);
}

/** Without arguments whose names the dialect does not take: they are told of, unless they have to be there. */
function withNames(root: Keywords, { names }: Dialect): Keywords {
  const properties = isObject(root.properties) ? root.properties : {};
  const bad = names === undefined ? [] : Object.keys(properties).filter((name) => !names.test(name));
  if (bad.length === 0) return root;
  const needed = isList(root.required)
    ? bad.find((name) => (root.required as readonly Json[]).includes(name))
    : undefined;
  if (needed !== undefined) {
    throw new Refused("properties", inPath(undefined, "properties", needed), `the name has to match ${names?.source}`);
  }
  const notes = bad.map(
    (name) => `Also takes the argument ${JSON.stringify(name)}: ${JSON.stringify(properties[name])}.`,
  );
  return fieldsOf([
    ...Object.entries(root),
    ["properties", fieldsOf(Object.entries(properties).filter(([name]) => !bad.includes(name)))],
    ["additionalProperties", undefined],
    ["description", described(root.description, notes)],
  ]);
}
