import type { Json, JsonObject } from "../../message/json.ts";
import type { Draft } from "./draft.ts";
import { fieldsOf, isList, type Keywords, typeNames } from "./node.ts";

const isText = (value: Json): boolean => typeof value === "string";
const isNumber = (value: Json): boolean => typeof value === "number";
const isCount = (value: Json): boolean => typeof value === "number" && value >= 0;
const any = (): boolean => true;

/** Keywords that hold no schemas, and what their values have to be; with another value a keyword says nothing. */
const plain: { readonly [keyword: string]: (value: Json) => boolean } = {
  title: isText,
  description: isText,
  default: any,
  examples: isList,
  const: any,
  enum: isList,
  minLength: isCount,
  maxLength: isCount,
  pattern: isText,
  format: isText,
  // Which every number that a model can write keeps; some libraries say so of each integer.
  minimum: (value) => isNumber(value) && value !== Number.MIN_SAFE_INTEGER,
  maximum: (value) => isNumber(value) && value !== Number.MAX_SAFE_INTEGER,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => typeof value === "number" && value > 0,
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: (value) => value === true,
  minContains: isCount,
  maxContains: isCount,
  minProperties: isCount,
  maxProperties: isCount,
};

/** The keywords of a schema that hold no schemas, in words of draft 2020-12. */
export function plainKeywords(schema: JsonObject, draft: Draft): Keywords {
  const entries = Object.entries(schema).filter(
    ([key, value]) => Object.hasOwn(plain, key) && value !== undefined && plain[key]?.(value),
  );
  return fieldsOf([...typeEntry(schema), ...entries, ...exclusives(schema, draft), ...requiredEntry(schema)]);
}

function typeEntry({ type }: JsonObject): [string, Json][] {
  const types = (isList(type) ? type : [type]).filter((name) => typeNames.includes(name as string)) as string[];
  if (types.length === 0) return [];
  return [["type", types.length === 1 ? (types[0] as string) : [...new Set(types)]]];
}

/** In draft 4 a boolean said whether the bound itself is out, and a number said nothing. */
function exclusives(schema: JsonObject, draft: Draft): [string, Json | undefined][] {
  const entries: [string, Json | undefined][] = [];
  for (const [flag, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (schema[flag] === true && isNumber(schema[bound] ?? null))
      entries.push([flag, schema[bound]], [bound, undefined]);
    else if (draft === "4") entries.push([flag, undefined]);
  }
  return entries;
}

function requiredEntry({ required }: JsonObject): [string, Json][] {
  const names = isList(required) ? required.filter((name) => typeof name === "string") : [];
  return names.length === 0 ? [] : [["required", [...new Set(names)]]];
}
