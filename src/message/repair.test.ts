import { expect, test } from "vitest";
import { RondoError } from "../error.ts";
import { checkHistory } from "./history.ts";
import type { AssistantContent, Message, ToolCall } from "./message.ts";
import { repairHistory } from "./repair.ts";
import { noUsage } from "./usage.ts";

const user = (content: string): Message => ({ role: "user", content });
const text = (value: string): AssistantContent => ({ type: "text", text: value });
const call = (id: string, name = "look"): ToolCall => ({ type: "tool_call", id, name, arguments: "{}" });
const reply = (...content: AssistantContent[]): Message => ({
  role: "assistant",
  content,
  model: "m",
  usage: noUsage,
  stopReason: "stop",
});
const answer = (callId: string, value = "done", toolName = "look"): Message => ({
  role: "tool",
  callId,
  toolName,
  content: [{ type: "text", text: value }],
  isError: false,
});
const unknown = (callId: string, toolName = "look"): Message =>
  ({
    ...answer(callId, expect.stringMatching(/^No result was recorded for this call\..*unknown/), toolName),
    isError: true,
  }) as Message;

test("a valid history comes back as the very same array", () => {
  const messages = [user("hi"), reply(call("a")), answer("a"), reply(text("done"))];
  const repaired = repairHistory(messages);
  expect(repaired.messages).toBe(messages);
  expect(repaired.repairs).toEqual([]);
  expect(repairHistory([]).messages).toEqual([]);
});

test.each<[string, Message[], Message[]]>([
  [
    "PAIR-01: a call that was never answered",
    [user("hi"), reply(call("a")), user("go on")],
    [user("hi"), reply(call("a")), unknown("a"), user("go on")],
  ],
  [
    "PAIR-03: one call of a batch that was never answered",
    [user("hi"), reply(call("a"), call("b"), call("c")), answer("a"), answer("c")],
    [user("hi"), reply(call("a"), call("b"), call("c")), answer("a"), unknown("b"), answer("c")],
  ],
  [
    "PAIR-05: a call that was cut inside its arguments",
    [user("hi"), reply({ ...call("a"), arguments: '{"x":', partial: true })],
    [
      user("hi"),
      reply({ ...call("a"), arguments: '{"x":', partial: true }),
      { ...answer("a", "This call was not run: the reply was cut inside its arguments."), isError: true } as Message,
    ],
  ],
  [
    "PAIR-07: text between call and results",
    [user("hi"), reply(call("a"), call("b")), answer("a"), user("stop"), answer("b")],
    [user("hi"), reply(call("a"), call("b")), answer("a"), answer("b"), user("stop")],
  ],
  [
    "results in the order in which they were done",
    [user("hi"), reply(call("a"), call("b")), answer("b", "2"), answer("a", "1")],
    [user("hi"), reply(call("a"), call("b")), answer("a", "1"), answer("b", "2")],
  ],
  [
    "PAIR-09: a batch cut in half at the beginning",
    [answer("b"), user("hi"), reply(text("hello"))],
    [user("hi"), reply(text("hello"))],
  ],
  [
    "a result that was written before its reply",
    [user("hi"), answer("a"), reply(call("a"))],
    [user("hi"), reply(call("a")), answer("a")],
  ],
  [
    "an early result gives way to the one behind the call",
    [user("hi"), answer("a", "early"), reply(call("a")), answer("a", "own")],
    [user("hi"), reply(call("a")), answer("a", "own")],
  ],
  [
    "a result of a turn that is gone is not that of a later call",
    [user("hi"), answer("shell:0"), user("again"), reply(call("shell:0"))],
    [user("hi"), user("again"), reply(call("shell:0")), unknown("shell:0")],
  ],
  [
    "a second result for a call",
    [user("hi"), reply(call("a")), answer("a", "1"), answer("a", "2")],
    [user("hi"), reply(call("a")), answer("a", "1")],
  ],
  [
    "ID-02: an id that is used again in a later turn",
    [user("1"), reply(call("s:0")), answer("s:0", "1"), user("2"), reply(call("s:0")), answer("s:0", "2")],
    [user("1"), reply(call("s:0")), answer("s:0", "1"), user("2"), reply(call("s:0_2")), answer("s:0_2", "2")],
  ],
  [
    "ID-02: the first of two calls of an id was never answered",
    [user("1"), reply(call("s:0")), user("2"), reply(call("s:0")), answer("s:0", "2")],
    [user("1"), reply(call("s:0")), unknown("s:0"), user("2"), reply(call("s:0_2")), answer("s:0_2", "2")],
  ],
  [
    "an id twice in one batch",
    [user("1"), reply(call("a"), call("a")), answer("a", "1"), answer("a", "2")],
    [user("1"), reply(call("a"), call("a_2")), answer("a", "1"), answer("a_2", "2")],
  ],
  [
    "ID-04: an empty id with an empty name, with its result and without",
    [user("1"), reply(call("", "")), answer("", "1", ""), user("2"), reply(call("", ""))],
    [
      user("1"),
      reply(call("call_1", "unnamed_tool")),
      answer("call_1", "1", "unnamed_tool"),
      user("2"),
      reply(call("call_2", "unnamed_tool")),
      unknown("call_2", "unnamed_tool"),
    ],
  ],
  [
    "STOP-10: an empty reply",
    [user("hi"), reply(call("a")), answer("a"), reply(), user("more"), reply(text(""))],
    [user("hi"), reply(call("a")), answer("a"), user("more")],
  ],
  ["an empty question", [user(""), user("hi")], [user("hi")]],
  [
    "an empty result",
    [user("hi"), reply(call("a")), answer("a", "")],
    [user("hi"), reply(call("a")), answer("a", "(no content)")],
  ],
  [
    "lone surrogates, also in ids",
    [user("a\ud83d"), reply(call("x\ud83d")), answer("x\ud83d", "\udc00")],
    [user("a\ufffd"), reply(call("x\ufffd")), answer("x\ufffd", "\ufffd")],
  ],
])("%s", (_, messages, expected) => {
  const before = structuredClone(messages);
  const { messages: repaired, repairs } = repairHistory(messages);
  expect(repaired).toEqual(expected);
  expect(repairs.length).toBeGreaterThan(0);
  for (const repair of repairs) expect(repair).toMatch(/^message \d+: /);
  expect(checkHistory(repaired)).toEqual([]);
  expect(repairHistory(repaired).messages).toBe(repaired);
  expect(messages).toEqual(before);
});

test("SHAPE-03: a reply with null content is dropped, one with calls and no text is kept", () => {
  const nothing = { ...reply(), content: null } as unknown as Message;
  const { messages } = repairHistory([user("hi"), nothing, reply(text(""), call("a")), answer("a")]);
  expect(messages).toEqual([user("hi"), reply(text(""), call("a")), answer("a")]);
});

test("messages that are fine are the very same objects", () => {
  const messages = [user("hi"), reply(call("a")), answer("a"), reply(), reply(text("x"))];
  const repaired = repairHistory(messages).messages;
  expect(repaired.map((message) => messages.indexOf(message))).toEqual([0, 1, 2, 4]);
});

test("the same reply twice by reference has results for both", () => {
  const twice = reply(call("a"));
  const { messages } = repairHistory([user("hi"), twice, answer("a", "1"), twice, answer("a", "2")]);
  expect(messages).toEqual([user("hi"), twice, answer("a", "1"), reply(call("a_2")), answer("a_2", "2")]);
});

test.each<[string, unknown, RegExp]>([
  ["no array", { role: "user" }, /expected an array of messages/],
  ["an item that is no message", [user("hi"), null], /message 1 is no message but null/],
  ["a hole", Array(1), /message 0 is no message but undefined/],
  [
    "a start with a reply",
    [user(""), answer("x"), reply(text("hi"))],
    /message 2 comes first and has role "assistant"/,
  ],
])("%s cannot be repaired", (_, messages, problem) => {
  try {
    repairHistory(messages as Message[]);
  } catch (error) {
    expect(RondoError.isInstance(error) && error.code).toBe("invalid_history");
    expect((error as Error).message).toMatch(problem);
    return;
  }
  expect.unreachable();
});
