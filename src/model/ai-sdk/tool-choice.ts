import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { JsonObject } from "../../message/json.ts";
import type { ModelRequest } from "../model.ts";
import { selecting } from "../wire/selected-tools.ts";
import type { LanguageModel } from "./language-model.ts";
import { isCompatible } from "./native-output.ts";
import { oneCallARound } from "./parallel.ts";
import { type ProviderOptions, withOptions } from "./provider-options.ts";
import type { ChoiceWords } from "./refused-choice.ts";
import { thinks } from "./thinks.ts";

type Choice = NonNullable<LanguageModelV4CallOptions["toolChoice"]>;

/** How a request says what may be picked, and what of it its provider cannot be told. */
export type ChoicePlan = {
  /** Absent: nothing is said in common words. */
  readonly toolChoice?: Choice;
  /** The caller's, with what has to stand beside them. */
  readonly providerOptions?: ProviderOptions;
  readonly headers?: { readonly [name: string]: string };
  /** It is said in words that this provider alone has. */
  readonly own?: true;
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
  /** In which words the provider takes a choice, as far as the run has learned. */
  readonly words: ChoiceWords;
};

/** Plans the tool choice of a request that declares tools, all of which stay declared wherever the package lets them. */
export function planChoice(asked: ChoiceAsked): ChoicePlan {
  const plan = isForced(asked) && asked.words === "unforced" ? unforced(asked) : rulesOf(asked)(asked);
  return asked.oneCall ? withOneCall(plan, asked) : plan;
}

/** In which words a plan forces a call or says more than all providers know; undefined: it does neither. */
export function wordsOf({ own, toolChoice }: ChoicePlan): Exclude<ChoiceWords, "unforced"> | undefined {
  if (own) return "own";
  return toolChoice?.type === "required" || toolChoice?.type === "tool" ? "plain" : undefined;
}

function withOneCall(plan: ChoicePlan, { model, request, words }: ChoiceAsked): ChoicePlan {
  // Where the choice stands among the model's own fields the knob is part of it, and there already.
  if (plan.own && plan.toolChoice === undefined) return plan;
  const isBedrock = isOnBedrock(model);
  // There the knob makes the package say the whole choice among those fields.
  const refused = isBedrock && words !== "own";
  const knob = refused ? undefined : oneCallARound(model, plan.providerOptions ?? request.providerOptions ?? {});
  if (knob !== undefined) return { ...plan, providerOptions: knob, ...(isBedrock && { own: true }) };
  const message = `${model.provider} cannot be asked for one call a round; calls run in order.`;
  return { ...plan, warnings: [...plan.warnings, { code: "parallel_tool_calls", message }] };
}

type Rules = (asked: ChoiceAsked) => ChoicePlan;

const isOnBedrock = ({ provider }: LanguageModel): boolean => /^amazon-bedrock/.test(provider);

function rulesOf({ model, words }: ChoiceAsked): Rules {
  const { provider, modelId } = model;
  const own = words === "own";
  if (isCompatible(model)) return several(plain);
  if (isOnBedrock(model)) return /anthropic|claude/.test(modelId) ? (own ? bedrockClaude : plainClaude) : bedrock;
  if (/anthropic/.test(provider)) return claude;
  if (own && /^(openai|azure)\.responses/.test(provider)) return several(responses);
  if (own && /^(openai|azure)\.chat|^google\.generative-ai/.test(provider)) return several(select);
  return several(plain);
}

/** What every provider has. A choice of several names that has no better way allows all tools. */
const plain: Rules = ({ choice }) => {
  if (typeof choice === "string") return { toolChoice: { type: choice }, warnings: [] };
  const [only] = choice;
  if (choice.length === 1 && only !== undefined) return { toolChoice: { type: "tool", toolName: only }, warnings: [] };
  return anyTool(choice);
};

/** Leaving the other tools out would change the declared tools, which have to stay as they are. */
function anyTool(choice: readonly string[]): ChoicePlan {
  const message = `The choice of ${choice.join(", ")} was sent as "required": any tool may be picked.`;
  return { toolChoice: { type: "required" }, warnings: [{ code: "tool_choice", message }] };
}

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
    own: true,
    warnings: [],
  };
};

/** The wire takes several names, the package does not: our own `fetch` puts them in. */
const select: Rules = (asked) => {
  if (!asked.selects) return plain(asked);
  const headers = selecting(asked.choice as readonly string[]);
  return { toolChoice: { type: "required" }, headers, own: true, warnings: [] };
};

const isForced = ({ choice }: ChoiceAsked): boolean => choice !== "auto" && choice !== "none";

/** Some refuse a forced call, always or while they think. The loop asks once more if they answer without one. */
function unforced({ model, choice }: ChoiceAsked, when = ""): ChoicePlan {
  const wanted = typeof choice === "string" ? `"${choice}"` : choice.join(", ");
  const message = `${model.modelId} cannot be made to call a tool${when}: the choice of ${wanted} was sent as "auto".`;
  return { toolChoice: { type: "auto" }, warnings: [{ code: "tool_choice", message }] };
}

/** As every Claude that thinks. */
const claude: Rules = (asked) =>
  isForced(asked) && thinks(asked.model, asked.request) ? unforced(asked, " while it thinks") : plain(asked);

/** Without tools in the request the package would take the calls out of the history, and with them what was done. */
function keptTools({ model }: ChoiceAsked): ChoicePlan {
  const message = `${model.provider} has no choice "none": it was sent as "auto", and calls will not be run.`;
  return { toolChoice: { type: "auto" }, warnings: [{ code: "tool_choice", message }] };
}

/** The package hides the other tools behind a named one. */
function alone(plan: ChoicePlan, { model }: ChoiceAsked): ChoicePlan {
  if (plan.toolChoice?.type !== "tool") return plan;
  const message = `${model.provider} is shown no other tool while ${plan.toolChoice.toolName} is forced.`;
  return { ...plan, warnings: [...plan.warnings, { code: "tool_choice", message }] };
}

/**
 * Mistral's models take no name, and those of other makers but Amazon's take nothing but `auto`
 * (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolChoice.html, strands-agents/harness-sdk#1241).
 */
const bedrock: Rules = (asked) => {
  const { choice, hasCalls, model } = asked;
  if (choice === "none" && hasCalls) return keptTools(asked);
  if (!isForced(asked) || /\bnova\b/.test(model.modelId)) return alone(plain(asked), asked);
  if (!/mistral/.test(model.modelId)) return unforced(asked);
  return typeof choice === "string" ? plain(asked) : anyTool(choice);
};

const plainClaude: Rules = (asked) => {
  if (asked.choice === "none" && asked.hasCalls) return keptTools(asked);
  return alone(claude(asked), asked);
};

/**
 * A name said among Claude's own fields leaves the other tools declared. The package itself says a choice so, when one call a
 * round is wanted; with one in `toolConfig` as well Bedrock refuses both (BerriAI/litellm#36536).
 */
const bedrockClaude: Rules = (asked) => {
  const { choice, hasCalls, oneCall, request } = asked;
  if (choice === "none" && hasCalls) return keptTools(asked);
  const plan = claude(asked);
  if (plan.toolChoice?.type !== "tool") return plan;
  const given = request.providerOptions ?? {};
  const key = given.bedrock !== undefined && given.amazonBedrock === undefined ? "bedrock" : "amazonBedrock";
  const alone = oneCall && { disable_parallel_tool_use: true };
  const tool_choice: JsonObject = { type: "tool", name: plan.toolChoice.toolName, ...alone };
  const fields = given[key]?.additionalModelRequestFields as JsonObject | undefined;
  const own = { ...given[key], additionalModelRequestFields: { tool_choice, ...fields } };
  return { providerOptions: { ...given, [key]: own }, own: true, warnings: [] };
};
