import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { callsOf, type StopReason, textOf } from "../message/message.ts";
import { noUsage } from "../message/usage.ts";
import { collect, mergeProviderData, replyFromEvents, startReply } from "./collect.ts";
import type { ModelEvent } from "./model.ts";

const text = (delta: string): ModelEvent => ({ type: "text", delta });
const call = (id: string, ...deltas: string[]): ModelEvent[] => [
  { type: "call_start", id, name: "f" },
  ...deltas.map((delta): ModelEvent => ({ type: "call_delta", id, delta })),
];
const callEnd = (id: string): ModelEvent => ({ type: "call_end", id });

test("neighbouring deltas are one block, blocks keep their order, empty ones go", () => {
  const reply = startReply("m");
  reply.text("");
  reply.reasoning("a");
  reply.reasoning("b");
  reply.text("c");
  reply.text("d");
  reply.callStart("1", "f");
  reply.callDelta("1", "{}");
  reply.text("e");
  reply.callEnd("1");
  reply.callDelta("unknown", "x");
  reply.callEnd("unknown");
  expect(reply.finish({ stopReason: "stop" })).toEqual({
    role: "assistant",
    content: [
      { type: "reasoning", text: "ab" },
      { type: "text", text: "cd" },
      { type: "tool_call", id: "1", name: "f", arguments: "{}" },
      { type: "text", text: "e" },
    ],
    model: "m",
    usage: noUsage,
    stopReason: "stop",
  });
});

test("text without anything but data goes, reasoning with data stays", () => {
  const reply = startReply("m");
  reply.providerData("text", { p: { id: 1 } }, "t");
  reply.providerData("reasoning", { p: { id: 2 } }, "r");
  expect(reply.finish({ stopReason: "stop" }).content).toEqual([
    { type: "reasoning", text: "", providerData: { p: { id: 2 } } },
  ]);
});

test("a key that is used again after its block ended is another block", () => {
  const reply = startReply("m");
  for (const part of ["a", "b"]) {
    reply.reasoning(part, "0");
    reply.providerData("reasoning", { p: { part } }, "0");
    reply.blockEnd("reasoning", "0");
  }
  expect(reply.finish({ stopReason: "stop" }).content).toEqual([
    { type: "reasoning", text: "a", providerData: { p: { part: "a" } } },
    { type: "reasoning", text: "b", providerData: { p: { part: "b" } } },
  ]);
});

test("data in several pieces adds up by provider", () => {
  expect(mergeProviderData({ a: { x: 1, y: 1 }, c: { z: 1 } }, { a: { y: 2 }, b: { w: 1 } })).toEqual({
    a: { x: 1, y: 2 },
    b: { w: 1 },
    c: { z: 1 },
  });
});

describe("calls whose arguments had not ended", () => {
  const events = [text("so"), ...call("whole", "{}"), callEnd("whole"), ...call("half", '{"a"')];
  const kept = (stopReason: StopReason) => callsOf(replyFromEvents("m", events, stopReason));

  test.each(["error", "aborted", "refusal"] as const)("go when the reply ended %s", (stopReason) => {
    expect(kept(stopReason).map((one) => one.id)).toEqual(["whole"]);
  });

  test.each(["length", "stop", "tool_calls", "pause"] as const)("stay marked when it ended %s", (stopReason) => {
    expect(kept(stopReason).map((one) => [one.id, one.partial])).toEqual([
      ["whole", undefined],
      ["half", true],
    ]);
  });

  test("a call that the end of a cut reply ended counts as half when it cannot be read", () => {
    const ended = [...call("a", '{"x":'), callEnd("a")];
    expect(callsOf(replyFromEvents("m", ended, "length"))).toMatchObject([{ id: "a", partial: true }]);
    expect(callsOf(replyFromEvents("m", ended, "aborted"))).toEqual([]);
    expect(callsOf(replyFromEvents("m", ended, "stop"))[0]).not.toHaveProperty("partial");
  });
});

describe("collect", () => {
  test("makes a message of a stream without an end", () => {
    const collector = collect("m");
    for (const event of [text("a"), text("b"), { type: "warning", code: "w", message: "w" } as const])
      collector.push(event);
    expect(collector.message("error")).toMatchObject({ content: [{ type: "text", text: "ab" }], stopReason: "error" });
  });

  test("gives the model's own message when there is one", () => {
    const message = replyFromEvents("m", [text("final")], "stop");
    const collector = collect("m");
    collector.push(text("a"));
    collector.push({ type: "end", message });
    expect(collector.message("error")).toBe(message);
  });

  test("forgets what came before the request was sent again", () => {
    const collector = collect("m");
    collector.push(text("a"));
    collector.push({ type: "retry", attempt: 1, delayMs: 0, error: { kind: "transport", message: "x" } });
    collector.push(text("b"));
    expect(textOf(collector.message("length"))).toBe("b");
  });
});

test("however text is cut into deltas, the message is the same", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 30 }), (deltas) => {
      const message = replyFromEvents("m", deltas.map(text), "stop");
      expect(textOf(message)).toBe(deltas.join(""));
      expect(message.content.length).toBe(deltas.join("") === "" ? 0 : 1);
    }),
    { numRuns: 300 },
  );
});
