import { expect, test } from "vitest";
import type { AssistantMessage, Message } from "../../message/message.ts";
import { noUsage } from "../../message/usage.ts";
import { historyConverter } from "./history.ts";

const reply = (content: AssistantMessage["content"]): AssistantMessage => ({
  role: "assistant",
  content,
  model: "m",
  usage: noUsage,
  stopReason: "stop",
});
const call = (id: string, args: string) => ({ type: "tool_call", id, name: "read", arguments: args }) as const;
const result = (callId: string, text: string): Message => ({
  role: "tool",
  callId,
  toolName: "read",
  content: [{ type: "text", text }],
  isError: false,
});
const written = (params: object, text: string, startsNewChunk: boolean) => ({
  type: "functionCall",
  name: "read",
  params,
  result: text,
  startsNewChunk,
});

const notice = "[If this is enough, answer the user in plain text now. If not, call another tool.]";

test("replies and results up to the next user message are one item", () => {
  const messages: Message[] = [
    { role: "user", content: "Read." },
    reply([
      { type: "reasoning", text: "Two files." },
      { type: "text", text: "Both:" },
      call("1", '{"path":"a"}'),
      call("2", "{ broken"),
    ]),
    result("1", "A"),
    result("2", "No."),
    reply([call("3", '{"path":"b"}')]),
    result("3", "B"),
    reply([{ type: "text", text: "A and B." }]),
    {
      role: "user",
      content: [
        { type: "text", text: "Thanks" },
        { type: "image", data: "", mediaType: "image/png" },
      ],
    },
  ];
  expect(historyConverter(true)("Be brief.", messages)).toEqual([
    { type: "system", text: "Be brief." },
    { type: "user", text: "Read." },
    {
      type: "model",
      response: [
        { type: "segment", segmentType: "thought", text: "Two files.", ended: true },
        "Both:",
        written({ path: "a" }, "A", true),
        written({}, `No.\n\n${notice}`, false),
        written({ path: "b" }, `B\n\n${notice}`, true),
        "A and B.",
      ],
    },
    { type: "user", text: "Thanks\n(an image, which you cannot see)" },
  ]);
  expect(JSON.stringify(historyConverter(false)(undefined, messages))).not.toContain("Two files");
});

test("a user message behind results stands with them, not behind a reply without a word", () => {
  const messages: Message[] = [
    { role: "user", content: "Read." },
    reply([call("1", "{}")]),
    result("1", "A"),
    { role: "user", content: "Answer now." },
  ];
  const [, model, ...rest] = historyConverter(false)(undefined, messages);
  expect(model).toEqual({ type: "model", response: [written({}, "A\n\nAnswer now.", true)] });
  expect(rest).toEqual([]);
});

test("the notice stands once, behind the last result of a reply, whatever their order, and stays", () => {
  const convert = historyConverter(false);
  const messages: Message[] = [
    { role: "user", content: "Read." },
    reply([call("1", "{}"), call("2", "{}")]),
    result("2", "B\n"),
    result("1", "A\n"),
  ];
  const both = [written({}, "A\n", true), written({}, `B\n\n${notice}`, false)];
  expect(convert(undefined, messages)[1]).toEqual({ type: "model", response: both });
  messages.push(reply([{ type: "text", text: "A and B." }]), { role: "user", content: "Again." });
  const [, model] = convert(undefined, messages);
  expect(model).toEqual({ type: "model", response: [...both, "A and B."] });
});

test("behind a call that failed another notice stands, which gives way to a user message, too", () => {
  const messages: Message[] = [
    { role: "user", content: "Read." },
    reply([call("1", "{}")]),
    { ...(result("1", "No file.") as Extract<Message, { role: "tool" }>), isError: true },
  ];
  const convert = historyConverter(false);
  const failed =
    "No file.\n\n[The call failed. Correct it and call again, or call another tool. If nothing helps, say so.]";
  expect(convert(undefined, messages)[1]).toEqual({ type: "model", response: [written({}, failed, true)] });
  messages.push({ role: "user", content: "Answer now." });
  const response = [written({}, "No file.\n\nAnswer now.", true)];
  expect(convert(undefined, messages)[1]).toEqual({ type: "model", response });
});

test("a growing history is converted on from where it was; a shorter one anew", () => {
  const convert = historyConverter(false);
  const messages: Message[] = [{ role: "user", content: "One." }];
  const first = convert(undefined, messages)[0];
  messages.push(reply([{ type: "text", text: "Two." }]));
  const items = convert(undefined, messages);
  expect(items).toHaveLength(2);
  expect(items[0]).toBe(first);
  messages.length = 1;
  expect(convert(undefined, messages)).toHaveLength(1);
});
