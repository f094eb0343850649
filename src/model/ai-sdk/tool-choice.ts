import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { JsonObject } from "../../message/json.ts";
import type { ModelRequest } from "../model.ts";
import { selecting } from "../wire/selected-tools.ts";
import type { LanguageModel } from "./language-model.ts";
import { isCompatible } from "./native-output.ts";
import { oneCallARound } from "./parallel.ts";
import { type ProviderOptions, withOptions } from "./provider-options.ts";
import { thinks } from "./thinks.ts";

type Choice = NonNullable<LanguageModelV4CallOptions["toolChoice"]>;

/** How a request says what may be picked, and what of it its provider cannot be told. */
export type ChoicePlan = {
  /** Absent: nothing is said, and the model decides. */
  readonly toolChoice?: Choice;
  /** The caller's, with what has to stand beside them. */
  readonly providerOptions?: ProviderOptions;
  readonly headers?: { readonly [name: string]: string };
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
};

/** What a plan is made from. */
export type ChoiceAsked = {
  readonly model: LanguageModel;
  readonly request: ModelRequest;
  /** The choice, its names as they are on the wire. */
  readonly choice: "auto" | "required" | "none" | readonly string[];
  /** At most one call is wanted. */
  readonly oneCall: boolean;
  /** There are calls in the history. */
  readonly hasCalls: boolean;
  /** Our own `fetch` serves this model, so that it can name several tools. */
  readonly selects: boolean;
};

/** Plans the tool choice of a request that declares tools, all of which stay declared wherever the package lets them. */
export function planChoice(asked: ChoiceAsked): ChoicePlan {
  const { model, request, oneCall } = asked;
  const plan = rulesOf(model)(asked);
  if (!oneCall) return plan;
  // There the knob is part of the choice, so who says the one has to say the other.
  if (isForcedByName(plan)) return plan;
  const knob = oneCallARound(model, plan.providerOptions ?? request.providerOptions ?? {});
  if (knob !== undefined) return { ...plan, providerOptions: knob };
  const message = `${model.provider} cannot be asked for one call a round; calls run in order.`;
  return { ...plan, warnings: [...plan.warnings, { code: "parallel_tool_calls", message }] };
}

type Rules = (asked: ChoiceAsked) => ChoicePlan;

function rulesOf(model: LanguageModel): Rules {
  const { provider, modelId } = model;
  if (isCompatible(model)) return several(plain);
  if (/^amazon-bedrock/.test(provider)) return /anthropic|claude/.test(modelId) ? bedrockClaude : bedrock;
  if (/anthropic/.test(provider)) return claude;
  if (/^(openai|azure)\.responses/.test(provider)) return several(responses);
  if (/^(openai|azure)\.chat|^google\.generative-ai/.test(provider)) return several(select);
  return several(plain);
}

/** What every provider has. A choice of several names that has no better way allows all tools. */
const plain: Rules = ({ choice }) => {
  if (typeof choice === "string") return { toolChoice: { type: choice }, warnings: [] };
  const [only] = choice;
  if (choice.length === 1 && only !== undefined) return { toolChoice: { type: "tool", toolName: only }, warnings: [] };
  // Leaving the other tools out would change the declared tools, which have to stay as they are.
  const message = `The choice of ${choice.join(", ")} was sent as "required": any tool may be picked.`;
  return { toolChoice: { type: "required" }, warnings: [{ code: "tool_choice", message }] };
};

/** Only a choice of several names needs what `rules` say. */
const several =
  (rules: Rules): Rules =>
  (asked) =>
    typeof asked.choice !== "string" && asked.choice.length > 1 ? rules(asked) : plain(asked);

/** The Responses of OpenAI and Azure take the names as an option of the package. */
const responses: Rules = ({ model, request, choice }) => {
  const given = request.providerOptions ?? {};
  const key = /^azure/.test(model.provider) && given.openai === undefined ? "azure" : "openai";
  const allowedTools = { toolNames: [...choice], mode: "required" };
  return {
    toolChoice: { type: "required" },
    providerOptions: withOptions(given, { [key]: { allowedTools } }),
    warnings: [],
  };
};

/** The wire takes several names, the package does not: our own `fetch` puts them in. */
const select: Rules = (asked) => {
  if (!asked.selects) return plain(asked);
  return { toolChoice: { type: "required" }, headers: selecting(asked.choice as readonly string[]), warnings: [] };
};

const isForced = ({ choice }: ChoiceAsked): boolean => choice !== "auto" && choice !== "none";

/** A Claude that thinks refuses a forced call. The loop asks once more if it answers without one. */
function unforced({ model, choice }: ChoiceAsked): ChoicePlan {
  const wanted = typeof choice === "string" ? `"${choice}"` : choice.join(", ");
  const message = `${model.modelId} cannot be made to call a tool while it thinks: the choice of ${wanted} was sent as "auto".`;
  return { toolChoice: { type: "auto" }, warnings: [{ code: "tool_choice", message }] };
}

const claude: Rules = (asked) =>
  isForced(asked) && thinks(asked.model, asked.request) ? unforced(asked) : plain(asked);

/** Without tools in the request the package would take the calls out of the history, and with them what was done. */
function keptTools({ model }: ChoiceAsked): ChoicePlan {
  const message = `${model.provider} has no choice "none": it was sent as "auto", and calls will not be run.`;
  return { toolChoice: { type: "auto" }, warnings: [{ code: "tool_choice", message }] };
}

const bedrock: Rules = (asked) => {
  const { choice, hasCalls, model } = asked;
  if (choice === "none" && hasCalls) return keptTools(asked);
  const plan = plain(asked);
  if (plan.toolChoice?.type !== "tool") return plan;
  const message = `${model.provider} is shown no other tool while ${plan.toolChoice.toolName} is forced.`;
  return { ...plan, warnings: [{ code: "tool_choice", message }] };
};

/** The package hides the other tools behind a named one; said in Claude's own words they stay. */
const bedrockClaude: Rules = (asked) => {
  const { choice, hasCalls, model, oneCall, request } = asked;
  if (choice === "none" && hasCalls) return keptTools(asked);
  if (isForced(asked) && thinks(model, request)) return unforced(asked);
  const plan = plain(asked);
  if (plan.toolChoice?.type !== "tool") return plan;
  const given = request.providerOptions ?? {};
  const key = given.bedrock !== undefined && given.amazonBedrock === undefined ? "bedrock" : "amazonBedrock";
  const alone = oneCall && { disable_parallel_tool_use: true };
  const tool_choice: JsonObject = { type: "tool", name: plan.toolChoice.toolName, ...alone };
  const fields = given[key]?.additionalModelRequestFields as JsonObject | undefined;
  const own = { ...given[key], additionalModelRequestFields: { tool_choice, ...fields } };
  return { providerOptions: { ...given, [key]: own }, warnings: [] };
};

const isForcedByName = ({ toolChoice }: ChoicePlan): boolean => toolChoice === undefined;
