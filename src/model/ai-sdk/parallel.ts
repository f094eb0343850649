import type { LanguageModel } from "./language-model.ts";
import { type ProviderOptions, withOptions } from "./provider-options.ts";

type Knob = (model: LanguageModel, given: ProviderOptions) => ProviderOptions;

const openai = { openai: { parallelToolCalls: false } };
const anthropic = { anthropic: { disableParallelToolUse: true } };

/** Where a provider takes "one call a round", by the provider name of its models. */
const knobs: readonly (readonly [RegExp, Knob])[] = [
  [/^openai(\.|$)|^azure\.chat/, () => openai],
  // Options under `azure` hide those under `openai`, so ours go where the caller's are.
  [/^azure[.-]|^azure$/, (_, given) => (given.openai === undefined ? { azure: { parallelToolCalls: false } } : openai)],
  [/anthropic/, () => anthropic],
  [/^amazon-bedrock/, (model) => (/anthropic|claude/.test(model.modelId) ? anthropic : {})],
];

/**
 * Provider options that ask a model for one call a round; undefined where it has no such knob. `given` are the caller's
 * options, which win.
 */
export function oneCallARound(model: LanguageModel, given: ProviderOptions): ProviderOptions | undefined {
  const named = knobs.find(([provider]) => provider.test(model.provider));
  const knob = named === undefined ? compatible(model) : named[1](model, given);
  if (knob === undefined || Object.keys(knob).length === 0) return undefined;
  return withOptions(given, knob);
}

/** OpenAI-compatible models pass what stands under their own name on to the server, and tell that name. */
function compatible(model: LanguageModel): ProviderOptions | undefined {
  const name: unknown = "providerOptionsName" in model ? model.providerOptionsName : undefined;
  return typeof name === "string" ? { [name]: { parallel_tool_calls: false } } : undefined;
}
