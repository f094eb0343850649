import type { Model, ModelRequest } from "../model/model.ts";
import type { ExecOptions } from "./options.ts";
import type { Wanted } from "./wanted.ts";

/** 30,000 characters, or 30 % of a known context window at four characters a token, but never less than 2,000. */
export function resultCap({ contextTokens }: Model): number {
  return contextTokens === undefined ? 30_000 : Math.min(30_000, Math.max(2_000, Math.floor(contextTokens * 4 * 0.3)));
}

/** What every request of a run carries beside messages, tools and choice. */
export function requestOptions(
  o: ExecOptions,
  wanted: Wanted | undefined,
): Omit<ModelRequest, "messages" | "tools" | "toolChoice"> {
  const { effort, maxOutputTokens, temperature, providerOptions, parallelToolCalls } = o;
  const system = [o.system, wanted?.prompt].filter((part) => part !== undefined).join("\n\n");
  return {
    ...((o.system !== undefined || wanted?.prompt) && { system }),
    ...(wanted?.schema && { output: { schema: wanted.schema } }),
    ...(effort !== undefined && { effort }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(providerOptions !== undefined && { providerOptions }),
    ...(parallelToolCalls !== undefined && { parallelToolCalls: parallelToolCalls === true }),
  };
}
