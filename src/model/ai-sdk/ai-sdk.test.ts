import { describe, expect, test } from "vitest";
import { ask, replyTo, request } from "../../../test/wires/ask.ts";
import { finish, modelV3, modelV4, type Part, textParts } from "../../../test/wires/language-model.ts";
import { type Message, textOf } from "../../message/message.ts";
import { aiSdk } from "./ai-sdk.ts";

describe("content", () => {
  test("text, reasoning and a call keep their order, their data and the raw arguments", async () => {
    const { events, end } = await replyTo(
      { type: "stream-start", warnings: [] },
      { type: "reasoning-start", id: "0" },
      { type: "reasoning-delta", id: "0", delta: "Hm" },
      { type: "reasoning-delta", id: "0", delta: "", providerMetadata: { anthropic: { signature: "S" } } },
      { type: "reasoning-end", id: "0" },
      { type: "reasoning-start", id: "1", providerMetadata: { anthropic: { redactedData: "R" } } },
      { type: "reasoning-end", id: "1" },
      { type: "text-start", id: "2" },
      { type: "text-delta", id: "2", delta: "Look" },
      { type: "text-delta", id: "2", delta: "ing" },
      { type: "text-end", id: "2", providerMetadata: { openai: { itemId: "m1" } } },
      { type: "tool-input-start", id: "c", toolName: "find" },
      { type: "tool-input-delta", id: "c", delta: '{ "q":' },
      { type: "tool-input-delta", id: "c", delta: ' "x"}' },
      { type: "tool-input-end", id: "c" },
      {
        type: "tool-call",
        toolCallId: "c",
        toolName: "find",
        input: '{ "q": "x"}',
        providerMetadata: { google: { thoughtSignature: "T" } },
      },
      finish("tool-calls"),
    );
    expect(end).toEqual({
      type: "end",
      message: {
        role: "assistant",
        content: [
          { type: "reasoning", text: "Hm", providerData: { anthropic: { signature: "S" } } },
          { type: "reasoning", text: "", providerData: { anthropic: { redactedData: "R" } } },
          { type: "text", text: "Looking", providerData: { openai: { itemId: "m1" } } },
          {
            type: "tool_call",
            id: "c",
            name: "find",
            arguments: '{ "q": "x"}',
            providerData: { google: { thoughtSignature: "T" } },
          },
        ],
        model: "test/model",
        usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15, cacheReadTokens: 4, reasoningTokens: 2 },
        stopReason: "tool_calls",
      },
    });
    expect(events.slice(0, -1)).toEqual([
      { type: "reasoning", delta: "Hm" },
      { type: "text", delta: "Look" },
      { type: "text", delta: "ing" },
      { type: "call_start", id: "c", name: "find" },
      { type: "call_delta", id: "c", delta: '{ "q":' },
      { type: "call_delta", id: "c", delta: ' "x"}' },
      { type: "call_end", id: "c" },
    ]);
  });

  test("reasoning blocks that are open at once each get their own data", async () => {
    const { end } = await replyTo(
      { type: "reasoning-start", id: "a" },
      { type: "reasoning-delta", id: "a", delta: "A" },
      { type: "reasoning-start", id: "b" },
      { type: "reasoning-delta", id: "b", delta: "B" },
      { type: "reasoning-end", id: "a", providerMetadata: { openai: { part: 1 } } },
      { type: "reasoning-end", id: "b", providerMetadata: { openai: { part: 2 } } },
      ...textParts("ok"),
      finish("stop"),
    );
    expect(end.message.content.slice(0, 2)).toEqual([
      { type: "reasoning", text: "A", providerData: { openai: { part: 1 } } },
      { type: "reasoning", text: "B", providerData: { openai: { part: 2 } } },
    ]);
  });

  test("unknown parts and tools that the provider runs are left out", async () => {
    const { events, end } = await replyTo(
      { type: "custom", kind: "anthropic.message_start" },
      { type: "ping" },
      { type: "something-new" } as unknown as Part,
      { type: "tool-input-start", id: "s", toolName: "web_search", providerExecuted: true },
      { type: "tool-input-delta", id: "s", delta: "{}" },
      { type: "tool-input-end", id: "s" },
      { type: "tool-call", toolCallId: "s", toolName: "web_search", input: "{}", providerExecuted: true },
      { type: "tool-result", toolCallId: "s", toolName: "web_search", result: "found" },
      ...textParts("ok"),
      finish("stop"),
    );
    expect(end.message.content).toEqual([{ type: "text", text: "ok" }]);
    expect(events.map((event) => event.type)).toEqual(["text", "end"]);
  });

  test("a warning of the provider comes once, not once a round", async () => {
    const warned: Part = {
      type: "stream-start",
      warnings: [{ type: "unsupported", feature: "temperature", details: "left out" }],
    };
    const model = aiSdk(modelV4([{ parts: [warned, ...textParts("a"), finish("stop")] }]));
    const messages: Message[] = [{ role: "user", content: "Hi" }];
    const first = await ask(model, request(messages));
    const second = await ask(model, request(messages));
    expect(first.events[0]).toEqual({
      type: "warning",
      code: "provider_unsupported",
      message: "temperature: left out",
    });
    expect(second.events.filter((event) => event.type === "warning")).toEqual([]);
  });
});

describe("retries", () => {
  const limited = Object.assign(new Error("slow down"), {
    name: "AI_APICallError",
    statusCode: 429,
    isRetryable: true,
    responseHeaders: { "Retry-After": "2" },
  });

  test("before content, announced, with the same request", async () => {
    const language = modelV4([
      { throws: limited },
      { parts: [{ type: "error", error: { type: "overloaded_error" } }] },
      { parts: [...textParts("ok"), finish("stop")] },
    ]);
    const slept: number[] = [];
    const model = aiSdk(language, { retry: { random: () => 0, sleep: async (ms) => void slept.push(ms) } });
    const { events, end } = await ask(model, request());
    expect(events.slice(0, 2)).toEqual([
      {
        type: "retry",
        attempt: 1,
        delayMs: 2_000,
        error: { kind: "rate_limit", message: "slow down", status: 429, retryAfterMs: 2_000 },
      },
      {
        type: "retry",
        attempt: 2,
        delayMs: 500,
        error: { kind: "overloaded", message: '{"type":"overloaded_error"}' },
      },
    ]);
    expect(slept).toEqual([2_000, 500]);
    expect(textOf(end.message)).toBe("ok");
    // Each attempt can be ended on its own.
    expect(language.calls[2]).toEqual({ ...language.calls[0], abortSignal: expect.any(AbortSignal) });
  });
});

test("V3 models: a stream that merely ends is cut, an effort is warned about", async () => {
  const language = modelV3([{ parts: [...textParts("Par"), finish("other")] }]);
  const { events, end } = await ask(aiSdk(language), { ...request(), effort: "high" });
  expect(end.message.stopReason).toBe("length");
  expect(events[0]).toMatchObject({ type: "warning", code: "effort" });
  expect(language.calls[0]).not.toHaveProperty("reasoning");
});

test("a model of another specification is a caller's mistake", () => {
  const old = { ...modelV4([]), specificationVersion: "v2" } as unknown as Parameters<typeof aiSdk>[0];
  expect(() => aiSdk(old)).toThrow(expect.objectContaining({ code: "invalid_option" }));
});
