import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { Message } from "../../message/message.ts";
import type { JsonSchema, ModelRequest } from "../model.ts";
import type { Dialect } from "../schema/dialect.ts";
import type { LanguageModel } from "./language-model.ts";
import { isCompatible, type NativeOutput, nativeOutput } from "./native-output.ts";
import type { ProviderOptions } from "./provider-options.ts";
import { type Submission, submissionMaker } from "./submission.ts";
import { thinks } from "./thinks.ts";

/** How one request asks for the structured result of its run. */
export type OutputPlan = {
  /** For the system prompt. */
  readonly instruction?: string;
  readonly responseFormat?: LanguageModelV4CallOptions["responseFormat"];
  readonly providerOptions?: ProviderOptions;
  readonly submission?: Submission;
  /** The tools to declare instead of the user's. */
  readonly tools?: LanguageModelV4FunctionTool[];
  /** Instead of the request's own choice; a list holds the name on the wire. */
  readonly toolChoice?: "auto" | "none" | readonly [string];
};

/** `unforced`: the model has refused a forced call. */
type Planner = (request: ModelRequest, tools: LanguageModelV4FunctionTool[], unforced?: boolean) => OutputPlan;

/**
 * Plans requests of one model: by the provider itself where it does it and takes the schema, else through a submission
 * tool, else in words. The same run gets the same all the way, so what it declares stays as it is.
 */
export function outputPlanner(model: LanguageModel, dialect: Dialect): Planner {
  const native = remembered(model);
  const submissionOf = submissionMaker(dialect);
  return (request, tools, unforced = false) => {
    if (request.output === undefined) return {};
    const { schema } = request.output;
    const own = declined(request.providerOptions) ? undefined : native(schema, tools.length > 0);
    if (own !== undefined) return nativePlan(model, request, own);
    // Whether such a server takes tools is not known before somebody gives some.
    const how = unforced ? "never" : forcing(model, request);
    if (tools.length === 0 && how === "never") return { instruction: inWords(schema) };
    return submissionPlan(how, request, tools, submissionOf(schema, tools));
  };
}

function nativePlan(model: LanguageModel, request: ModelRequest, native: NativeOutput): OutputPlan {
  const { schema, providerOptions } = native;
  // Beside a forced call Google's package would declare a tool of its own; a round that has to call needs no format.
  if (/^google\./.test(model.provider) && isForced(request)) return {};
  return {
    responseFormat: { type: "json", schema },
    ...(providerOptions === undefined ? undefined : { providerOptions }),
  };
}

const isForced = ({ tools, toolChoice }: ModelRequest): boolean =>
  tools.length > 0 && (toolChoice === "required" || typeof toolChoice === "object");

/** Where nothing else may be picked, the submission is forced by name: the user's tools stay declared. */
function submissionPlan(
  how: Forcing,
  request: ModelRequest,
  user: LanguageModelV4FunctionTool[],
  submission: Submission,
): OutputPlan {
  const { tool, tools } = submission;
  if (request.toolChoice !== "none" && user.length > 0) return { submission, tools };
  if (how === "named") return { submission, tools, toolChoice: [tool.name] };
  if (how === "alone") return { submission, tools: [tool], toolChoice: "auto" };
  const { schema } = request.output as { readonly schema: JsonSchema };
  return {
    submission,
    tools,
    toolChoice: "none",
    ...(isTold(request.messages.at(-1), schema) ? undefined : { instruction: inWords(schema) }),
  };
}

type Forcing = "named" | "alone" | "never";

/**
 * How a model can be made to submit: by the name of the tool; by leaving it no other tool; or not at all, as servers of
 * unknown make may refuse a name as the choice.
 */
function forcing(model: LanguageModel, request: ModelRequest): Forcing {
  const { provider, modelId } = model;
  if (isCompatible(model)) return "never";
  // There a forced tool hides the others anyway, "none" would strip calls from the history, and thinking forbids force.
  if (/^amazon-bedrock/.test(provider))
    return /claude|nova/.test(modelId) && !thinks(model, request) ? "named" : "alone";
  if (/anthropic/.test(provider) && thinks(model, request)) return "never";
  return /^(openai|azure|google)([.-]|$)|anthropic/.test(provider) ? "named" : "never";
}

/** The caller's own options want it another way. */
function declined(options: ProviderOptions = {}): boolean {
  const given = Object.values(options);
  return given.some((fields) => fields.structuredOutputMode === "jsonTool" || fields.structuredOutputs === false);
}

const inWords = (schema: JsonSchema): string =>
  `Your final reply must be one JSON value that fits this JSON Schema, and nothing else:\n${JSON.stringify(schema)}`;

/** Whether the message that the model reads last holds the schema already. */
function isTold(last: Message | undefined, schema: JsonSchema): boolean {
  if (last?.role !== "user") return false;
  const texts =
    typeof last.content === "string" ? [last.content] : last.content.map((part) => ("text" in part ? part.text : ""));
  const said = JSON.stringify(schema);
  return texts.some((text) => text.includes(said));
}

/** Looks at each schema once, with and without tools. */
function remembered(model: LanguageModel): (schema: JsonSchema, hasTools: boolean) => NativeOutput | undefined {
  const known = new WeakMap<JsonSchema, Map<boolean, NativeOutput | undefined>>();
  return (schema, hasTools) => {
    let found = known.get(schema);
    if (found === undefined) {
      found = new Map();
      known.set(schema, found);
    }
    if (!found.has(hasTools)) found.set(hasTools, nativeOutput(model, schema, hasTools));
    return found.get(hasTools);
  };
}
