import type { Json, JsonObject } from "../../message/json.ts";
import type { Dialect } from "./dialect.ts";
import { families, isList, type Keywords, type Node, notesOf, typesOf, valuesOf } from "./node.ts";
import { type At, below, type Show, show } from "./show.ts";
import { showFields } from "./show-fields.ts";
import { showItems } from "./show-items.ts";
import { showValues } from "./show-values.ts";
import { described, inWords } from "./words.ts";

/** What comes of some keywords: shown ones, and what is told of the others. */
export type Shown = { readonly fields: Record<string, Json | undefined>; readonly notes: readonly string[] };

const byParts = new Set([
  ...["type", "enum", "const", "properties", "required", "additionalProperties", "patternProperties"],
  ...["items", "prefixItems", "title", "description", "default", "examples", "$notes"],
  ...["minContains", "maxContains", "then", "else"],
]);

/**
 * Shows a schema keyword by keyword; false if nothing can fit it. What the dialect does not take is told in the
 * description, which is there at the root even if the dialect has none there.
 */
export function showKeywords(node: Keywords, at: At, work: Show): JsonObject | false {
  const allowed = at.root ? work.dialect.root : work.dialect.keywords;
  const types = typesOf(node);
  const parts: Shown[] = [];
  if (types !== undefined) parts.push({ fields: { type: node.type }, notes: [] });
  if (valuesOf(node) !== undefined) parts.push(showValues(node, work, allowed));
  for (const [keyword, value] of Object.entries(node)) {
    if (byParts.has(keyword) || value === undefined || (types !== undefined && isForeign(keyword, types))) continue;
    const own = showOne(keyword, value, node, at, work, allowed);
    const exact = own !== undefined && !("note" in own);
    if (!exact) work.losses += 1;
    parts.push({ fields: own?.fields ?? {}, notes: exact ? [] : [inWords(keyword, value)] });
  }
  if (types?.includes("array") !== false) parts.push(showItems(node, types !== undefined, at, work));
  if (types?.includes("object") !== false) {
    const fields = showFields(node, types !== undefined, at, work);
    if (fields !== false) parts.push(fields);
    else if (types?.length === 1) return false;
    else parts.push(noObject(types, work));
  }
  const fields = Object.assign({}, ...parts.map((part) => clean(part.fields)));
  return annotated(
    fields,
    node,
    parts.flatMap(({ notes }) => notes),
    allowed,
  );
}

/** What is shown of a schema, with what the schema says about itself. */
export function annotated(
  shown: JsonObject,
  node: Keywords,
  notes: readonly string[],
  allowed: ReadonlySet<string>,
): JsonObject {
  const { title, examples } = node;
  const told = [...notesOf(node), ...notes];
  if (node.default !== undefined && !allowed.has("default")) told.push(inWords("default", node.default));
  if (isList(examples) && examples.length > 0 && !allowed.has("examples")) told.push(inWords("examples", examples));
  return clean({
    ...shown,
    title: allowed.has("title") ? title : undefined,
    default: allowed.has("default") ? node.default : undefined,
    examples: allowed.has("examples") ? examples : undefined,
    description: described(node.description ?? shown.description, told),
  });
}

/** No object can fit, but what is none may. */
function noObject(types: readonly string[] | undefined, work: Show): Shown {
  if (types === undefined) work.losses += 1;
  const others = types?.filter((type) => type !== "object");
  return { fields: { type: others }, notes: others === undefined ? ["No object."] : [] };
}

const isForeign = (keyword: string, types: readonly string[]): boolean => {
  const family = Object.keys(families).find((type) => families[type]?.includes(keyword));
  return family !== undefined && !types.includes(family) && !(family === "number" && types.includes("integer"));
};

const clean = (fields: Record<string, Json | undefined>): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

type Fields = Record<string, Json | undefined>;
/** With `note`: the keyword is told as well, as its fields are looser. */
type Own = { readonly fields: Fields; readonly note?: true };

/** One keyword as the dialect takes it; undefined: not at all. */
function showOne(
  keyword: string,
  value: Json,
  node: Keywords,
  at: At,
  work: Show,
  allowed: ReadonlySet<string>,
): Own | undefined {
  if (keyword === "exclusiveMinimum" || keyword === "exclusiveMaximum") {
    return showExclusive(keyword, value as number, node, allowed);
  }
  if (!allowed.has(keyword) || !takes(keyword, value, work.dialect)) return undefined;
  const parts: { readonly [keyword: string]: (() => Fields | undefined) | undefined } = {
    anyOf: () => ({ anyOf: shownList(value, keyword, at, work) }),
    oneOf: () => showOneOf(value, at, work, allowed),
    not: () =>
      exactly(
        work,
        () => shownOf(value as Node, at, work, keyword),
        (not) => ({ not }),
      ),
    if: () => showIf(node, at, work),
    contains: () => showContains(node, at, work),
    propertyNames: () => ({ propertyNames: shownOf(value as Node, at, work, keyword) }),
    dependentSchemas: () => ({ dependentSchemas: shownMap(value, keyword, at, work) }),
  };
  const show = parts[keyword];
  if (show === undefined) return { fields: { [keyword]: value } };
  const fields = show();
  return fields && { fields };
}

/** Whether a dialect that has a keyword takes this value of it. */
function takes(keyword: string, value: Json, { formats, count = Infinity }: Dialect): boolean {
  if (keyword === "format") return formats === "any" || formats.has(value as string);
  if (keyword === "pattern") return !notEverywhere.test(value as string);
  return !/^(min|max)(Length|Items)$/.test(keyword) || (value as number) <= count;
}

/** Groups that look around and classes of Unicode are no part of what a grammar can hold, or only some engines know them. */
const notEverywhere = /\(\?|\\[pPkb]/;

const nothing: JsonObject = { not: {} };

const shownOf = (node: Node, at: At, work: Show, ...keys: (string | number)[]): JsonObject =>
  show(node, below(at, ...keys), work) || nothing;

function exactly<T>(work: Show, make: () => T, use: (made: T) => Fields): Fields | undefined {
  const before = work.losses;
  const made = make();
  return work.losses === before ? use(made) : undefined;
}

const shownMap = (nodes: Json, keyword: string, at: At, work: Show): JsonObject =>
  Object.fromEntries(
    Object.entries(nodes as JsonObject).map(([name, one]) => [name, shownOf(one as Node, at, work, keyword, name)]),
  );

const shownList = (nodes: Json, keyword: string, at: At, work: Show): readonly JsonObject[] =>
  (nodes as readonly Node[]).map((node, index) => shownOf(node, at, work, keyword, index));

/** One of several only if each means exactly what it meant: else a value might fit two of them. */
function showOneOf(value: Json, at: At, work: Show, allowed: ReadonlySet<string>): Fields | undefined {
  const before = work.losses;
  const branches = shownList(value, "oneOf", at, work);
  if (work.losses === before) return { oneOf: branches };
  return allowed.has("anyOf") ? { anyOf: branches } : undefined;
}

function showIf(node: Keywords, at: At, work: Show): Fields | undefined {
  const branch = (keyword: string) =>
    node[keyword] === undefined ? undefined : shownOf(node[keyword] as Node, at, work, keyword);
  return exactly(
    work,
    () => shownOf(node.if as Node, at, work, "if"),
    (condition) =>
      Object.fromEntries([["if", condition], ...["then", "else"].map((keyword) => [keyword, branch(keyword)])]),
  );
}

function showContains(node: Keywords, at: At, work: Show): Fields | undefined {
  const { minContains, maxContains } = node;
  const before = work.losses;
  const contains = shownOf(node.contains as Node, at, work, "contains");
  // What is looser is contained more often.
  return { contains, minContains, maxContains: work.losses === before ? maxContains : undefined };
}

/** In other words where the dialect has none for a bound that is out itself: for whole numbers the next one is in. */
function showExclusive(keyword: string, bound: number, node: Keywords, allowed: ReadonlySet<string>): Own | undefined {
  if (allowed.has(keyword)) return { fields: { [keyword]: bound } };
  const low = keyword === "exclusiveMinimum";
  const inclusive = low ? "minimum" : "maximum";
  if (!allowed.has(inclusive)) return undefined;
  const whole = node.type === "integer";
  const next = whole ? (low ? Math.floor(bound) + 1 : Math.ceil(bound) - 1) : bound;
  const other = typeof node[inclusive] === "number" ? node[inclusive] : next;
  const fields = { [inclusive]: low ? Math.max(next, other) : Math.min(next, other) };
  return whole ? { fields } : { fields, note: true };
}
