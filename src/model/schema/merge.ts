import { canonicalJson, type Json } from "../../message/json.ts";
import { mergeArrays, mergeObjects } from "./merge-parts.ts";
import { fieldsOf, fits, isOpen, type Keywords, type Node, notesOf, typesOf, valuesOf } from "./node.ts";
import { inWords } from "./words.ts";

/** Called for everything that a result no longer says. */
export type Lose = (note: string) => void;

export type Merge = (a: Node, b: Node) => Node;

const largest = Math.max;
const smallest = Math.min;
const bounds: { readonly [keyword: string]: (a: number, b: number) => number } = {
  minimum: largest,
  exclusiveMinimum: largest,
  minLength: largest,
  minItems: largest,
  minProperties: largest,
  maximum: smallest,
  exclusiveMaximum: smallest,
  maxLength: smallest,
  maxItems: smallest,
  maxProperties: smallest,
};

/** Keywords that mean nothing without each other. */
const groups = [
  ["if", "then", "else"],
  ["contains", "minContains", "maxContains"],
];

/** How many alternatives two unions may come to together. */
const mostAlternatives = 16;

/**
 * What fits both schemas, as one schema; false if nothing can. Never less than that: what cannot be said in one schema is
 * left out of it, and told in its notes and to `lost`.
 */
export function merge(a: Node, b: Node, lost: () => void): Node {
  if (a === false || b === false) return false;
  if (typeof a === "boolean") return b;
  if (typeof b === "boolean") return a;
  const notes: string[] = [...notesOf(a), ...notesOf(b)];
  const lose: Lose = (note) => {
    lost();
    notes.push(note);
  };
  const both: Merge = (x, y) => merge(x, y, lost);
  const merged = mergeKeywords(a, b, both, lose);
  return merged === false
    ? false
    : fieldsOf([...Object.entries(merged), ["$notes", notes.length > 0 ? notes : undefined]]);
}

function mergeKeywords(a: Keywords, b: Keywords, both: Merge, lose: Lose): Keywords | false {
  const annotated = { ...b, ...a };
  if (a.$ref !== undefined || b.$ref !== undefined) {
    if (isOpen(a) || isOpen(b)) return annotated;
    lose("Further rules hold.");
    return a.$ref === undefined ? { ...a } : { ...b };
  }
  const values = mergeValues(a, b);
  const types = mergeTypes(a, b);
  if (values?.length === 0 || types?.length === 0) return false;

  const result: Record<string, Json | undefined> = {
    ...annotated,
    ...mergeObjects(a, b, both, lose),
    ...mergeArrays(a, b, both),
  };
  if (types !== undefined) result.type = types.length === 1 ? types[0] : types;
  if (values !== undefined) {
    delete result.const;
    result.enum = values;
  }
  for (const [keyword, pick] of Object.entries(bounds)) {
    if (typeof a[keyword] === "number" && typeof b[keyword] === "number")
      result[keyword] = pick(a[keyword], b[keyword]);
  }
  result.multipleOf = mergeMultiples(a, b, lose);
  for (const keyword of ["pattern", "format", "not", "oneOf"])
    if (differ(a, b, keyword)) lose(inWords(keyword, b[keyword] ?? null));
  for (const group of groups) mergeGroup(group, a, b, result, lose);
  result.anyOf = mergeUnions(a, b, both, lose);
  return isList(result.anyOf) && result.anyOf.length === 0 ? false : result;
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

const differ = (a: Keywords, b: Keywords, keyword: string): boolean =>
  a[keyword] !== undefined && b[keyword] !== undefined && canonicalJson(a[keyword]) !== canonicalJson(b[keyword]);

function mergeTypes(a: Keywords, b: Keywords): readonly string[] | undefined {
  const [one, other] = [typesOf(a), typesOf(b)];
  if (one === undefined || other === undefined) return one ?? other;
  const types = [
    ...one.filter((type) => other.some((to) => fits(type, to))),
    ...other.filter((type) => one.some((to) => fits(type, to))),
  ];
  return [...new Set(types)];
}

function mergeValues(a: Keywords, b: Keywords): readonly Json[] | undefined {
  const [one, other] = [valuesOf(a), valuesOf(b)];
  if (one === undefined || other === undefined) return undefined;
  const known = new Set(other.map(canonicalJson));
  return one.filter((value) => known.has(canonicalJson(value)));
}

function mergeMultiples({ multipleOf: one }: Keywords, { multipleOf: other }: Keywords, lose: Lose): Json | undefined {
  if (typeof one !== "number" || typeof other !== "number") return one ?? other;
  if (one % other === 0) return one;
  if (other % one === 0) return other;
  lose(inWords("multipleOf", other));
  return one;
}

function mergeGroup(
  group: readonly string[],
  a: Keywords,
  b: Keywords,
  result: Record<string, Json | undefined>,
  lose: Lose,
): void {
  const [first = ""] = group;
  if (a[first] === undefined || b[first] === undefined) return;
  // Those of `a` stay, and none of `b` mixes with them.
  for (const keyword of group) result[keyword] = a[keyword];
  if (group.some((keyword) => differ(a, b, keyword) || (a[keyword] === undefined) !== (b[keyword] === undefined))) {
    lose(inWords(first, b[first]));
  }
}

function mergeUnions({ anyOf: one }: Keywords, { anyOf: other }: Keywords, both: Merge, lose: Lose): Json | undefined {
  if (!isList(one) || !isList(other)) return one ?? other;
  if (one.length * other.length > mostAlternatives) {
    lose(inWords("anyOf", other));
    return one;
  }
  const pairs = one.flatMap((x) => other.map((y) => both(x as Node, y as Node)));
  return pairs.filter((pair) => pair !== false);
}
