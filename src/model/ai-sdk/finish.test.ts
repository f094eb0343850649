import type { LanguageModelV4FinishReason } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import { noUsage } from "../../message/usage.ts";
import { stopReasonOf, usageOf } from "./finish.ts";

test.each([
  ["stop", "end_turn", "v4", false, "stop"],
  ["stop", undefined, "v4", true, "stop"],
  ["tool-calls", "tool_use", "v4", true, "tool_calls"],
  ["length", "max_tokens", "v4", true, "length"],
  ["interrupted", undefined, "v4", true, "length"],
  ["content-filter", "SAFETY", "v4", true, "refusal"],
  ["content-filter", "refusal", "v4", false, "refusal"],
  ["stop", "pause_turn", "v4", false, "pause"],
  ["error", "MALFORMED_FUNCTION_CALL", "v4", true, "error"],
  ["other", "FUNCTION_CALL", "v4", true, "tool_calls"],
  ["other", "strange", "v4", false, "stop"],
  ["other", undefined, "v4", false, "stop"],
  ["other", undefined, "v3", true, "length"],
  ["other", "strange", "v3", true, "tool_calls"],
  ["other", "error", "v4", false, "error"],
  ["other", " ", "v3", true, "length"],
  ["brand-new", "x", "v4", false, "stop"],
] as const)("%s (%s) of %s, calls: %s, is %s", (unified, raw, version, hasCalls, expected) => {
  const reason = { unified, raw } as LanguageModelV4FinishReason;
  expect(stopReasonOf(reason, version, hasCalls, true)).toBe(expected);
});

test("a reply without a reason and without any tokens counted merely ended", () => {
  expect(stopReasonOf({ unified: "other", raw: undefined }, "v4", true, false)).toBe("length");
});

test("usage keeps what is said and leaves out what is not", () => {
  const none = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
  expect(usageOf(undefined)).toBe(noUsage);
  expect(
    usageOf({
      inputTokens: { ...none, total: 9, cacheWrite: 3 },
      outputTokens: { total: Number.NaN, text: 1, reasoning: 0 },
    }),
  ).toEqual({ inputTokens: 9, outputTokens: 0, totalTokens: 9, cacheWriteTokens: 3, reasoningTokens: 0 });
  expect(usageOf({ inputTokens: none, outputTokens: { total: 4, text: 4, reasoning: undefined } })).toEqual({
    inputTokens: 0,
    outputTokens: 4,
    totalTokens: 4,
  });
});
