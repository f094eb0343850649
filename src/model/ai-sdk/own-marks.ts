import type { LanguageModelV4Message, LanguageModelV4Prompt, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { JsonObject } from "../../message/json.ts";
import type { LanguageModel } from "./language-model.ts";
import type { Tell } from "./user-parts.ts";

type User = Extract<LanguageModelV4Message, { role: "user" }>;
type Part = User["content"][number];

/** How many marks for its cache a provider takes in a request; undefined: its wire has none, or its package leaves them out. */
function mostMarks({ provider, modelId }: LanguageModel): number | undefined {
  if (/^amazon-bedrock/.test(provider)) return /claude|nova/.test(modelId) ? 4 : 0;
  return /anthropic/.test(provider) ? 4 : undefined;
}

const names: readonly (readonly [provider: string, field: string])[] = [
  ["anthropic", "cacheControl"],
  ["anthropic", "cache_control"],
  ["amazonBedrock", "cachePoint"],
  ["bedrock", "cachePoint"],
];

const fieldsOf = (options: SharedV4ProviderOptions | undefined, provider: string): JsonObject =>
  (options?.[provider] as JsonObject | undefined) ?? {};

/** Whether the caller has marked a part for the cache of this provider. */
export const isMarked = ({ providerOptions }: Part, { provider }: LanguageModel): boolean =>
  providerOptions !== undefined &&
  names.some(([name, field]) => isOf(name, provider) && fieldsOf(providerOptions, name)[field] !== undefined);

const isOf = (name: string, provider: string): boolean => (name === "anthropic") === !/^amazon-bedrock/.test(provider);

/** How many parts of a prompt the caller has marked. Of more than the provider takes the last ones stay: they hold what stands before them. */
export function withinMarks(model: LanguageModel, prompt: LanguageModelV4Prompt, tell: Tell): number {
  const most = mostMarks(model);
  if (most === undefined) return 0;
  let left = 0;
  let lost = 0;
  for (let at = prompt.length - 1; at >= 0; at--) {
    const message = prompt[at];
    if (message?.role !== "user" || !message.content.some((part) => isMarked(part, model))) continue;
    const content = message.content.toReversed().map((part) => {
      if (!isMarked(part, model)) return part;
      if (left < most) {
        left += 1;
        return part;
      }
      lost += 1;
      return unmarked(part);
    });
    if (lost > 0) prompt[at] = { ...message, content: content.toReversed() };
  }
  if (lost > 0) {
    const what = most === 0 ? "takes no marks for its cache" : `takes ${most} marks for its cache`;
    tell("cache_marks", `${model.modelId} ${what}: earlier ones of yours were left out.`);
  }
  return left;
}

function unmarked<P extends Part>(part: P): P {
  const options: Record<string, JsonObject> = { ...(part.providerOptions as Record<string, JsonObject>) };
  for (const [name, field] of names) {
    if (options[name] === undefined) continue;
    const { [field]: _, ...rest } = options[name];
    options[name] = rest;
  }
  return { ...part, providerOptions: options };
}
