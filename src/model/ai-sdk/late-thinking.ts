import type { JsonObject } from "../../message/json.ts";
import type { ModelRequest } from "../model.ts";
import type { Warning } from "./call-options.ts";
import type { LanguageModel } from "./language-model.ts";
import type { History } from "./prompt.ts";
import { thinks } from "./thinks.ts";
import { wireRules } from "./wire-rules.ts";

/**
 * The request as it may ask for thinking. Older models of Anthropic cannot begin to think in the middle of a turn: when
 * its calls stand in the history without thinking, since another model made them or thinking was off, they refuse it.
 * There it is left out until the turn is over.
 */
export function withoutLateThinking(
  model: LanguageModel,
  request: ModelRequest,
  history: History,
): { readonly asked: ModelRequest; readonly warnings: readonly Warning[] } {
  const isLate = history.callsUnthought && wireRules(model, false).thinksFirst === true && thinks(model, request);
  if (!isLate) return { asked: request, warnings: [] };
  const { effort: _, providerOptions, ...rest } = request;
  const asked = providerOptions === undefined ? rest : { ...rest, providerOptions: withoutThinking(providerOptions) };
  const message = `${model.modelId} cannot begin to think in the middle of a turn: thinking is left out until it is over.`;
  return { asked, warnings: [{ type: "warning", code: "thinking", message }] };
}

function withoutThinking(options: { readonly [provider: string]: JsonObject }): { [provider: string]: JsonObject } {
  return Object.fromEntries(
    Object.entries(options).map(([provider, { thinking: _, reasoningConfig: __, ...fields }]) => [provider, fields]),
  );
}
