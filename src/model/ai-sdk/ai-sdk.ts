import { RondoError } from "../../error.ts";
import type { About } from "../advice.ts";
import { type IdleOptions, idleLimits } from "../idle.ts";
import { lazyModel } from "../lazy.ts";
import type { Model } from "../model.ts";
import type { RetryOptions } from "../retry.ts";
import { textTools } from "../text-tools/text-tools.ts";
import type { AiSdkModel, LanguageModel } from "./language-model.ts";

/** Options of `aiSdk`. A model sees to `output` itself, unless it `supports` no tools: then it picks them in text, as with `textTools`. */
export type AiSdkOptions = Pick<Model, "contextTokens" | "maxOutputTokens" | "supports"> &
  IdleOptions & {
    /** Default: the model's provider and id, such as `anthropic/claude-sonnet-5`. */
    readonly id?: string;
    /** How failed requests are sent again. Default: up to 3 retries, before any content only. */
    readonly retry?: RetryOptions;
    /**
     * Whether what stays the same from request to request is marked for the provider's prompt cache, where it wants marks
     * (Anthropic, Claude on Bedrock). Default true.
     */
    readonly cache?: boolean;
    /** Ids for calls that come without a usable one. Default: random. */
    readonly newId?: () => string;
  };

/**
 * Any language model of the AI SDK as a Rondo model.
 *
 * @throws RondoError `invalid_option` when `languageModel` is of another specification than V3 or V4, or a limit is none.
 *
 * @example
 * ```ts
 * import { anthropic } from "@ai-sdk/anthropic";
 * import { aiSdk } from "rondo";
 *
 * const model = aiSdk(anthropic("claude-sonnet-5"));
 * ```
 */
export function aiSdk(languageModel: AiSdkModel, options: AiSdkOptions = {}): Model {
  return fromAiSdk(languageModel, options);
}

/** What is known of a model that was found by its name. `selects`: it was opened with our own `fetch`, which can name several tools. */
export type Known = Omit<About, "id"> & { readonly selects?: boolean };

/** As `aiSdk`, for models of our own. The adapter itself is loaded with the first request. */
export function fromAiSdk(languageModel: AiSdkModel, options: AiSdkOptions, known: Known = {}): Model {
  const model = languageModel as LanguageModel;
  const version = model.specificationVersion;
  if (version !== "v3" && version !== "v4") {
    throw new RondoError(
      "invalid_option",
      `aiSdk: this language model is of specification ${JSON.stringify(version)}; use a provider package whose models are "v4" or "v3".`,
    );
  }
  const { id = `${model.provider.split(".")[0]}/${model.modelId}`, supports, newId } = options;
  idleLimits(options);
  const load = async () => ({ id, stream: (await import("./adapt.ts")).adapt(model, id, options, known) });
  const { stream } = lazyModel(id, load);
  const made = { ...limitsOf(options), id, supports: supportsOf(supports), stream };
  return supports?.tools === false ? textTools(made, newId && { newId }) : made;
}

const limitsOf = ({ contextTokens, maxOutputTokens }: AiSdkOptions): Partial<Model> => ({
  ...(contextTokens === undefined ? undefined : { contextTokens }),
  ...(maxOutputTokens === undefined ? undefined : { maxOutputTokens }),
});

const supportsOf = (supports: Model["supports"]): NonNullable<Model["supports"]> => ({
  ...(supports?.tools === false ? undefined : { output: true }),
  ...supports,
});
