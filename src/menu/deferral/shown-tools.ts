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

const clipped = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;

const note = "shortened, as it is very long";

const namesIn = ({ properties }: JsonSchema): string =>
  isRecord(properties) ? Object.keys(properties).join(", ") : "";

/** The upper part of a schema, as much as fits into so many characters of JSON; undefined: not even its first level does. */
function fitting(parameters: JsonSchema, most: number): unknown {
  for (const levels of [6, 4, 3, 2, 1]) {
    const upper = upperPart(parameters, levels);
    if (JSON.stringify(upper).length <= most) return upper;
  }
  return undefined;
}

/** A tool's declaration as a line of JSON; of one that is longer than `most` characters, the upper part. */
function line({ declaration }: MenuTool, most: number): string {
  const { name, parameters } = declaration;
  const whole = JSON.stringify({ name, description: declaration.description, parameters } satisfies Shown);
  if (whole.length <= most) return whole;
  const description = clipped(declaration.description, Math.floor(most / 4));
  const upper = fitting(parameters, most - JSON.stringify({ name, description, note }).length - 20);
  if (upper !== undefined) return JSON.stringify({ name, description, note, parameters: upper });
  return JSON.stringify({ name, note, arguments: clipped(namesIn(parameters), Math.floor(most / 2)) });
}

/** Characters of a schema that a message about wrong arguments holds. */
const mostSaid = 8_000;

/** What the parameters of a tool are, for a model that has not been told of it, or has forgotten. */
export function parametersSaid({ declaration: { name, parameters } }: MenuTool): string {
  const whole = JSON.stringify(parameters);
  if (whole.length <= mostSaid) return `The parameters of "${name}": ${whole}`;
  const upper = fitting(parameters, mostSaid);
  const said = upper === undefined ? clipped(namesIn(parameters), mostSaid) : JSON.stringify(upper);
  return `The parameters of "${name}" (${note}): ${said}`;
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
