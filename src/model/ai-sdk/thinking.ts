import type { ModelRequest } from "../model.ts";
import type { LanguageModel } from "./language-model.ts";
import type { ProviderOptions } from "./parallel.ts";
import type { History } from "./prompt.ts";
import { wireRules } from "./wire-rules.ts";

type Thinking = Pick<ModelRequest, "effort" | "providerOptions">;

/**
 * What a request may ask of thinking. Older models of Anthropic refuse to think in the middle of a turn that began
 * without it, as one does that another model began: until the turn is over, thinking is left out. Undefined: as asked.
 */
export function withoutLateThinking(model: LanguageModel, asked: Thinking, history: History): Thinking | undefined {
  if (!history.callsUnthought || !wireRules(model, false).thinksFirst) return undefined;
  const thinks = asked.effort !== undefined && asked.effort !== "none";
  const without = Object.entries(asked.providerOptions ?? {}).map(([key, fields]) => {
    const { thinking, reasoningConfig, ...rest } = fields;
    return isOn(thinking) || isOn(reasoningConfig) ? ([key, rest, true] as const) : ([key, fields, false] as const);
  });
  if (!thinks && !without.some(([, , changed]) => changed)) return undefined;
  const providerOptions: ProviderOptions = Object.fromEntries(without.map(([key, fields]) => [key, fields]));
  return { ...(thinks || asked.effort === undefined ? undefined : { effort: asked.effort }), providerOptions };
}

const isOn = (setting: unknown): boolean =>
  typeof setting === "object" && setting !== null && (setting as { type?: unknown }).type === "enabled";
