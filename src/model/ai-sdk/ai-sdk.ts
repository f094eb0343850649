import { RondoError } from "../../error.ts";
import type { About } from "../advice.ts";
import { type IdleOptions, idleLimits } from "../idle.ts";
import type { Model, ModelEvent, ModelRequest } from "../model.ts";
import { type RetryOptions, withRetries } from "../retry.ts";
import { textTools } from "../text-tools/text-tools.ts";
import { callOptions } from "./call-options.ts";
import type { AiSdkModel, LanguageModel } from "./language-model.ts";
import { withoutLateThinking } from "./late-thinking.ts";
import { outputPlanner } from "./output.ts";
import { historyConverter } from "./prompt.ts";
import { withoutRefusedData } from "./refused-data.ts";
import { type Attempt, requestOnce } from "./request.ts";
import { storing } from "./stored.ts";
import { toolConverter } from "./tools.ts";
import { wireNames } from "./wire-names.ts";

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
  return adapt(languageModel, options);
}

/** What is known of a model that was found by its name. `selects`: it was opened with our own `fetch`, which can name several tools. */
export type Known = Omit<About, "id"> & { readonly selects?: boolean };

/** As `aiSdk`, for models of our own. */
export function adapt(languageModel: AiSdkModel, options: AiSdkOptions, known: Known = {}): Model {
  const model = languageModel as LanguageModel;
  const version = model.specificationVersion;
  if (version !== "v3" && version !== "v4") {
    throw new RondoError(
      "invalid_option",
      `aiSdk: this language model is of specification ${JSON.stringify(version)}; use a provider package whose models are "v4" or "v3".`,
    );
  }
  const { id = `${model.provider.split(".")[0]}/${model.modelId}`, retry, cache = true, newId = randomId } = options;
  const idle = idleLimits(options);
  const { selects = false } = known;
  const about = { ...known, id };
  const names = wireNames();
  const toolsOf = toolConverter(names);
  const historyOf = historyConverter(model, id, names, options.supports?.images !== false);
  const planOf = outputPlanner(model);

  const stream = (given: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> => {
    const tools = toolsOf(given.tools);
    const { stored, request } = storing(model, given);
    let history = historyOf(request.messages, stored);

    const ask = () => {
      history = historyOf(request.messages, stored);
      const { asked, warnings } = withoutLateThinking(model, request, history);
      const output = planOf(asked, tools);
      const call = callOptions({ model, request: asked, history, tools, output, names, selects, cache, signal });
      const besideCalls = request.toolChoice === "none";
      const submission = output.submission && { ...output.submission, besideCalls };
      const attempt: Attempt = {
        model,
        modelId: id,
        call,
        warnings,
        history,
        names,
        newId,
        signal,
        submission,
        idle,
        about,
      };
      return withRetries(() => requestOnce(attempt), signal, retry);
    };
    return withoutRefusedData(ask, () => history.dropData());
  };
  const made = { ...pick(options), id, stream };
  return options.supports?.tools === false ? textTools(made, { newId }) : made;
}

function pick({ contextTokens, maxOutputTokens, supports }: AiSdkOptions): Partial<Model> {
  return {
    ...(contextTokens === undefined ? undefined : { contextTokens }),
    ...(maxOutputTokens === undefined ? undefined : { maxOutputTokens }),
    supports: { ...(supports?.tools === false ? undefined : { output: true }), ...supports },
  };
}

const randomId = (): string => `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
