import { describe, expect, test } from "vitest";
import { ask, replyTo, request } from "../../../test/wires/ask.ts";
import { callParts, finish, modelV4, type Part, textParts } from "../../../test/wires/language-model.ts";
import { callsOf, textOf } from "../../message/message.ts";
import { aiSdk } from "./ai-sdk.ts";

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
    ["no parts", [] as Part[]],
    ["an interrupted finish", [{ ...finish("interrupted"), usage: { inputTokens: {}, outputTokens: {} } } as Part]],
  ])("STREAM-11 nothing at all is an error: %s", async (_, parts) => {
    const { end } = await replyTo(...parts);
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
    expect(end.error).toEqual({ kind: "transport", message: "The connection was lost before the reply had ended." });
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
    await expect.poll(() => asked).toBe(1);
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
