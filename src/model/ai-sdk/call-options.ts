import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4ToolChoice,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { ModelEvent, ModelRequest, RequestToolChoice } from "../model.ts";
import type { LanguageModel } from "./language-model.ts";
import type { OutputPlan } from "./output.ts";
import { oneCallARound, withOptions } from "./parallel.ts";
import type { History } from "./prompt.ts";
import type { WireNames } from "./wire-names.ts";

export type Warning = Extract<ModelEvent, { type: "warning" }>;

/** What a request becomes, and what of it could not be said. */
export type Call = { readonly options: LanguageModelV4CallOptions; readonly warnings: readonly Warning[] };

/** One request as the AI SDK takes it. Without tools it holds neither tools nor a tool choice: providers refuse both. */
export function callOptions(
  model: LanguageModel,
  request: ModelRequest,
  history: History,
  tools: LanguageModelV4FunctionTool[],
  output: OutputPlan,
  names: WireNames,
  signal: AbortSignal,
): Call {
  const warnings: Warning[] = [];
  const warn = (code: string, message: string) => warnings.push({ type: "warning", code, message });
  const system = [request.system, output.instruction].filter((part) => part !== undefined);
  const prompt = history.prompt(system.length === 0 ? undefined : system.join("\n\n"));
  const options: LanguageModelV4CallOptions = { prompt, abortSignal: signal };
  let providerOptions = request.providerOptions;

  const declared = output.tools ?? tools;
  if (declared.length > 0) {
    options.tools = declared;
    options.toolChoice = output.toolChoice ?? toolChoice(request.toolChoice, names, warn);
  }
  if (tools.length > 0 && request.parallelToolCalls === false) {
    const knob = oneCallARound(model, providerOptions ?? {});
    if (knob === undefined) {
      warn("parallel_tool_calls", `${model.provider} cannot be asked for one call a round; calls run in order.`);
    } else providerOptions = knob;
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
  return { options, warnings };
}

function toolChoice(
  choice: RequestToolChoice,
  names: WireNames,
  warn: (code: string, message: string) => void,
): LanguageModelV4ToolChoice {
  if (typeof choice === "string") return { type: choice };
  const [only] = choice.names;
  if (choice.names.length === 1 && only !== undefined) return { type: "tool", toolName: names.wire(only) };
  // Leaving the other tools out would change the declared tools, which have to stay as they are.
  warn("tool_choice", `The choice of ${choice.names.join(", ")} was sent as "required": any tool may be picked.`);
  return { type: "required" };
}
