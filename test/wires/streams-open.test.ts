import { describe, expect, test } from "vitest";
import { hang } from "./failures/broken.ts";
import { frame } from "./raw/bedrock.ts";
import { type GrammarName, grammars } from "./raw/grammars.ts";
import { called, type Said } from "./raw/said.ts";
import { replyTo, reset, runOf, written } from "./streams.ts";
import { wires } from "./wires.ts";

const usage = { input: 10, output: 5 };
const whole: Said[] = [{ text: "All of it." }, { end: "stop", usage }];
const call: Said[] = [...called(0, "call_a", "a", '{"t":"A"}'), { end: "tool_calls", usage }];

const sseWires = wires.filter((wire) => wire.grammar !== "bedrock");

describe.each(wires)("$name", (wire) => {
  test("a whole reply counts though its connection stays open", async () => {
    const { message, parts, end } = await replyTo(wire, written(wire, whole), hang);
    expect(end.error).toBeUndefined();
    expect(message.stopReason).toBe("stop");
    expect(parts).toEqual([{ type: "text", text: "All of it." }]);
    expect(message.usage).toMatchObject({ inputTokens: 10, outputTokens: 5 });

    const { ran, outcome } = await runOf(wire, written(wire, call), hang);
    expect({ ran, outcome }).toEqual({ ran: [{ name: "a", input: { t: "A" } }], outcome: "stop" });
  });

  test("a whole reply counts though its connection breaks behind its reason to finish", async () => {
    const isEnd = (event: string | Uint8Array) => /\[DONE\]|message_stop|"choices":\[\]/.test(String(event));
    const frames = written(wire, whole);
    // Without the metadata and what else may come behind the reason.
    const body = wire.grammar === "bedrock" ? frames.slice(0, -1) : frames.filter((event) => !isEnd(event));
    const { message, parts, end } = await replyTo(wire, [...body, 50], reset);
    expect(end.error).toBeUndefined();
    expect(message.stopReason).toBe("stop");
    expect(parts).toEqual([{ type: "text", text: "All of it." }]);
  });

  test("an error ends a reply though its connection stays open", async () => {
    const kinds: { readonly [grammar in GrammarName]?: string } = {
      gemini: "UNAVAILABLE",
      bedrock: "throttlingException",
    };
    const kind = kinds[wire.grammar] ?? "overloaded_error";
    const { end } = await replyTo(wire, [grammars[wire.grammar].error(kind, "Overloaded right now")], hang);
    expect(end.error).toMatchObject({ kind: wire.grammar === "bedrock" ? "rate_limit" : "overloaded" });
  });
});

describe.each(sseWires)("$name", (wire) => {
  test("events that are called JSON are events, as they come", async () => {
    const headers = { "content-type": "application/json; charset=utf-8" };
    const body = ["\n", ...written(wire, whole)];
    for (const then of [{}, hang]) {
      const { message, parts } = await replyTo(wire, body, { headers, ...then });
      expect(message.stopReason).toBe("stop");
      expect(parts).toEqual([{ type: "text", text: "All of it." }]);
    }
  });
});

test("JSON in place of a stream that never ends does not fill the memory", async () => {
  const wire = wires.find(({ grammar }) => grammar === "chat") as (typeof wires)[number];
  const headers = { "content-type": "application/json" };
  const body = ['{"choices":[{"message":{"content":"', ...new Array<string>(65).fill("a".repeat(1 << 20))];
  const { end } = await replyTo(wire, body, { headers, ...hang });
  expect(end.error?.message).toBe("The server sent an event of more than 64 MB: it was given up.");
});

describe.each(wires.filter(({ grammar }) => grammar === "bedrock"))("$name", (wire) => {
  test("a frame that is longer than any may be is no frame: its end is not waited for", async () => {
    const long = Buffer.alloc(12);
    long.writeUInt32BE(0xf0000000);
    const before = written(wire, whole).slice(0, 2);
    const { message, parts } = await replyTo(wire, [...before, long], hang);
    expect({ parts, stopReason: message.stopReason }).toEqual({
      parts: [{ type: "text", text: "All of it." }],
      stopReason: "length",
    });
  });

  test("behind its stop a reply without metadata is whole, though its connection stays open", async () => {
    const { ran, outcome, error } = await runOf(wire, written(wire, call).slice(0, -1), hang);
    expect({ ran, outcome, error }).toMatchObject({ ran: [{ name: "a", input: { t: "A" } }], outcome: "stop" });
  });

  test("frames behind its stop that say nothing do not hold it open", async () => {
    const pinged = Array.from({ length: 200 }).flatMap(() => [frame("ping", {}), 10]);
    const frames = written(wire, whole);
    const { message } = await replyTo(wire, [...frames.slice(0, -1), ...pinged, ...frames.slice(-1)], hang);
    // What came behind them was not waited for.
    expect(message).toMatchObject({ stopReason: "stop", usage: { inputTokens: 0, outputTokens: 0 } });
  });

  test("metadata that comes a little later counts", async () => {
    const frames = written(wire, whole);
    const { message } = await replyTo(wire, [...frames.slice(0, -1), 300, ...frames.slice(-1)], hang);
    expect(message).toMatchObject({ stopReason: "stop", usage: { inputTokens: 10, outputTokens: 5 } });
  });
});

const pings = Array.from({ length: 300 }).flatMap(() => [": keep-alive\n\n", 10]);

describe.each(sseWires.filter(({ grammar }) => grammar === "chat" || grammar === "gemini"))("$name", (wire) => {
  const open = (said: readonly Said[]) => written(wire, said).filter((piece) => !String(piece).includes("[DONE]"));

  test("behind a reason to finish, silence and pings are an end", async () => {
    const { ran, outcome, error } = await runOf(wire, [...open(call), ...pings], hang);
    expect({ ran, outcome, error }).toMatchObject({ ran: [{ name: "a", input: { t: "A" } }], outcome: "stop" });
  });

  test("usage that comes a little later counts", async () => {
    const events = open(whole);
    const { message } = await replyTo(wire, [...events.slice(0, -1), 300, ...events.slice(-1)], hang);
    expect(message).toMatchObject({ stopReason: "stop", usage: { inputTokens: 10, outputTokens: 5 } });
  });

  test("a reason in every event is no end", async () => {
    const says = open([{ text: "1" }, { end: "stop", usage }, { text: "2" }, { text: "3" }]);
    const { parts } = await replyTo(wire, [...says.slice(0, -1), 1_300, ...says.slice(-1)]);
    expect(parts.map((part) => (part.type === "text" ? part.text : "")).join("")).toBe("123");
  });
});
