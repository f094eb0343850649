import type { LanguageModelV4Message, LanguageModelV4Prompt, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ModelRequest } from "../model.ts";
import type { LanguageModel } from "./language-model.ts";
import { isMarked } from "./own-marks.ts";

/**
 * The prompt with the marks up to which its provider is to keep it for the requests that follow: behind the system prompt
 * (and with it the tools, which come before), behind what the request before this one ended with, and at the end. Where a
 * provider caches by itself nothing is marked.
 *
 * Of the marks that a provider takes ours are those that the caller's own (`own`, on parts of what the user says) leave, the end first.
 *
 * A mark costs a quarter of the price of what is written, so none is made where nothing is likely to follow: without
 * tools, before the first reply. The caller's own `cacheControl` stands alone.
 *
 * Anthropic: at most four marks, found again by their place (https://docs.claude.com/en/docs/build-with-claude/prompt-caching).
 * Bedrock: other models than these refuse a `cachePoint`
 * (https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html), and these one directly behind a document or a film
 * (strands-agents/harness-sdk#1966), so there it stands in front of them: the next request marks them with what follows.
 */
export function withCachePoints(
  model: LanguageModel,
  request: ModelRequest,
  prompt: LanguageModelV4Prompt,
  hasTools: boolean,
  own = 0,
): LanguageModelV4Prompt {
  const mark = markOf(model);
  if (mark === undefined || request.providerOptions?.anthropic?.cacheControl !== undefined) return prompt;
  const reply = prompt.findLastIndex(({ role }) => role === "assistant");
  if (!hasTools && reply < 0) return prompt;
  const places = [prompt.length - 1, reply - 1, prompt[0]?.role === "system" ? 0 : -1].filter((at) =>
    isFree(prompt[at], model),
  );
  for (const at of [...new Set(places)].slice(0, most - Math.min(own, most)))
    prompt[at] = marked(prompt[at] as LanguageModelV4Message, mark);
  return prompt;
}

const most = 4;

/** Whether a mark behind this message would be the first there. */
const isFree = (message: LanguageModelV4Message | undefined, model: LanguageModel): boolean => {
  if (message === undefined || message.role === "assistant") return false;
  const last = message.role === "user" ? message.content.at(-1) : undefined;
  return last === undefined || !isMarked(last, model);
};

const anthropic: SharedV4ProviderOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };
const bedrock: SharedV4ProviderOptions = { amazonBedrock: { cachePoint: { type: "default" } } };

function markOf({ provider, modelId }: LanguageModel): SharedV4ProviderOptions | undefined {
  if (/^amazon-bedrock/.test(provider)) {
    return /claude-(?:3-7|[a-z]+-(?:[4-9]|\d\d))/.test(modelId) ? bedrock : undefined;
  }
  return /anthropic/.test(provider) ? anthropic : undefined;
}

/** A message of its own: that of the history serves later requests too. */
function marked(message: LanguageModelV4Message, mark: SharedV4ProviderOptions): LanguageModelV4Message {
  if (mark !== bedrock || message.role !== "user" || !isUnmarkable(message.content.at(-1)))
    return { ...message, providerOptions: { ...mark, ...message.providerOptions } };
  const at = message.content.findLastIndex((part) => !isUnmarkable(part));
  const content = message.content.map((part, index) =>
    index === at ? { ...part, providerOptions: { ...mark, ...part.providerOptions } } : part,
  );
  return { ...message, content };
}

type UserPart = Extract<LanguageModelV4Message, { role: "user" }>["content"][number];

const isUnmarkable = (part: UserPart | undefined): boolean =>
  part?.type === "file" && !part.mediaType.startsWith("image/");
