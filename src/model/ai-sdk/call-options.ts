import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { ModelEvent, ModelRequest } from "../model.ts";
import { withCachePoints } from "./cache-points.ts";
import type { LanguageModel } from "./language-model.ts";
import type { OutputPlan } from "./output.ts";
import { withinMarks } from "./own-marks.ts";
import type { History } from "./prompt.ts";
import { withOptions } from "./provider-options.ts";
import type { ChoiceWords } from "./refused-choice.ts";
import { declaredTools } from "./stand-in-tool.ts";
import { type ChoiceAsked, planChoice, wordsOf } from "./tool-choice.ts";
import type { WireNames } from "./wire-names.ts";

export type Warning = Extract<ModelEvent, { type: "warning" }>;

/** What a request becomes, and what of it could not be said. */
export type Call = {
  readonly options: LanguageModelV4CallOptions;
  readonly warnings: readonly Warning[];
  /** In which words a call is forced; absent: none is. */
  readonly words?: ReturnType<typeof wordsOf>;
};

/** What a request is made from. */
export type CallParts = {
  readonly model: LanguageModel;
  readonly request: ModelRequest;
  readonly history: History;
  readonly tools: LanguageModelV4FunctionTool[];
  readonly output: OutputPlan;
  readonly names: WireNames;
  readonly selects: boolean;
  readonly words: ChoiceWords;
  /** Mark what the provider is to cache. */
  readonly cache: boolean;
  readonly signal: AbortSignal;
};

/** One request as the AI SDK takes it. Without tools it holds neither tools nor a tool choice: providers refuse both. */
export function callOptions(parts: CallParts): Call {
  const { model, request, history, tools, output, signal } = parts;
  const warnings: Warning[] = [];
  const warn = (code: string, message: string) => warnings.push({ type: "warning", code, message });
  const system = [request.system, output.instruction].filter((part) => part !== undefined && part.trim() !== "");
  const prompt = history.prompt(system.length === 0 ? undefined : system.join("\n\n"));
  const declared = declaredTools(model, output.tools ?? tools, history);
  const own = withinMarks(model, prompt, warn);
  const options: LanguageModelV4CallOptions = {
    prompt: parts.cache ? withCachePoints(model, request, prompt, declared.length > 0, own) : prompt,
    abortSignal: signal,
  };
  let providerOptions = request.providerOptions;
  let words: Call["words"];

  if (declared.length > 0) {
    options.tools = declared;
    const plan = planChoice(choiceAsked(parts));
    for (const { code, message } of plan.warnings) warn(code, message);
    if (plan.toolChoice !== undefined) options.toolChoice = plan.toolChoice;
    if (plan.headers !== undefined) options.headers = plan.headers;
    providerOptions = plan.providerOptions ?? providerOptions;
    words = wordsOf(plan);
  }
  if (output.responseFormat !== undefined) options.responseFormat = output.responseFormat;
  if (output.providerOptions !== undefined) {
    providerOptions = withOptions(providerOptions ?? {}, output.providerOptions);
  }
  if (request.maxOutputTokens !== undefined) options.maxOutputTokens = request.maxOutputTokens;
  if (request.temperature !== undefined) options.temperature = request.temperature;
  if (providerOptions !== undefined) options.providerOptions = providerOptions as SharedV4ProviderOptions;
  if (request.effort !== undefined) {
    if (model.specificationVersion === "v4") options.reasoning = request.effort;
    else warn("effort", `${model.provider} takes no effort in this version; use providerOptions.`);
  }
  return { options, warnings, words };
}

function choiceAsked({ model, request, history, tools, output, names, selects, words }: CallParts): ChoiceAsked {
  const { toolChoice, parallelToolCalls } = request;
  const choice = output.toolChoice ?? (typeof toolChoice === "string" ? toolChoice : toolChoice.names.map(names.wire));
  const isKnob = tools.length > 0 && parallelToolCalls === false;
  return { model, request, choice, oneCall: isKnob, hasCalls: history.callIds.size > 0, selects, words };
}
