import { describe, expect, test } from "vitest";
import { callsOf, textOf } from "../../src/message/message.ts";
import { grammars } from "./raw/grammars.ts";
import { called, type Said } from "./raw/said.ts";
import { type Pieces, replyTo, reset, runOf, written } from "./streams.ts";
import { type Wire, wires } from "./wires.ts";

const text: Said[] = [{ text: "Par" }, { text: "tly." }];
const call = called(0, "call_a", "a", '{"t":"A"}');
const usage = { input: 10, output: 5 };
const end: Said = { end: "tool_calls", usage };

/** What was said so far, and nothing of an end. */
const openEnded = (wire: Wire, said: readonly Said[]): Pieces =>
  written(wire, said).filter((piece) => !String(piece).includes("[DONE]"));

const sseWires = wires.filter((wire) => wire.grammar !== "bedrock");

describe.each(wires)("$name", (wire) => {
  const error = (kind = "overloaded_error") => grammars[wire.grammar].error(kind, "Overloaded right now");
  const kind =
    wire.grammar === "bedrock" ? "throttlingException" : wire.grammar === "gemini" ? "UNAVAILABLE" : undefined;

  test("a clean end without a terminal event is a cut reply: text is kept, calls do not run", async () => {
    const { message, parts } = await replyTo(wire, openEnded(wire, text));
    expect(message.stopReason).toBe("length");
    expect(parts).toEqual([{ type: "text", text: "Partly." }]);

    const { ran, results, outcome } = await runOf(wire, openEnded(wire, [...text, ...call]));
    expect({ ran, outcome }).toEqual({ ran: [], outcome: "stop" });
    expect(results).toMatchObject([{ callId: "call_a", isError: true }]);
  });

  test("a clean end in the middle of an event is a cut reply", async () => {
    const [last = ""] = written(wire, [...text, { end: "stop", usage }]).slice(-1);
    const body = [...openEnded(wire, [...text, ...call]), Buffer.from(last as string).subarray(0, 9)];
    const { ran, outcome } = await runOf(wire, body);
    expect({ ran, outcome }).toEqual({ ran: [], outcome: "stop" });
    expect((await replyTo(wire, body)).message.stopReason).toBe("length");
  });

  test("wherever a reply is cut, it is whole or a cut one, and no call of a cut one is whole unless its arguments are", async () => {
    const said: Said[] = [
      { text: "Zoë" },
      ...called(0, "call_a", "a", '{"t":"Ä"}'),
      ...called(1, "call_b", "b", '{"t":1}'),
      end,
    ];
    const bytes = Buffer.concat(written(wire, said).map((piece) => Buffer.from(piece as string)));
    const whole = await replyTo(wire, [bytes]);
    for (let at = 0; at < bytes.length; at += 41) {
      const { message, parts } = await replyTo(wire, [bytes.subarray(0, at)]);
      if (message.stopReason === "tool_calls") expect(parts).toEqual(whole.parts);
      else expect(message.stopReason).toBe(parts.length === 0 ? "error" : "length");
      for (const call of callsOf(message))
        if (!call.partial) expect(() => JSON.parse(call.arguments || "{}")).not.toThrow();
    }
  });

  test("a reset behind content is an error, and nothing of the reply runs", async () => {
    const { ran, outcome, error: failure } = await runOf(wire, openEnded(wire, [...text, ...call]), reset);
    expect({ ran, outcome }).toEqual({ ran: [], outcome: "error" });
    expect(failure).toBeDefined();
    const { message, end } = await replyTo(wire, openEnded(wire, text), reset);
    expect(message.stopReason).toBe("error");
    expect(end.error?.kind).toBe("transport");
    expect(textOf(message)).toBe("Partly.");
  });

  test("STREAM-11 an error inside a 200 is the provider's error, of its kind, and the partial text is only shown", async () => {
    const { message, end, parts } = await replyTo(wire, [...openEnded(wire, text), error(kind)]);
    expect(message.stopReason).toBe("error");
    expect(parts).toEqual([{ type: "text", text: "Partly." }]);
    expect(end.error?.message).toContain("Overloaded right now");
    expect(end.error?.kind).toBe(wire.grammar === "bedrock" ? "rate_limit" : "overloaded");

    const { ran, outcome } = await runOf(wire, [...openEnded(wire, [...text, ...call]), error(kind)]);
    expect({ ran, outcome }).toEqual({ ran: [], outcome: "error" });
  });

  test("STREAM-11 an error before any content is told as what it is", async () => {
    const { message, end } = await replyTo(wire, [error(kind)]);
    expect(message.stopReason).toBe("error");
    expect(end.error?.message).toContain("Overloaded right now");
  });

  test("STREAM-11 a stream that says nothing and closes is no reply", async () => {
    const { message, end } = await replyTo(wire, []);
    expect(message.stopReason).toBe("error");
    expect(end.error?.kind).toBe("transport");
  });
});

const shapes: readonly (readonly [string, string])[] = [
  ["without a name or type", 'data: {"error":{"message":"Overloaded right now"}}\n\n'],
  ["as a text", 'data: {"error":"Overloaded right now"}\n\n'],
  ["as a bare message", 'data: {"message":"Overloaded right now","code":503}\n\n'],
  ["as a detail", 'data: {"detail":"Overloaded right now"}\n\n'],
  ["named by its event alone", 'event: error\ndata: {"message":"Overloaded right now"}\n\n'],
  ["as plain words", "event: error\ndata: Overloaded right now\n\n"],
];

describe.each(sseWires)("$name", (wire) => {
  test.each(shapes)("STREAM-11 an error %s is told", async (_, event) => {
    const { message, end } = await replyTo(wire, [...openEnded(wire, text), event]);
    expect(message.stopReason).toBe("error");
    expect(end.error?.message).toContain("Overloaded right now");
    expect(textOf(message)).toBe("Partly.");
  });

  test.each([
    ["auth", { type: "authentication_error" }],
    ["auth", { code: 401 }],
    ["invalid", { type: "invalid_request_error" }],
    ["invalid", { code: "400" }],
    ["rate_limit", { type: "rate_limit_error" }],
    ["rate_limit", { status: "RESOURCE_EXHAUSTED" }],
    ["rate_limit", { code: 429 }],
    ["overloaded", { code: 503 }],
    ["quota", { type: "insufficient_quota", code: 429 }],
  ])("STREAM-11 an error of another provider's making is still %s: %o", async (kind, codes) => {
    const error = JSON.stringify({ error: { message: "No.", ...codes } });
    const headers = { "content-type": "application/json" };
    const told = [
      await replyTo(wire, [`data: ${error}\n\n`]),
      await replyTo(wire, [...openEnded(wire, text), `data: ${error}\n\n`]),
      await replyTo(wire, [error], { headers }),
    ];
    expect(told.map(({ end }) => end.error?.kind)).toEqual([kind, kind, kind]);
  });

  test("STREAM-11 an error in place of a stream is told", async () => {
    const headers = { "content-type": "application/json" };
    const { message, end } = await replyTo(wire, ['{\n"error": {"message": "Overloaded right now"}\n}'], { headers });
    expect(message.stopReason).toBe("error");
    expect(end.error?.message).toContain("Overloaded right now");
  });

  test.each([
    ["words", "data: keep alive\n\n", []],
    ["a value", "data: null\n\n", []],
    ["half an event", 'data: {"choices":[{"delta":{"con\n\n', []],
  ])("a line that holds %s is left out, the reply goes on, and that is said once", async (_, line) => {
    const [first, ...rest] = written(wire, [...text, { end: "stop", usage }]);
    const { message, parts, warnings } = await replyTo(wire, [line, first as string, line, ...rest]);
    expect(parts).toEqual([{ type: "text", text: "Partly." }]);
    expect(message.stopReason).toBe("stop");
    expect(message.usage).toMatchObject({ inputTokens: 10, outputTokens: 5 });
    expect(warnings).toEqual(["unreadable_event"]);
  });

  test("words between the pieces of a call cost nothing of it", async () => {
    const pieces = written(wire, [...call, end]);
    const { ran, outcome } = await runOf(
      wire,
      pieces.flatMap((piece) => [piece, "data: PING\n\n"]),
    );
    expect({ ran, outcome }).toEqual({ ran: [{ name: "a", input: { t: "A" } }], outcome: "stop" });
  });

  test("half an event between the pieces of a call may have been one of them: the call does not run", async () => {
    const [first, ...rest] = written(wire, [...call, end]);
    const { ran, results, outcome } = await runOf(wire, [first as string, 'data: {"half\n\n', ...rest]);
    expect({ ran, outcome }).toEqual({ ran: [], outcome: "stop" });
    expect(results).toMatchObject([{ callId: "call_a", isError: true }]);
  });
});
