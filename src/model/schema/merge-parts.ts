import type { Json, JsonObject } from "../../message/json.ts";
import type { Lose, Merge } from "./merge.ts";
import { fieldsOf, isList, isObject, type Keywords, type Node, ownField } from "./node.ts";
import { inWords } from "./words.ts";

/** The keywords about fields of two schemas that hold together. */
export function mergeObjects(a: Keywords, b: Keywords, both: Merge, lose: Lose): Record<string, Json | undefined> {
  return {
    properties: mergeProperties(a, b, both),
    required:
      isList(a.required) && isList(b.required)
        ? [...new Set([...a.required, ...b.required])]
        : (a.required ?? b.required),
    ...mergeOthers(a, b, both, lose),
    propertyNames: mergeIf(a.propertyNames, b.propertyNames, both),
    dependentRequired: mergeMaps(a, b, "dependentRequired", lose),
    dependentSchemas: mergeMaps(a, b, "dependentSchemas", lose),
  };
}

const mergeIf = (a: Json | undefined, b: Json | undefined, both: Merge): Json | undefined =>
  a === undefined || b === undefined ? (a ?? b) : both(a as Node, b as Node);

function mergeProperties(a: Keywords, b: Keywords, both: Merge): JsonObject | undefined {
  if (!isObject(a.properties) && !isObject(b.properties)) return undefined;
  const names = new Set([...Object.keys(a.properties ?? {}), ...Object.keys(b.properties ?? {})]);
  const merged = [...names].map((name) => [name, both(fieldOf(a, name), fieldOf(b, name))] as const);
  return fieldsOf(merged);
}

/** What a schema says of a field; names that only a pattern may know are left to it. */
function fieldOf(node: Keywords, name: string): Node {
  const own = ownField(node.properties, name);
  if (own !== undefined) return own as Node;
  return node.patternProperties === undefined ? ((node.additionalProperties ?? true) as Node) : true;
}

function mergeOthers(a: Keywords, b: Keywords, both: Merge, lose: Lose): Record<string, Json | undefined> {
  const additionalProperties = mergeIf(a.additionalProperties, b.additionalProperties, both);
  if (!isObject(a.patternProperties) || !isObject(b.patternProperties)) {
    return { additionalProperties, patternProperties: a.patternProperties ?? b.patternProperties };
  }
  // A name may fit a pattern of the one and be any other to the other.
  if (additionalProperties !== undefined) lose(inWords("additionalProperties", additionalProperties));
  return { additionalProperties: undefined, patternProperties: mergeMaps(a, b, "patternProperties", lose) };
}

function mergeMaps(a: Keywords, b: Keywords, keyword: string, lose: Lose): JsonObject | undefined {
  const [one, other] = [a[keyword], b[keyword]];
  if (!isObject(one) || !isObject(other)) return (one ?? other) as JsonObject | undefined;
  for (const key of Object.keys(other))
    if (Object.hasOwn(one, key)) lose(inWords(keyword, fieldsOf([[key, other[key]]])));
  return fieldsOf([...Object.entries(other), ...Object.entries(one)]);
}

/** The keywords about items of two schemas that hold together. */
export function mergeArrays(a: Keywords, b: Keywords, both: Merge): Record<string, Json | undefined> {
  const [one, other] = [itemsOf(a), itemsOf(b)];
  const length = Math.max(one.first.length, other.first.length);
  if (length === 0) return { items: mergeIf(a.items, b.items, both) };
  const first = Array.from({ length }, (_, at) => both(one.first[at] ?? one.rest, other.first[at] ?? other.rest));
  const rest = both(one.rest, other.rest);
  return { prefixItems: first, items: rest === true ? undefined : rest };
}

const itemsOf = ({ prefixItems, items = true }: Keywords) => ({
  first: (isList(prefixItems) ? prefixItems : []) as readonly Node[],
  rest: items as Node,
});
