import { RondoError } from "../../error.ts";
import type { Model, ModelEvent, ModelRequest } from "../model.ts";
import { type RetryOptions, withRetries } from "../retry.ts";
import { type Call, callOptions } from "./call-options.ts";
import { dialectOf } from "./dialect-of.ts";
import type { AiSdkModel, LanguageModel } from "./language-model.ts";
import { outputPlanner } from "./output.ts";
import { historyConverter } from "./prompt.ts";
import { type Attempt, requestOnce } from "./request.ts";
import { toolConverter, withoutLeftOut } from "./tools.ts";
import { wireNames } from "./wire-names.ts";

/** Options of `aiSdk`. A model sees to `output` itself, unless it `supports` no tools. */
export type AiSdkOptions = Pick<Model, "contextTokens" | "maxOutputTokens" | "supports"> & {
  /** Default: the model's provider and id, such as `anthropic/claude-sonnet-5`. */
  readonly id?: string;
  /** How failed requests are sent again. Default: up to 3 retries, before any content only. */
  readonly retry?: RetryOptions;
  /** Ids for calls that come without a usable one. Default: random. */
  readonly newId?: () => string;
};

/**
 * Any language model of the AI SDK as a Rondo model.
 *
 * @throws RondoError `invalid_option` when `languageModel` is of another specification than V3 or V4.
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
  return adapt(languageModel, options, false);
}

/** `selects`: the model was opened with our own `fetch`, which can name several tools. */
export function adapt(languageModel: AiSdkModel, options: AiSdkOptions, selects: boolean): Model {
  const model = languageModel as LanguageModel;
  const version = model.specificationVersion;
  if (version !== "v3" && version !== "v4") {
    throw new RondoError(
      "invalid_option",
      `aiSdk: this language model is of specification ${JSON.stringify(version)}; use a provider package whose models are "v4" or "v3".`,
    );
  }
  const { id = `${model.provider.split(".")[0]}/${model.modelId}`, retry, newId = randomId } = options;
  const names = wireNames();
  const dialect = dialectOf(model);
  const toolsOf = toolConverter(names, dialect);
  const historyOf = historyConverter(version, names);
  const planOf = outputPlanner(model, dialect);

  const stream = (given: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> => {
    const declared = toolsOf(given.tools);
    const { tools } = declared;
    const { request, warnings } = withoutLeftOut(given, declared);
    const history = historyOf(request.messages);
    const output = planOf(request, tools);
    const options = callOptions({ model, request, history, tools, output, names, selects, signal });
    const call: Call = { ...options, warnings: [...declared.warnings, ...warnings, ...options.warnings] };
    const besideCalls = request.toolChoice === "none";
    const submission = output.submission && { ...output.submission, besideCalls };
    const attempt: Attempt = { model, modelId: id, call, history, names, newId, signal, submission };
    return withRetries(() => requestOnce(attempt), signal, retry);
  };
  return { ...pick(options), id, stream };
}

function pick({ contextTokens, maxOutputTokens, supports }: AiSdkOptions): Partial<Model> {
  return {
    ...(contextTokens === undefined ? undefined : { contextTokens }),
    ...(maxOutputTokens === undefined ? undefined : { maxOutputTokens }),
    supports: { ...(supports?.tools === false ? undefined : { output: true }), ...supports },
  };
}

const randomId = (): string => `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
