import type { JsonSchema } from "../model/model.ts";
import { inside, schemaKeywords } from "../model/schema/inside.ts";
import { isRecord, typeNames } from "./schema-types.ts";

/** What tells a schema from any other object; words that only annotate (`title`, `description`) do not. */
const keywords = new Set<string>([
  ...schemaKeywords,
  ...["type", "enum", "const", "required", "minProperties", "maxProperties"],
  ...["dependentRequired", "dependencies"],
]);

function regexProblem(pattern: unknown): string | undefined {
  if (typeof pattern !== "string") return "must be a text";
  try {
    new RegExp(pattern, "u");
    return undefined;
  } catch (error) {
    return `is no regular expression (${(error as Error).message})`;
  }
}

function typeProblem(type: unknown): string | undefined {
  for (const name of Array.isArray(type) ? type : [type]) {
    if (!typeNames.includes(name as string)) return `${JSON.stringify(name)} is none of ${typeNames.join(", ")}`;
  }
  return undefined;
}

function ownProblem(schema: JsonSchema, at: string): string | undefined {
  const { type, required, pattern, $ref } = schema;
  if (type !== undefined) {
    const problem = typeProblem(type);
    if (problem !== undefined) return `${at}/type: ${problem}`;
  }
  if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === "string"))) {
    return `${at}/required: must be an array of names, on the object that holds them`;
  }
  if (schema.enum !== undefined && !Array.isArray(schema.enum)) return `${at}/enum: must be an array`;
  if ($ref !== undefined && typeof $ref !== "string") return `${at}/$ref: must be a text`;
  if (pattern !== undefined) {
    const problem = regexProblem(pattern);
    if (problem !== undefined) return `${at}/pattern: ${problem}`;
  }
  return undefined;
}

/** True if an object holds at least one keyword of JSON Schema, or nothing at all. */
export function looksLikeSchema(schema: JsonSchema): boolean {
  const keys = Object.keys(schema);
  return keys.length === 0 || keys.some((key) => key.startsWith("$") || keywords.has(key));
}

/** What makes an object no JSON Schema, with its place; undefined if it is one. References are not followed. */
export function schemaProblem(schema: JsonSchema): string | undefined {
  if (!looksLikeSchema(schema)) {
    return 'it has no keyword of JSON Schema; write { type: "object", properties: { … } }';
  }
  const open: (readonly [string, unknown])[] = [["#", schema]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [at, node] = next;
    if (typeof node === "boolean") continue;
    if (!isRecord(node)) return `${at}: must be a schema (an object or a boolean)`;
    const problem = ownProblem(node as JsonSchema, at);
    if (problem !== undefined) return problem;
    for (const pattern of Object.keys(isRecord(node.patternProperties) ? node.patternProperties : {})) {
      const wrong = regexProblem(pattern);
      if (wrong !== undefined) return `${at}/patternProperties/${pattern}: ${wrong}`;
    }
    open.push(...inside(node as JsonSchema, at));
  }
  return undefined;
}
