import type { JSONSchema7, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { Json, JsonObject } from "../../message/json.ts";
import type { JsonSchema } from "../model.ts";

/** The tool through which a model hands in its structured result; the user never sees it. */
export type Submission = {
  readonly tool: LanguageModelV4FunctionTool;
  /** The user's tools, then this one. The same array for the same tools. */
  readonly tools: LanguageModelV4FunctionTool[];
  /** Arguments are always an object, so a result of another type stands in `value`. */
  readonly wrapped: boolean;
};

const description =
  "Hands in the final result. Call this exactly once, alone, when all work is done: what you give here is your final reply, and nothing can be done behind it.";

/** Makes submission tools, once for the same schema and tools, so that the declared tools of a run are byte-stable. */
export function submissionMaker(): (schema: JsonSchema, tools: LanguageModelV4FunctionTool[]) => Submission {
  const made = new WeakMap<JsonSchema, { readonly user: readonly unknown[]; readonly submission: Submission }>();
  return (schema, user) => {
    const known = made.get(schema);
    if (known?.user === user) return known.submission;
    const wrapped = schema.type !== "object";
    const name = freeName(user);
    const before = known?.submission.tool;
    const tool: LanguageModelV4FunctionTool =
      before?.name === name
        ? before
        : { type: "function", name, description, inputSchema: (wrapped ? inValue(schema) : schema) as JSONSchema7 };
    const submission = { tool, tools: [...user, tool], wrapped };
    made.set(schema, { user, submission });
    return submission;
  };
}

function freeName(tools: readonly LanguageModelV4FunctionTool[]): string {
  const taken = new Set(tools.map((tool) => tool.name));
  let name = "final_output";
  for (let at = 2; taken.has(name); at++) name = `final_output_${at}`;
  return name;
}

/** The schema of an object that holds the value; what is referred to from inside is still found. */
function inValue(schema: JsonSchema): JsonSchema {
  const { $schema, $defs, definitions, ...own } = schema;
  return {
    ...($schema === undefined ? undefined : { $schema }),
    type: "object",
    properties: { value: moved(own) },
    required: ["value"],
    additionalProperties: false,
    ...($defs === undefined ? undefined : { $defs: moved($defs) }),
    ...(definitions === undefined ? undefined : { definitions: moved(definitions) }),
  };
}

const data = new Set(["const", "enum", "default", "examples"]);

/** References to the root and into it now begin at the value; definitions stayed where they were. */
function moved(schema: Json | undefined): Json | undefined {
  if (Array.isArray(schema)) return schema.map((one) => moved(one) as Json);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema as JsonObject).map(([key, value]) => {
      if (key === "$ref" && typeof value === "string" && /^#(?!\/(\$defs|definitions)\/)(\/|$)/.test(value)) {
        return [key, `#/properties/value${value.slice(1)}`];
      }
      return [key, data.has(key) ? value : moved(value)];
    }),
  );
}

/** The result that these arguments hold, as text; what there is of it when they are cut or broken. */
export function submittedText({ wrapped }: Submission, input: string): string {
  if (!wrapped) return input;
  try {
    const given: unknown = JSON.parse(input);
    const holds = typeof given === "object" && given !== null && Object.hasOwn(given, "value");
    return holds ? JSON.stringify((given as { value: unknown }).value) : input;
  } catch {
    return input.replace(/^\s*\{\s*("value"\s*:\s*)?/, "");
  }
}
