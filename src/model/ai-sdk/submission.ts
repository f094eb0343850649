import type { JSONSchema7, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { JsonSchema } from "../model.ts";
import { acceptedSchema, acceptedValue } from "../schema/accepted.ts";
import type { Dialect } from "../schema/dialect.ts";

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
export function submissionMaker(
  dialect: Dialect,
): (schema: JsonSchema, tools: LanguageModelV4FunctionTool[]) => Submission {
  const made = new WeakMap<JsonSchema, { readonly user: readonly unknown[]; readonly submission: Submission }>();
  return (schema, user) => {
    const known = made.get(schema);
    if (known?.user === user) return known.submission;
    const wrapped = schema.type !== "object";
    const name = freeName(user);
    const before = known?.submission.tool;
    const tool: LanguageModelV4FunctionTool =
      before?.name === name ? before : submissionTool(name, schema, wrapped, dialect);
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

/** What a dialect takes in no form is said in words, and anything may be handed in. */
function submissionTool(
  name: string,
  schema: JsonSchema,
  wrapped: boolean,
  dialect: Dialect,
): LanguageModelV4FunctionTool {
  const accepted = wrapped ? acceptedValue(schema, dialect) : acceptedSchema(schema, dialect);
  if ("schema" in accepted) {
    const said = accepted.note === undefined ? description : `${description}\n\n${accepted.note}`;
    return { type: "function", name, description: said, inputSchema: accepted.schema as JSONSchema7 };
  }
  const open = wrapped ? acceptedValue({}, dialect) : acceptedSchema({}, dialect);
  const said = `${description}\n\nIt has to fit this JSON Schema: ${JSON.stringify(schema)}`;
  return {
    type: "function",
    name,
    description: said,
    inputSchema: ("schema" in open ? open.schema : {}) as JSONSchema7,
  };
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
