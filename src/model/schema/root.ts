import { canonicalJson, type Json } from "../../message/json.ts";
import { merge } from "./merge.ts";
import {
  annotations,
  fieldsOf,
  isList,
  isObject,
  type Keywords,
  type Node,
  noted,
  only,
  ownField,
  typesOf,
  valuesOf,
  without,
} from "./node.ts";
import { Refused } from "./refused.ts";
import { inWords } from "./words.ts";

/**
 * The schema of arguments as one object, as they are always one: no union, no list of values. Of alternatives it has the
 * fields of all, as each of them names them, and requires what all require.
 *
 * @throws Refused where arguments can be no object
 */
export function rootOf(node: Node, defs: ReadonlyMap<string, Node>, seen: readonly string[] = []): Keywords {
  if (node === true) return { type: "object" };
  if (node === false) throw new Refused("not", undefined, "nothing fits it");
  const types = typesOf(node);
  if (types !== undefined && !types.includes("object")) {
    if (types.includes("null")) return { type: "object" };
    throw new Refused("type", undefined, `says ${types.join(", ")}, and arguments are always an object`);
  }
  if (typeof node.$ref === "string") {
    const name = node.$ref.slice("#/$defs/".length);
    if (seen.includes(name)) throw new Refused("$ref", undefined, "leads back to itself");
    const definition = defs.get(name) ?? true;
    const told = isObject(definition) ? { ...definition, ...only(node, annotations) } : definition;
    return rootOf(told, defs, [...seen, name]);
  }
  const { anyOf, oneOf, ...base } = node;
  const rootHere = (branch: Node) => rootOf(branch, defs, seen);
  if (isList(anyOf))
    return alternatives("anyOf", anyOf as readonly Node[], oneOf === undefined ? base : { ...base, oneOf }, rootHere);
  if (isList(oneOf)) return alternatives("oneOf", oneOf as readonly Node[], base, rootHere);
  const values = valuesOf(base);
  const object = { ...without(base, "enum", "const"), type: "object" };
  return values === undefined ? object : (noted(object, inWords("enum", values)) as Keywords);
}

function alternatives(
  keyword: string,
  branches: readonly Node[],
  base: Keywords,
  rootHere: (branch: Node) => Keywords,
): Keywords {
  const whole = branches
    .map((branch) => merge({ ...base, type: "object" }, branch, () => {}))
    .filter((branch) => branch !== false);
  const objects = whole.map(rootHere);
  const [first] = objects;
  if (first === undefined) throw new Refused(keyword, undefined, "no alternative is an object");
  if (objects.length === 1) return first;
  const told = { ...without(base, "$notes"), ...onlyNotes(base) };
  return noted(
    { ...objectOfAny(objects, told), type: "object" },
    `Takes one of these forms: ${objects.map(inShort).join("; ")}.`,
  ) as Keywords;
}

const onlyNotes = (base: Keywords) => fieldsOf([["$notes", base.$notes]]);

/** An object of any of these shapes. */
function objectOfAny(objects: readonly Keywords[], base: Keywords): Keywords {
  const names = new Set(objects.flatMap((object) => Object.keys(object.properties ?? {})));
  const requireds = objects.map(({ required }) => (isList(required) ? required : []));
  const required = (requireds[0] ?? []).filter((name) => requireds.every((list) => list.includes(name)));
  return fieldsOf([
    ...Object.entries(without(base, "type", "properties", "required", "additionalProperties", "patternProperties")),
    ["properties", fieldsOf([...names].map((name) => [name, fieldOfAny(objects, name)]))],
    ["required", required.length > 0 ? required : undefined],
    ["additionalProperties", othersOfAny(objects)],
  ]);
}

function fieldOfAny(objects: readonly Keywords[], name: string): Json {
  const fields = objects.flatMap(({ properties, additionalProperties }) => {
    const own = ownField(properties, name) ?? (isObject(additionalProperties) ? additionalProperties : undefined);
    return own === undefined || own === false ? [] : [own];
  });
  const different = [...new Map(fields.map((field) => [canonicalJson(field), field])).values()];
  const [first] = different;
  if (different.length <= 1) return first ?? false;
  const values = different.map((field) => (isObject(field) ? valuesOf(field) : undefined));
  if (
    values.every((list) => list !== undefined) &&
    different.every((field) => Object.keys(field).every((key) => /^(type|enum|const|title|description)$/.test(key)))
  ) {
    const types = [...new Set(different.flatMap((field) => typesOf(field as Keywords) ?? []))];
    const one = { ...without(first as Keywords, "const", "type"), enum: values.flat() as Json[] };
    return types.length === 1 ? { type: types[0] as string, ...one } : one;
  }
  return { anyOf: different };
}

function othersOfAny(objects: readonly Keywords[]): Json | undefined {
  if (objects.some(({ patternProperties }) => patternProperties !== undefined)) return undefined;
  const others = objects.map(({ additionalProperties }) => additionalProperties);
  if (others.every((one) => one === false)) return false;
  if (!others.every((one) => one !== undefined && one !== true)) return undefined;
  return { anyOf: others.filter((one) => one !== false) as Json[] };
}

/** One alternative: its constant fields, and what it needs. */
function inShort({ properties = {}, required }: Keywords): string {
  const consts = Object.entries(properties as Keywords).flatMap(([name, field]) => {
    const values = isObject(field) ? valuesOf(field) : undefined;
    return values?.length === 1 ? [`${name} ${JSON.stringify(values[0])}`] : [];
  });
  const needs = (isList(required) ? (required as string[]) : []).filter(
    (name) => !consts.some((text) => text.startsWith(`${name} `)),
  );
  const parts = [...consts, ...(needs.length > 0 ? [`with ${needs.join(", ")}`] : [])];
  return parts.join(" ") || "anything";
}
