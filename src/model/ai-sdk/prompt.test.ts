import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import { modelV3, modelV4 } from "../../../test/wires/language-model.ts";
import type { AssistantContent, Message, ToolResultMessage } from "../../message/message.ts";
import { noUsage } from "../../message/usage.ts";
import { historyConverter } from "./prompt.ts";
import { wireNames } from "./wire-names.ts";

const user = (content: string): Message => ({ role: "user", content });
const assistant = (...content: AssistantContent[]): Message => ({
  role: "assistant",
  content,
  model: "m",
  usage: noUsage,
  stopReason: "stop",
});
const call = (id: string, args: string, more: object = {}): AssistantContent => ({
  type: "tool_call",
  id,
  name: "f",
  arguments: args,
  ...more,
});
const result = (callId: string, more: Partial<ToolResultMessage> = {}): ToolResultMessage => ({
  role: "tool",
  callId,
  toolName: "f",
  content: [{ type: "text", text: callId }],
  isError: false,
  ...more,
});
/** A converter for a model of a provider that nobody knows, whose own replies are those of `assistant`. */
const converter = (version: "v3" | "v4" = "v4", provider = "anthropic.messages") => {
  const model = version === "v3" ? modelV3([], { provider }) : modelV4([], { provider });
  const historyOf = historyConverter(model, "m", wireNames());
  return (messages: readonly Message[]) => historyOf(messages, false);
};
const convert = (messages: readonly Message[], version?: "v3" | "v4", provider?: string): LanguageModelV4Prompt =>
  converter(version, provider)(messages).prompt(undefined);

test("reasoning, text and calls keep order and data", () => {
  const signed = { anthropic: { signature: "S" } };
  const direct = { anthropic: { caller: { type: "direct" } } };
  const [message] = convert([
    assistant(
      { type: "reasoning", text: "Hm", providerData: signed },
      { type: "text", text: "Look" },
      call("a", '{"q":1}', { providerData: direct }),
    ),
  ]);
  expect(message).toEqual({
    role: "assistant",
    content: [
      { type: "reasoning", text: "Hm", providerOptions: signed },
      { type: "text", text: "Look" },
      { type: "tool-call", toolCallId: "a", toolName: "f", input: { q: 1 }, providerOptions: direct },
    ],
  });
});

test.each([
  ["blank", call("a", "  ")],
  ["broken", call("a", '{"q":')],
  ["cut", call("a", '{"q":1}', { partial: true })],
  ["a list", call("a", "[1]")],
  ["a text", call("a", '"{}"')],
  ["null", call("a", "null")],
])("arguments that are %s go out as {}", (_, part) => {
  const [sent] = convert([assistant(part)])[0]?.content ?? [];
  expect(sent).toEqual({ type: "tool-call", toolCallId: "a", toolName: "f", input: {} });
});

test("neighbouring results share one message, in order; a nameless call gets a legal name", () => {
  const prompt = convert([
    assistant(call("a", "{}"), { type: "tool_call", id: "b", name: "", arguments: "{}" }),
    result("a"),
    result("b", { toolName: "", isError: true }),
    user("next"),
  ]);
  expect(prompt.map((message) => message.role)).toEqual(["assistant", "tool", "user"]);
  const wireName = expect.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
  expect(prompt[1]?.content).toEqual([
    { type: "tool-result", toolCallId: "a", toolName: "f", output: { type: "text", value: "a" } },
    { type: "tool-result", toolCallId: "b", toolName: wireName, output: { type: "error-text", value: "b" } },
  ]);
});

const image = { type: "image", data: "AAAA", mediaType: "image/png" } as const;

test.each([
  [
    "text parts, joined",
    [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ],
    false,
    { type: "text", value: "ab" },
  ],
  ["JSON", [{ type: "json", value: { a: 1 } }], false, { type: "json", value: { a: 1 } }],
  ["failed JSON", [{ type: "json", value: null }], true, { type: "error-json", value: null }],
  [
    "text and JSON",
    [
      { type: "text", text: "a" },
      { type: "json", value: [1] },
    ],
    true,
    { type: "error-text", value: "a[1]" },
  ],
] as const)("a result of %s", (_, content, isError, output) => {
  expect(convert([result("a", { content, isError })])[0]?.content).toMatchObject([{ output }]);
});

test("images go out in the form of each specification", () => {
  const messages: Message[] = [
    { role: "user", content: [{ type: "text", text: "see" }, image] },
    result("a", { content: [{ type: "text", text: "shot" }, image] }),
  ];
  const text = { type: "text", text: "shot" };
  const [user4, tool4] = convert(messages, "v4");
  expect(user4?.content).toEqual([
    { type: "text", text: "see" },
    { type: "file", data: { type: "data", data: "AAAA" }, mediaType: "image/png" },
  ]);
  expect(tool4?.content).toMatchObject([
    {
      output: {
        type: "content",
        value: [text, { type: "file", data: { type: "data", data: "AAAA" }, mediaType: "image/png" }],
      },
    },
  ]);
  const [user3, tool3] = convert(messages, "v3");
  expect(user3?.content).toMatchObject([{}, { type: "file", data: "AAAA", mediaType: "image/png" }]);
  expect(tool3?.content).toMatchObject([
    { output: { value: [text, { type: "image-data", data: "AAAA", mediaType: "image/png" }] } },
  ]);
});

test("linked images and files go out in the form of each specification", () => {
  const url = "https://a.example/b.png?x=1";
  const messages: Message[] = [
    {
      role: "user",
      content: [
        { type: "image", url },
        { type: "image", url, mediaType: "image/png" },
        { type: "file", data: "AAAA", mediaType: "application/pdf", name: "a.pdf" },
        { type: "file", data: "AAAA", mediaType: "application/pdf" },
      ],
    },
  ];
  expect(convert(messages, "v4")[0]?.content).toStrictEqual([
    { type: "file", data: { type: "url", url: new URL(url) }, mediaType: "image/*" },
    { type: "file", data: { type: "url", url: new URL(url) }, mediaType: "image/png" },
    { type: "file", data: { type: "data", data: "AAAA" }, mediaType: "application/pdf", filename: "a.pdf" },
    { type: "file", data: { type: "data", data: "AAAA" }, mediaType: "application/pdf" },
  ]);
  expect(convert(messages, "v3")[0]?.content).toStrictEqual([
    { type: "file", data: new URL(url), mediaType: "image/*" },
    { type: "file", data: new URL(url), mediaType: "image/png" },
    { type: "file", data: "AAAA", mediaType: "application/pdf", filename: "a.pdf" },
    { type: "file", data: "AAAA", mediaType: "application/pdf" },
  ]);
});

test("a growing history is converted once: old messages keep their objects, earlier prompts stay as they were", () => {
  const historyOf = converter();
  const messages: Message[] = [user("hi"), assistant(call("a", "{}")), result("a")];
  const first = historyOf(messages).prompt("sys");
  const before = JSON.stringify(first);
  messages.push(result("b"), assistant(call("c", "{}")), result("c"));
  const history = historyOf(messages);
  const second = history.prompt("sys");

  expect(JSON.stringify(first)).toBe(before);
  expect(second[0]).toEqual({ role: "system", content: "sys" });
  expect(second[1]).toBe(first[1]);
  expect(second[2]).toBe(first[2]);
  expect(second[3]?.content).toMatchObject([{ toolCallId: "a" }, { toolCallId: "b" }]);
  expect(second).toHaveLength(6);
  expect([...history.callIds]).toEqual(["a", "c"]);
});

test("a history that was changed from outside is converted anew", () => {
  const historyOf = converter();
  const messages: Message[] = [user("one"), user("two")];
  historyOf(messages);
  messages[1] = user("other");
  expect(historyOf(messages).prompt(undefined)[1]?.content).toEqual([{ type: "text", text: "other" }]);
  messages.pop();
  expect(historyOf(messages).prompt(undefined)).toHaveLength(1);
});
