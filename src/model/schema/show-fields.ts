import type { Json, JsonObject } from "../../message/json.ts";
import { fieldsOf, isList, isObject, isOpen, type Keywords, type Node } from "./node.ts";
import { inPath, Refused } from "./refused.ts";
import { type At, below, type Show, show } from "./show.ts";
import type { Shown } from "./show-keywords.ts";
import { inWords } from "./words.ts";

/** What is in an object; false if a field that it has to have cannot be. `typed`: the schema says that it is one. */
export function showFields(node: Keywords, typed: boolean, at: At, work: Show): Shown | false {
  const required = (isList(node.required) ? node.required : []) as readonly string[];
  const fields = new Map<string, JsonObject>();
  for (const [name, field] of Object.entries(isObject(node.properties) ? node.properties : {})) {
    const shown = show(field as Node, below(at, "properties", name), work);
    if (shown !== false) fields.set(name, shown);
    else if (required.includes(name)) return impossible(name, at);
  }
  const others = othersOf(node, work);
  // A name that is required and not declared is refused by some.
  for (const name of required.filter((name) => !fields.has(name))) {
    const shown = show(node.patternProperties === undefined ? others : true, below(at, "properties", name), work);
    if (shown === false) return impossible(name, at);
    if (typed || node.properties !== undefined) fields.set(name, shown);
  }
  const notes: string[] = [];
  return {
    fields: {
      properties: fields.size > 0 || node.properties !== undefined ? fieldsOf(fields) : undefined,
      required: required.length > 0 ? required : undefined,
      additionalProperties: isFreeForm(node, typed, at, work) || showOthers(others, notes, at, work),
    },
    notes: [...patternNotes(node), ...notes],
  };
}

/** Inside, another alternative may still fit; the arguments themselves are then no arguments. */
function impossible(name: string, { root, path }: At): false {
  if (root) throw new Refused("required", inPath(path, "properties", name), "has to be there, and nothing fits it");
  return false;
}

/** What fields have to fit that are not declared, whatever pattern their names may match. */
function othersOf(node: Keywords, work: Show): Node {
  const rest = (node.additionalProperties ?? true) as Node;
  if (!isObject(node.patternProperties)) return rest;
  work.losses += 1;
  const all = [...(Object.values(node.patternProperties) as Node[]), rest].filter((one) => one !== false);
  if (all.some(isOpen)) return true;
  const [first = false] = all;
  return all.length <= 1 ? first : ({ anyOf: all } as Keywords);
}

const patternNotes = ({ patternProperties }: Keywords): readonly string[] =>
  isObject(patternProperties)
    ? Object.keys(patternProperties).map((pattern) => `Field names may match ${pattern} .`)
    : [];

/** Whether the schema is of an object of any fields, where that has to be said. An object that declares some, and says nothing of others, means those. */
function isFreeForm(node: Keywords, typed: boolean, { root }: At, { dialect }: Show): boolean {
  const { properties, required, additionalProperties: others, patternProperties } = node;
  if (!dialect.closedObjects || !typed || patternProperties !== undefined) return false;
  if (others !== undefined) return isOpen(others as Node);
  return !root && properties === undefined && required === undefined;
}

function showOthers(others: Node, notes: string[], at: At, work: Show): Json | undefined {
  if (others === true || (isObject(others) && Object.keys(others).length === 0)) return undefined;
  const shown = show(others, below(at, "additionalProperties"), work);
  if (shown === false && work.dialect.closedObjects) {
    work.losses += 1;
    return undefined;
  }
  if ((at.root ? work.dialect.root : work.dialect.keywords).has("additionalProperties")) return shown;
  work.losses += 1;
  if (shown !== false)
    notes.push(
      inWords("additionalProperties", shown)
        .replace('Has to fit {"additionalProperties":', "Other fields fit ")
        .replace(/\}\.$/, "."),
    );
  return undefined;
}
