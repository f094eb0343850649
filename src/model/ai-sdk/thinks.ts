import type { JsonObject } from "../../message/json.ts";
import type { ModelRequest } from "../model.ts";
import type { LanguageModel } from "./language-model.ts";

/**
 * Whether this request makes a Claude think: by its effort, by the caller's own options, or as its kind always does.
 * While it thinks it refuses a forced call
 * (https://docs.claude.com/en/docs/build-with-claude/extended-thinking, "Extended thinking with tool use").
 */
export function thinks(model: LanguageModel, { effort, providerOptions = {} }: ModelRequest): boolean {
  if (alwaysThinks.test(model.modelId)) return true;
  const own = Object.values(providerOptions)
    .map(ownWord)
    .find((word) => word !== undefined);
  return own ?? (effort !== undefined && effort !== "none");
}

/** As the packages tell them apart. */
const alwaysThinks = /claude-(?:sonnet-5-5|opus-5-5|fable-5-[12])/;

function ownWord({ thinking, reasoningConfig }: JsonObject): boolean | undefined {
  const config = thinking ?? reasoningConfig;
  return typeof config === "object" && config !== null && "type" in config ? config.type !== "disabled" : undefined;
}
