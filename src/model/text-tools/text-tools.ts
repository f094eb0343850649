import { RondoError } from "../../error.ts";
import { lazyModel } from "../lazy.ts";
import type { Model } from "../model.ts";

/** Options of `textTools`. */
export type TextToolsOptions = {
  /** Ids for the calls. Default: random. */
  readonly newId?: () => string;
};

/**
 * A model that has no tools, as one that picks them in text: the menu and the way to call stand in the system prompt,
 * results come back as user messages, and the first complete action of a reply becomes a call; there the reply is
 * stopped. One call a round. The grammar is in docs/providers.md.
 *
 * Usage of a reply that had to be stopped is what the model says when it is stopped: often nothing.
 *
 * @throws RondoError `invalid_option` for what is no model.
 *
 * @example
 * ```ts
 * import { resolveModel, textTools } from "rondo";
 *
 * const model = textTools(resolveModel("http://127.0.0.1:8080/v1#gemma-2b"));
 * ```
 */
export function textTools(model: Model, options: TextToolsOptions = {}): Model {
  if (typeof model !== "object" || model === null || typeof model.stream !== "function") {
    throw new RondoError("invalid_option", "textTools needs a model, such as resolveModel(…) or aiSdk(…) gives.");
  }
  const { id, contextTokens, maxOutputTokens } = model;
  const { output: _, ...supports } = model.supports ?? {};
  const { stream } = lazyModel(id, async () => {
    const { textProtocol } = await import("./text-protocol.ts");
    return { id, stream: textProtocol(model, options) };
  });
  return {
    id,
    ...(contextTokens !== undefined && { contextTokens }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    supports: { ...supports, tools: true, toolChoice: true, parallelToolCalls: false },
    stream,
  };
}
