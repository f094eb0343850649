import type { JsonSchema } from "../model.ts";
import type { LanguageModel } from "./language-model.ts";
import type { ProviderOptions } from "./provider-options.ts";
import { strictSchema } from "./strict-schema.ts";

/** A structured result that the provider itself sees to. */
export type NativeOutput = {
  /** As the provider takes it. */
  readonly schema: JsonSchema;
  /** What makes the package send it so. */
  readonly providerOptions?: ProviderOptions;
};

type Rule = {
  readonly provider: RegExp;
  readonly model: RegExp;
  /** Models that do it beside tools; absent: all of them. */
  readonly withTools?: RegExp;
  /** The specification of the packages that do it; absent: any. */
  readonly version?: "v4";
  readonly providerOptions?: ProviderOptions;
};

/** Else the package may declare a tool of its own and force it over the user's. */
const format = { anthropic: { structuredOutputMode: "outputFormat" } };

const old = "gpt-3|gpt-35|gpt-4(?![o.\\d])|gpt-4-|gpt-4o-2024-05-13|o1-mini|o1-preview";
const other = "audio|realtime|transcribe|tts|image";

/**
 * Who does it natively, without a choice forced over the user's tools. Names that nobody knows yet are left out: the
 * submission tool works with every model that takes tools, while a response format that is not known is refused.
 */
const rules: readonly Rule[] = [
  {
    provider: /^openai(\.|$)/,
    model: new RegExp(`^(?:openai/)?(?!${old}|.*(?:${other}))(?:gpt-(?:4o|4\\.|[5-9])|o[1-9])`),
  },
  // Deployments bear any name.
  { provider: /^azure(?!.*anthropic)/, model: new RegExp(`^(?!${old}|.*(?:${other}))`) },
  {
    provider: /^anthropic(\.|$)/,
    model: /claude-[a-z]+-(?:4-[1-9]|[5-9]|[1-9]\d)(?!\d)/,
    providerOptions: format,
  },
  {
    provider: /^amazon-bedrock/,
    model: /claude-(?:sonnet-4-5|opus-4-[56])(?!\d)/,
    version: "v4",
    providerOptions: format,
  },
  // Before Gemini 3 a response format and functions exclude each other.
  { provider: /^google\./, model: /(?:^|\/)gemini-(?!1|pro|ultra)/, withTools: /(?:^|\/)gemini-(?:[3-9]|[1-9]\d)/ },
];

/** How the provider of this model sees to results of this schema by itself; undefined where it does not. */
export function nativeOutput(model: LanguageModel, schema: JsonSchema, hasTools: boolean): NativeOutput | undefined {
  const rule = isCompatible(model)
    ? compatibleRule(model, hasTools)
    : rules.find(({ provider }) => provider.test(model.provider));
  if (rule === undefined || !rule.model.test(model.modelId)) return undefined;
  if (rule.version !== undefined && rule.version !== model.specificationVersion) return undefined;
  if (hasTools && rule.withTools !== undefined) {
    if (!rule.withTools.test(model.modelId) || model.specificationVersion === "v3") return undefined;
  }
  const accepted = strictSchema(schema);
  if (accepted === undefined) return undefined;
  const { providerOptions } = rule;
  return { schema: accepted, ...(providerOptions === undefined ? undefined : { providerOptions }) };
}

/** Models of the OpenAI-compatible package, whatever their provider is called. */
export const isCompatible = (model: LanguageModel): boolean => "providerOptionsName" in model;

/** Servers that say so; beside tools they refuse the format, or constrain calls as well and so make them impossible. */
function compatibleRule(model: LanguageModel, hasTools: boolean): Rule | undefined {
  const says = "supportsStructuredOutputs" in model && model.supportsStructuredOutputs === true;
  return says && !hasTools ? { provider: /^/, model: /^/ } : undefined;
}
