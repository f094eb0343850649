import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { StopReason } from "../../message/message.ts";
import { noUsage, type Usage } from "../../message/usage.ts";
import type { SpecificationVersion } from "./prompt.ts";

/**
 * Our word for a finish reason. A stream that merely ended is `length`: newer models say `interrupted`, V3 ones `other`
 * without a raw reason, and Bedrock's `other` without one or any tokens counted (`counted` is false). Whether calls run is
 * decided by the content, so a `stop` with calls stays a `stop`.
 */
export function stopReasonOf(
  reason: LanguageModelV4FinishReason,
  version: SpecificationVersion,
  hasCalls: boolean,
  counted: boolean,
): StopReason {
  const { unified } = reason;
  const raw = reason.raw?.trim() || undefined;
  if (raw === "pause_turn") return "pause";
  if (raw === "refusal") return "refusal";
  if (unified === "stop") return "stop";
  if (unified === "tool-calls") return "tool_calls";
  if (unified === "length" || unified === "interrupted") return "length";
  if (unified === "content-filter") return "refusal";
  if (unified === "error" || raw === "error") return "error";
  if (raw === undefined && (version === "v3" || !counted)) return "length";
  return hasCalls ? "tool_calls" : "stop";
}

/** Tokens of a reply. Counts that are no numbers are taken as not said. */
export function usageOf(usage: LanguageModelV4Usage | undefined): Usage {
  if (usage === undefined) return noUsage;
  const input = count(usage.inputTokens?.total) ?? 0;
  const output = count(usage.outputTokens?.total) ?? 0;
  const cacheRead = count(usage.inputTokens?.cacheRead);
  const cacheWrite = count(usage.inputTokens?.cacheWrite);
  const reasoning = count(usage.outputTokens?.reasoning);
  return {
    inputTokens: input,
    outputTokens: output,
    totalTokens: input + output,
    ...(cacheRead === undefined ? undefined : { cacheReadTokens: cacheRead }),
    ...(cacheWrite === undefined ? undefined : { cacheWriteTokens: cacheWrite }),
    ...(reasoning === undefined ? undefined : { reasoningTokens: reasoning }),
  };
}

const count = (value: number | undefined): number | undefined => (Number.isFinite(value) ? value : undefined);
