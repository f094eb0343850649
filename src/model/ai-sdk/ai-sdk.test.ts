import { describe, expect, test } from "vitest";
import { ask } from "../../../test/wires/ask.ts";
import {
  type Answer,
  callParts,
  finish,
  modelV3,
  modelV4,
  type Part,
  textParts,
} from "../../../test/wires/language-model.ts";
import { callsOf, type Message, textOf } from "../../message/message.ts";
import type { ModelRequest } from "../model.ts";
import { aiSdk } from "./ai-sdk.ts";

const request = (messages: readonly Message[] = [{ role: "user", content: "Hi" }]): ModelRequest => ({
  messages,
  tools: [],
  toolChoice: "auto",
});

const ids = () => {
  let count = 0;
  return () => `new_${++count}`;
};

/** What one answer becomes; retries are off. */
async function reply(answer: Answer, messages?: readonly Message[]) {
  return ask(aiSdk(modelV4([answer]), { newId: ids(), retry: { retries: 0 } }), request(messages));
}

const replyTo = (...parts: Part[]) => reply({ parts });

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

describe("calls", () => {
  test("STREAM-01 pieces of calls that stream at once go to their own call", async () => {
    const { end } = await replyTo(
      { type: "tool-input-start", id: "A", toolName: "a" },
      { type: "tool-input-start", id: "B", toolName: "b" },
      { type: "tool-input-delta", id: "A", delta: '{"t":"A' },
      { type: "tool-input-delta", id: "B", delta: '{"t":"B' },
      { type: "tool-input-delta", id: "A", delta: '"}' },
      { type: "tool-input-delta", id: "B", delta: '"}' },
      { type: "tool-input-end", id: "A" },
      { type: "tool-input-end", id: "B" },
      finish("tool-calls"),
    );
    expect(callsOf(end.message)).toEqual([
      { type: "tool_call", id: "A", name: "a", arguments: '{"t":"A"}' },
      { type: "tool_call", id: "B", name: "b", arguments: '{"t":"B"}' },
    ]);
  });

  test("STREAM-07 the final call replaces what streamed, and a repeat of it is no second call", async () => {
    const final: Part = { type: "tool-call", toolCallId: "c", toolName: "f", input: '{"c":1}' };
    const { events, end } = await replyTo(
      ...callParts("c", "f", '{"c":', '{"c":1}').slice(0, -1),
      final,
      final,
      finish("stop"),
    );
    expect(callsOf(end.message)).toEqual([{ type: "tool_call", id: "c", name: "f", arguments: '{"c":1}' }]);
    expect(events.filter((event) => event.type === "call_end")).toHaveLength(1);
  });

  test("a call that comes whole streams its arguments in one piece", async () => {
    const { events } = await replyTo(
      { type: "tool-call", toolCallId: "c", toolName: "f", input: '{"a":1}' },
      finish("tool-calls"),
    );
    expect(events.slice(0, -1)).toEqual([
      { type: "call_start", id: "c", name: "f" },
      { type: "call_delta", id: "c", delta: '{"a":1}' },
      { type: "call_end", id: "c" },
    ]);
  });

  test("ID-04 calls without an id get one each, in order", async () => {
    const { end } = await replyTo(
      { type: "tool-input-start", id: "", toolName: "a" },
      { type: "tool-input-delta", id: "", delta: "1" },
      { type: "tool-input-start", id: "", toolName: "b" },
      { type: "tool-input-delta", id: "", delta: "2" },
      { type: "tool-call", toolCallId: "", toolName: "a", input: "1" },
      { type: "tool-call", toolCallId: "", toolName: "b", input: "2" },
      { type: "tool-call", toolCallId: undefined, toolName: undefined, input: "" } as unknown as Part,
      finish("tool-calls"),
    );
    expect(callsOf(end.message)).toEqual([
      { type: "tool_call", id: "new_1", name: "a", arguments: "1" },
      { type: "tool_call", id: "new_2", name: "b", arguments: "2" },
      { type: "tool_call", id: "new_3", name: "", arguments: "" },
    ]);
  });

  test("ID-02 an id that the history or the reply holds already is replaced", async () => {
    const model = aiSdk(
      modelV4([{ parts: [...callParts("x:0", "f", '{"n":2}'), ...callParts("x:0", "f", '{"n":3}'), finish("stop")] }]),
      { newId: ids() },
    );
    const { end: old } = await ask(model, request());
    expect(callsOf(old.message).map((call) => call.id)).toEqual(["x:0", "new_1"]);
    const { end } = await ask(model, request([{ role: "user", content: "Hi" }, old.message]));
    expect(callsOf(end.message).map((call) => call.id)).toEqual(["new_2", "new_3"]);
  });

  test("names that no provider takes go out and come back", async () => {
    const language = modelV4([{ parts: [] }]);
    const tools = [{ name: "fs/read.all", description: "Reads.", parameters: { type: "object" } }];
    language.doStream = async (options) => {
      const [sent] = options.tools ?? [];
      expect(sent?.name).toMatch(/^fs_read_all_[a-z0-9]+$/);
      const parts = [...callParts("c", sent?.name ?? "", "{}"), finish("tool-calls")];
      return {
        stream: new ReadableStream({
          start(out) {
            for (const part of parts) out.enqueue(part);
            out.close();
          },
        }),
      };
    };
    const { end } = await ask(aiSdk(language), { ...request(), tools });
    expect(callsOf(end.message).map((call) => call.name)).toEqual(["fs/read.all"]);
  });
});

describe("endings", () => {
  const half = callParts("c", "write", '{"path":"a","text":"abc');

  test("a cut reply keeps its half call, marked", async () => {
    const { end } = await replyTo(...textParts("so"), ...half, finish("length"));
    expect(end.message.stopReason).toBe("length");
    expect(callsOf(end.message)).toMatchObject([{ id: "c", partial: true, arguments: '{"path":"a","text":"abc' }]);
  });

  test("a whole call in a cut reply is not marked", async () => {
    const { end } = await replyTo(...callParts("c", "f", "{}"), ...textParts("so"), finish("length"));
    expect(callsOf(end.message)).toEqual([{ type: "tool_call", id: "c", name: "f", arguments: "{}" }]);
  });

  test("STOP-02 a half call behind a normal finish stays raw, for its answer to say so", async () => {
    const { end } = await replyTo(...half, finish("tool-calls"));
    expect(callsOf(end.message)).toEqual([
      { type: "tool_call", id: "c", name: "write", arguments: '{"path":"a","text":"abc' },
    ]);
  });

  test("a refusal drops the half call and keeps the text", async () => {
    const { end } = await replyTo(...textParts("I"), ...half, finish("content-filter"));
    expect(end.message).toMatchObject({ stopReason: "refusal", content: [{ type: "text", text: "I" }] });
  });

  test("a stream that merely ends is cut", async () => {
    const { end } = await replyTo(...textParts("Par"));
    expect(end.message.stopReason).toBe("length");
    expect(end.error).toBe(undefined);
  });

  test("a compatible server's stream that merely ends is cut too", async () => {
    const error = { message: "Response stream ended without a finish reason." };
    const { end } = await replyTo(...textParts("Par"), { type: "error", error }, finish("error"));
    expect(end.message.stopReason).toBe("length");
  });

  test.each([
    ["no parts", []],
    ["an interrupted finish", [{ ...finish("interrupted"), usage: { inputTokens: {}, outputTokens: {} } } as Part]],
  ])("STREAM-11 nothing at all is an error: %s", async (_, parts) => {
    const { end } = await reply({ parts });
    expect(end.message).toMatchObject({ stopReason: "error", content: [] });
    expect(end.error?.kind).toBe("transport");
  });

  test.each([
    ["at the end", []],
    ["before a normal finish", [finish("stop")]],
  ])("STREAM-11 an error inside the stream is an error %s", async (_, rest) => {
    const error = { type: "overloaded_error", message: "Overloaded" };
    const { end } = await replyTo(...textParts("Par"), ...half.slice(0, 2), { type: "error", error }, ...rest);
    expect(end.message).toMatchObject({ stopReason: "error", content: [{ type: "text", text: "Par" }] });
    expect(end.error).toEqual({ kind: "overloaded", message: "Overloaded" });
  });

  test("of several errors the first one is told", async () => {
    const { end } = await replyTo(
      ...textParts("Par"),
      { type: "error", error: "first" },
      { type: "error", error: "second" },
    );
    expect(end.error?.message).toBe("first");
  });

  test("a stream that breaks after content is an error and is not tried again", async () => {
    const language = modelV4([{ parts: textParts("Par"), thenThrow: new TypeError("terminated") }]);
    const { events, end } = await ask(aiSdk(language), request());
    expect(events.map((event) => event.type)).toEqual(["text", "end"]);
    expect(textOf(end.message)).toBe("Par");
    expect(end.error).toEqual({ kind: "transport", message: "terminated" });
    expect(language.calls).toHaveLength(1);
  });

  test("an error that a finish reports is an error", async () => {
    const { end } = await replyTo(finish("error", "MALFORMED_FUNCTION_CALL"));
    expect(end.error).toEqual({
      kind: "unknown",
      message: 'test.chat ended the reply with "MALFORMED_FUNCTION_CALL".',
    });
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
    expect(language.calls[2]).toEqual(language.calls[0]);
  });
});

describe("aborts", () => {
  test("a hanging stream ends at once with what came, its half call left out", async () => {
    const parts = [...textParts("Par"), ...callParts("c", "f", '{"a":').slice(0, 2)];
    const model = aiSdk(modelV4([{ parts, hang: true }]));
    const controller = new AbortController();
    let end: unknown;
    for await (const event of model.stream(request(), controller.signal)) {
      if (event.type === "call_delta") controller.abort("enough");
      if (event.type === "end") end = event;
    }
    expect(end).toMatchObject({
      message: { stopReason: "aborted", content: [{ type: "text", text: "Par" }] },
      error: { kind: "aborted" },
    });
  });

  test("a request that never answers ends at once", async () => {
    const language = modelV4([]);
    language.doStream = () => new Promise(() => {});
    const controller = new AbortController();
    const asked = ask(aiSdk(language), request(), controller.signal);
    controller.abort();
    expect((await asked).end.message.stopReason).toBe("aborted");
  });

  test("NET-08 a request that fails because of the abort is not tried again", async () => {
    const language = modelV4([]);
    let asked = 0;
    language.doStream = ({ abortSignal }) => {
      asked += 1;
      return new Promise((_, reject) => {
        abortSignal?.addEventListener("abort", () => reject(new DOMException("fetch failed", "AbortError")));
      });
    };
    const controller = new AbortController();
    const answer = ask(aiSdk(language), request(), controller.signal);
    await Promise.resolve();
    controller.abort({ reason: "mine" });
    const { events } = await answer;
    expect(events).toMatchObject([{ type: "end", message: { stopReason: "aborted" }, error: { kind: "aborted" } }]);
    expect(asked).toBe(1);
  });

  test("a fired signal sends nothing", async () => {
    const language = modelV4([{ parts: [...textParts("a"), finish("stop")] }]);
    const { events } = await ask(aiSdk(language), request(), AbortSignal.abort());
    expect(events.map((event) => event.type)).toEqual(["end"]);
    expect(language.calls).toEqual([]);
  });

  test("a reader that stops early cancels the stream", async () => {
    let cancelled = false;
    const language = modelV4([]);
    language.doStream = async () => ({
      stream: new ReadableStream<Part>({
        start(out) {
          for (const part of textParts("a")) out.enqueue(part);
        },
        cancel: () => {
          cancelled = true;
        },
      }),
    });
    for await (const event of aiSdk(language).stream(request(), new AbortController().signal)) {
      expect(event).toEqual({ type: "text", delta: "a" });
      break;
    }
    expect(cancelled).toBe(true);
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
