import type { JsonSchema } from "../../model/model.ts";
import type { MenuTool } from "../entry.ts";
import { isRecord } from "../schema-types.ts";

type Shown = { readonly name: string; readonly description: string; readonly parameters: JsonSchema };

/** Characters of a description, names in one schema and values of an `enum` that a shortened one keeps. */
const briefly = { description: 200, fields: 100, values: 20 };

/** The upper part of a schema: below so many levels only types are left, and long lists and descriptions are cut. */
function upperPart(schema: unknown, levels: number): unknown {
  if (!isRecord(schema)) return schema;
  const { type, description, required, properties, items } = schema;
  const values = Array.isArray(schema.enum) ? schema.enum.slice(0, briefly.values) : undefined;
  const whole = isRecord(properties) && levels > 0 ? Object.entries(properties).slice(0, briefly.fields) : undefined;
  return {
    ...(type !== undefined && { type }),
    ...(typeof description === "string" && { description: clipped(description, briefly.description) }),
    ...(values && JSON.stringify(values).length <= 2 * briefly.description && { enum: values }),
    ...(whole && { properties: Object.fromEntries(whole.map(([name, one]) => [name, upperPart(one, levels - 1)])) }),
    ...(whole && Array.isArray(required) && { required: required.slice(0, briefly.fields) }),
    ...(items !== undefined && levels > 0 && { items: upperPart(items, levels - 1) }),
  };
}

const clipped = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most)}…`);

/** A tool's declaration as a line that is no longer than `most` characters if that can be done with its schema in JSON. */
function line({ declaration }: MenuTool, most: number): string {
  const { name, description, parameters } = declaration;
  const whole = JSON.stringify({ name, description, parameters } satisfies Shown);
  if (whole.length <= most) return whole;
  const note = "shortened, as it is very long";
  for (const levels of [6, 4, 3, 2, 1]) {
    const upper = upperPart(parameters, levels);
    const text = JSON.stringify({ name, description: clipped(description, most / 4), note, parameters: upper });
    if (text.length <= most) return text;
  }
  const names = isRecord(parameters.properties) ? Object.keys(parameters.properties).join(", ") : "";
  return JSON.stringify({ name, note, arguments: clipped(names, most / 2) });
}

/** Characters that the words around the lines may take. */
const around = 200;

/**
 * Schemas as the model reads them, one tool a line, in about `most` characters together: what small ones leave of their
 * share is for the large ones, which are shortened, so that none hides the others.
 */
export function described(tools: readonly MenuTool[], most: number): string {
  const sizes = tools.map(({ declaration }) => JSON.stringify(declaration).length).sort((a, b) => a - b);
  let left = Math.max(0, most - around);
  let share = Number.POSITIVE_INFINITY;
  for (const [at, size] of sizes.entries()) {
    const even = Math.floor(left / (sizes.length - at));
    if (size > even) {
      share = even;
      break;
    }
    left -= size + 1;
  }
  const lines = tools.map((tool) => line(tool, share));
  return ["Call one with call_tool({ name, arguments }), its arguments as its parameters say:", ...lines].join("\n");
}
