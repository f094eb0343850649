import type { Json, JsonObject } from "../../message/json.ts";
import { type Draft, draftOf } from "./draft.ts";
import { plainKeywords } from "./keywords.ts";
import { merge } from "./merge.ts";
import {
  annotations,
  fieldsOf,
  isList,
  isObject,
  isOpen,
  type Keywords,
  type Node,
  noted,
  only,
  typesOf,
  without,
} from "./node.ts";
import { nameOf, type References, referencesOf } from "./refs.ts";
import { inPath, type Path, Refused } from "./refused.ts";
import { inWords } from "./words.ts";

/** A schema in one form, whatever draft it was written in, and what its references still lead to. */
export type Normal = { readonly schema: Node; readonly defs: ReadonlyMap<string, Node> };

type Place = { readonly path: Path | undefined; readonly depth: number };

type Work = {
  readonly draft: Draft;
  readonly references: References;
  /** Names of the schemas that hold themselves. */
  readonly recurring: Map<Json, string>;
  /** What was made of the others that are referred to, and what was lost in it. */
  readonly made: Map<Json, { readonly node: Node; readonly losses: number }>;
  /** How often something could not be kept. */
  losses: number;
  schemas: number;
};

/** Deeper, and beyond so many schemas, nothing is looked at: there everything is let through. */
const maxDepth = 64;
const maxSchemas = 20_000;

/**
 * Brings a schema of drafts 4 to 2020-12 into one form, in which every value that fits the original fits. `root` has to be
 * plain JSON of one's own.
 *
 * @throws Refused for what is no schema, and for a reference that leads nowhere
 */
export function normalise(root: JsonObject): Normal {
  const work: Work = {
    draft: draftOf(root),
    references: referencesOf(root),
    recurring: new Map(),
    made: new Map(),
    losses: 0,
    schemas: 0,
  };
  const schema = normal(root, { path: undefined, depth: 0 }, work);
  const defs = new Map<string, Node>();
  for (let added = true; added; ) {
    added = false;
    for (const [target, name] of [...work.recurring]) {
      if (defs.has(name)) continue;
      const node = normal(target, { path: inPath(undefined, "$defs", name), depth: 1 }, work);
      defs.set(name, isObject(node) && node.$ref !== undefined ? true : node);
      added = true;
    }
  }
  return { schema, defs };
}

function normal(schema: Json, place: Place, work: Work): Node {
  if (typeof schema === "boolean") return schema;
  if (!isObject(schema)) throw new Refused(keywordAt(place.path), place.path, "is no schema");
  if (place.depth > maxDepth || ++work.schemas > maxSchemas) {
    work.losses += 1;
    return true;
  }
  const lost = () => {
    work.losses += 1;
  };
  let node: Node = true;
  const refers = typeof schema.$ref === "string";
  // Up to draft 7 nothing counts beside a reference.
  const alone = refers && (work.draft === "4" || work.draft === "7");
  node = alone ? only(plainKeywords(schema, work.draft), annotations) : keywordsOf(schema, place, work);
  if (refers) node = merge(node, referred(schema, place, work), lost);
  if (alone) return node;
  for (const [at, one] of listOf(schema.allOf).entries())
    node = merge(node, normal(one, inside(place, "allOf", at), work), lost);
  return closed(union(node, lost), schema, place, work);
}

/** The keyword whose value is no schema: the last one on the way there that is a name and no place in a list or map. */
function keywordAt(path: Path | undefined): string {
  const keys = [path?.key, path?.parent?.key].map(String);
  return (
    keys.find((key) => key !== "undefined" && /^[a-z$][A-Za-z]+$/.test(key) && schemaHolders.has(key)) ??
    keys[0] ??
    "$schema"
  );
}

const schemaHolders = new Set([
  ...["properties", "patternProperties", "dependentSchemas", "dependencies", "anyOf", "oneOf", "allOf", "prefixItems"],
  ...[
    "items",
    "additionalProperties",
    "additionalItems",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "$defs",
  ],
]);

const inside = ({ path, depth }: Place, ...keys: (string | number)[]): Place => ({
  path: inPath(path, ...keys),
  depth: depth + 1,
});

const listOf = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);

/** What a reference stands for: the schema itself, or, where that holds itself, a reference to a definition. */
function referred(schema: JsonObject, { path, depth }: Place, work: Work): Node {
  const target = work.references.target(schema, path);
  if (work.references.recurs(target)) {
    const name = work.recurring.get(target) ?? nameOf(String(schema.$ref), work.recurring.values());
    work.recurring.set(target, name);
    return { $ref: `#/$defs/${name}` };
  }
  let made = work.made.get(target);
  if (made === undefined) {
    const before = work.losses;
    const node = normal(target, { path, depth: depth + 1 }, work);
    made = { node, losses: work.losses - before };
    work.made.set(target, made);
  } else work.losses += made.losses;
  return made.node;
}

function keywordsOf(schema: JsonObject, place: Place, work: Work): Node {
  const notes: string[] = [];
  const sub = (keyword: string, ...at: (string | number)[]): Node => {
    const value = at.reduce<Json | undefined>(
      (json, key) => (json as { readonly [key: string]: Json })[key],
      schema[keyword],
    );
    return normal(value as Json, inside(place, keyword, ...at), work);
  };
  const one = (keyword: string) => (schema[keyword] === undefined ? undefined : sub(keyword));
  const list = (keyword: string) =>
    isList(schema[keyword]) ? schema[keyword].map((_, at) => sub(keyword, at)) : undefined;
  const map = (keyword: string, keep = (value: Json): boolean => !isList(value)) => {
    const given = schema[keyword];
    if (given === undefined) return undefined;
    if (!isObject(given)) throw new Refused(keyword, inPath(place.path, keyword), "holds no schemas by name");
    const names = Object.keys(given).filter((name) => keep(given[name] as Json));
    return fieldsOf(names.map((name) => [name, sub(keyword, name)]));
  };
  /** Only if it means exactly the same: what stands here decides the other way round. */
  const exactly = (keyword: string): Node | undefined => {
    if (schema[keyword] === undefined) return undefined;
    const before = work.losses;
    const node = sub(keyword);
    if (work.losses === before) return node;
    notes.push(inWords(keyword, schema[keyword]));
    return undefined;
  };

  const not = exactly("not");
  if (not !== undefined && isOpen(not)) return false;
  const condition = schema.then === undefined && schema.else === undefined ? undefined : exactly("if");
  const { dependencies } = schema;
  const tuple = isList(schema.items);
  const fields = fieldsOf([
    ...Object.entries(plainKeywords(schema, work.draft)),
    ["properties", map("properties")],
    ["patternProperties", map("patternProperties")],
    ["additionalProperties", one("additionalProperties")],
    ["propertyNames", anyText(one("propertyNames"))],
    ["dependentSchemas", { ...map("dependentSchemas"), ...map("dependencies") }],
    [
      "dependentRequired",
      { ...(isObject(schema.dependentRequired) ? schema.dependentRequired : undefined), ...namesOnly(dependencies) },
    ],
    ["prefixItems", tuple ? tupleOf(list("prefixItems"), list("items")) : list("prefixItems")],
    ["items", tuple ? one("additionalItems") : one("items")],
    ["contains", one("contains")],
    ["anyOf", list("anyOf")],
    ["oneOf", list("oneOf")],
    ["not", not === false ? undefined : not],
    ["if", condition],
    ["then", condition === undefined ? undefined : one("then")],
    ["else", condition === undefined ? undefined : one("else")],
    ["$notes", notes.length > 0 ? notes : undefined],
  ]);
  if (notes.length > 0) work.losses += 1;
  return fieldsOf(
    Object.entries(fields).filter(([key, value]) => !/^dependent/.test(key) || Object.keys(value ?? {}).length > 0),
  );
}

/** The older word for a tuple goes on where the newer one ends, should somebody use both. */
const tupleOf = (first: readonly Node[] = [], older: readonly Node[] = []): readonly Node[] => [
  ...first,
  ...older.slice(first.length),
];

/** A rule for names that every name fits says nothing. */
const anyText = (node: Node | undefined): Node | undefined =>
  node !== undefined && (isOpen(node) || isOpen(without(node as Keywords, "type"))) && node !== false && fitsText(node)
    ? undefined
    : node;

const fitsText = (node: Node): boolean => node === true || typesOf(node as Keywords)?.includes("string") !== false;

const namesOnly = (map: Json | undefined): JsonObject | undefined =>
  isObject(map) ? fieldsOf(Object.entries(map).filter(([, value]) => isList(value))) : undefined;

/** Unions without alternatives that say nothing, or everything. */
function union(node: Node, lost: () => void): Node {
  if (typeof node === "boolean") return node;
  let result: Node = node;
  for (const keyword of ["anyOf", "oneOf"] as const) {
    if (typeof result === "boolean" || !isList(result[keyword])) continue;
    const branches: readonly Node[] = (result[keyword] as readonly Node[]).filter((branch) => branch !== false);
    if (branches.length === 0) return false;
    const rest: Keywords = fieldsOf(Object.entries(result).filter(([key]) => key !== keyword));
    if (branches.length === 1) result = merge(rest, branches[0] as Node, lost);
    else if (keyword === "anyOf" && branches.some((branch) => branch === true)) result = rest;
    else result = { ...rest, [keyword]: branches };
  }
  return result;
}

const applicators = ["anyOf", "oneOf", "if", "dependentSchemas", "$ref", "contains"];

/** What is said about all that nothing else spoke about, where it is clear what that is. */
function closed(node: Node, schema: JsonObject, place: Place, work: Work): Node {
  const { unevaluatedProperties, unevaluatedItems } = schema;
  if (typeof node === "boolean" || (unevaluatedProperties === undefined && unevaluatedItems === undefined)) return node;
  if (applicators.some((keyword) => node[keyword] !== undefined)) {
    work.losses += 1;
    const shut = [
      unevaluatedProperties === false && "No other fields.",
      unevaluatedItems === false && "No other items.",
    ];
    return noted(node, ...shut.filter((note) => note !== false));
  }
  const rest = (keyword: string) => normal(schema[keyword] as Json, inside(place, keyword), work);
  return {
    ...node,
    ...(unevaluatedProperties === undefined || node.additionalProperties !== undefined
      ? undefined
      : { additionalProperties: rest("unevaluatedProperties") }),
    ...(unevaluatedItems === undefined || node.items !== undefined ? undefined : { items: rest("unevaluatedItems") }),
  };
}
