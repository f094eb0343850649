import { expect, test } from "vitest";
import { checkHistory, checkRequest, type HistoryProblem } from "./history.ts";
import type { AssistantContent, Message, StopReason, ToolCall } from "./message.ts";
import { noUsage } from "./usage.ts";

const user = (text: string): Message => ({ role: "user", content: text });
const text = (value: string): AssistantContent => ({ type: "text", text: value });
const call = (id: string, name = "look"): ToolCall => ({ type: "tool_call", id, name, arguments: "{}" });
const reply = (content: readonly AssistantContent[], stopReason: StopReason = "stop"): Message => ({
  role: "assistant",
  content,
  model: "m",
  usage: noUsage,
  stopReason,
});
const answer = (callId: string, value = "done", toolName = "look"): Message => ({
  role: "tool",
  callId,
  toolName,
  content: [{ type: "text", text: value }],
  isError: false,
});
const codes = (problems: readonly HistoryProblem[]): string[] => problems.map(({ index, code }) => `${index} ${code}`);

test.each<[string, Message[]]>([
  ["nothing", []],
  ["a question and its answer", [user("hi"), reply([text("hello")])]],
  [
    "results in call order",
    [user("hi"), reply([call("a"), text(""), call("b")]), answer("a"), answer("b"), user("more")],
  ],
  [
    "parts that are no text",
    [
      { role: "user", content: [{ type: "image", url: "https://a.example/b.png" }] },
      { role: "user", content: [{ type: "file", data: "aGk=", mediaType: "text/plain" }] },
    ],
  ],
  ["messages of the user in a row", [user("hi"), user("and")]],
  ["a call without text", [user("hi"), reply([call("a")]), answer("a")]],
  ["reasoning alone", [user("hi"), reply([{ type: "reasoning", text: "", providerData: { p: { sealed: "x" } } }])]],
  ["a pause that goes on", [user("hi"), reply([text("wait")], "pause"), reply([text("done")])]],
])("%s is valid", (_, messages) => {
  expect(checkHistory(messages)).toEqual([]);
});

test.each<[string, Message[], string[]]>([
  ["a start without the user", [reply([text("hi")])], ["0 start"]],
  ["a start with a result", [answer("a"), user("hi")], ["0 start", "0 orphan"]],
  ["a call without a result at the end", [user("hi"), reply([call("a")])], ["1 unanswered"]],
  [
    "a user between call and result",
    [user("hi"), reply([call("a")]), user("stop"), answer("a")],
    ["1 unanswered", "3 orphan"],
  ],
  ["half of a batch", [user("hi"), reply([call("a"), call("b")]), answer("b")], ["2 order", "1 unanswered"]],
  [
    "results in the wrong order",
    [user("hi"), reply([call("a"), call("b")]), answer("b"), answer("a")],
    ["2 order", "3 order"],
  ],
  ["a second result", [user("hi"), reply([call("a")]), answer("a"), answer("a")], ["3 duplicate_result"]],
  [
    "a second result in the place of the next",
    [user("hi"), reply([call("a"), call("b")]), answer("b"), answer("b"), answer("a")],
    ["2 order", "3 duplicate_result", "4 order"],
  ],
  ["a result for no call", [user("hi"), reply([call("a")]), answer("a"), answer("x")], ["3 orphan"]],
  [
    "an id of an earlier turn",
    [user("hi"), reply([call("a")]), answer("a"), reply([call("a")]), answer("a")],
    ["3 duplicate_id"],
  ],
  ["an id twice in a batch", [user("hi"), reply([call("a"), call("a")]), answer("a"), answer("a")], ["1 duplicate_id"]],
  ["an empty id", [user("hi"), reply([call("")]), answer("")], ["1 empty_id"]],
  ["an empty name", [user("hi"), reply([call("a", "")]), answer("a")], ["1 empty_name"]],
  ["a result without a tool", [user("hi"), reply([call("a")]), answer("a", "done", "")], ["2 empty_name"]],
  ["an empty question", [user("hi"), user(""), { role: "user", content: [] }], ["1 empty", "2 empty"]],
  [
    "an empty reply",
    [user("hi"), reply([]), reply([text("")]), reply([{ type: "reasoning", text: "" }])],
    ["1 empty", "2 empty", "3 empty"],
  ],
  ["an empty result", [user("hi"), reply([call("a")]), answer("a", "")], ["2 empty"]],
  ["a lone surrogate in text", [user("hi\ud83d")], ["0 ill_formed"]],
  [
    "a lone surrogate in arguments",
    [user("hi"), reply([{ ...call("a"), arguments: '{"x":"\udc00"}' }]), answer("a")],
    ["1 ill_formed"],
  ],
  [
    "a value that is no JSON",
    [user("hi"), reply([call("a")]), { ...answer("a"), details: new Date(0) } as unknown as Message],
    ["2 ill_formed"],
  ],
])("%s is told", (_, messages, expected) => {
  expect(codes(checkHistory(messages))).toEqual(expected);
});

test("a problem says in words what it is about", () => {
  expect(checkHistory([user("hi"), reply([call("c1", "sleep")])])[0]?.text).toBe(
    'call "c1" of "sleep" has no result behind it',
  );
});

test("a request ends with the user or with results, or with a pause", () => {
  const turn = [user("hi"), reply([call("a")]), answer("a")];
  expect(checkRequest([user("hi")])).toEqual([]);
  expect(checkRequest(turn)).toEqual([]);
  expect(checkRequest([user("hi"), reply([text("wait")], "pause")])).toEqual([]);
  expect(codes(checkRequest([...turn, reply([text("done")])]))).toEqual(["3 end"]);
  expect(codes(checkRequest([user("hi"), reply([call("a")], "pause")]))).toEqual(["1 unanswered"]);
  expect(codes(checkRequest([]))).toEqual(["0 start"]);
});
