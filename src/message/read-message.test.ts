import fc from "fast-check";
import { expect, test } from "vitest";
import { RondoError } from "../error.ts";
import { isPlainJson } from "./plain-json.ts";
import { readMessage } from "./read-message.ts";
import { noUsage } from "./usage.ts";

function read(item: unknown): { message: unknown; notes: string[] } {
  const notes: string[] = [];
  return { message: readMessage(item, 3, (repair) => notes.push(repair)), notes };
}

function problemOf(item: unknown): string {
  try {
    read(item);
  } catch (error) {
    if (RondoError.isInstance(error) && error.code === "invalid_history") return error.message;
    throw error;
  }
  return "";
}

const reply = { role: "assistant", model: "m", usage: noUsage, stopReason: "stop" } as const;
const call = { type: "tool_call", id: "a", name: "look", arguments: "{}" } as const;

test("what is a message stays the very same", () => {
  for (const item of [
    { role: "user", content: "hi" },
    { role: "user", content: [{ type: "image", data: "aGk=", mediaType: "image/png" }] },
    { role: "user", content: [{ type: "image", url: "https://a.example/b.png" }] },
    { role: "user", content: [{ type: "file", data: "aGk=", mediaType: "text/plain", name: "a.txt" }] },
    {
      ...reply,
      content: [
        { type: "reasoning", text: "hm" },
        { ...call, partial: true },
      ],
    },
    {
      role: "tool",
      callId: "a",
      toolName: "look",
      content: [{ type: "json", value: null }],
      isError: false,
      details: 1,
    },
  ]) {
    const { message, notes } = read(item);
    expect(message).toBe(item);
    expect(notes).toEqual([]);
  }
});

test("a reply with what only its model knows missing is filled in", () => {
  const { message, notes } = read({ role: "assistant", content: "hello" });
  expect(message).toEqual({ ...reply, model: "unknown", content: [{ type: "text", text: "hello" }] });
  expect(notes.length).toBe(4);
  expect(notes[0]).toMatch(/^message 3: /);
  expect(read({ role: "assistant", content: [call] }).message).toMatchObject({ stopReason: "tool_calls" });
  expect(read({ ...reply, content: "x", usage: { inputTokens: Number.NaN } }).message).toMatchObject({
    usage: noUsage,
  });
});

test("content that is null is none", () => {
  expect(read({ role: "user", content: null }).message).toEqual({ role: "user", content: [] });
  expect(read({ ...reply, content: null }).message).toEqual({ ...reply, content: [] });
});

test("a result with fields missing is filled in", () => {
  expect(read({ role: "tool", callId: "a", content: "done" }).message).toEqual({
    role: "tool",
    callId: "a",
    toolName: "",
    content: [{ type: "text", text: "done" }],
    isError: false,
  });
});

test("a call keeps its place whatever it lacks", () => {
  const given = { ...reply, content: [{ type: "tool_call", id: null, arguments: { x: 1 }, partial: false }] };
  const { message, notes } = read(given);
  expect(message).toEqual({ ...reply, content: [{ type: "tool_call", id: "", name: "", arguments: '{"x":1}' }] });
  expect(notes.length).toBe(2);
});

test("an image in a data: URL becomes data, a name or media type that is no text is left out", () => {
  const { message, notes } = read({
    role: "user",
    content: [
      { type: "image", url: "data:image/png;base64,aGk=" },
      { type: "image", url: "http://a.example/b", mediaType: 5 },
      { type: "file", data: "aGk=", mediaType: "text/plain", name: null },
    ],
  });
  expect(message).toEqual({
    role: "user",
    content: [
      { type: "image", data: "aGk=", mediaType: "image/png" },
      { type: "image", url: "http://a.example/b" },
      { type: "file", data: "aGk=", mediaType: "text/plain" },
    ],
  });
  expect(notes).toEqual([
    "message 3: the image at content[0] was a data: URL, now data",
    "message 3: mediaType at content[1] was no text, left out",
    "message 3: name at content[2] was no text, left out",
  ]);
});

test("text is made well-formed and values plain", () => {
  expect(read({ role: "user", content: "a\ud83d" }).message).toEqual({ role: "user", content: "a\ufffd" });
  const result = { role: "tool", callId: "a", toolName: "t", content: "x", isError: false, details: new Date(0) };
  expect(read(result).message).toMatchObject({ details: "1970-01-01T00:00:00.000Z" });
});

test.each<[unknown, RegExp]>([
  [null, /message 3 is no message but null/],
  [undefined, /message 3 is no message but undefined/],
  ["hi", /is no message but string/],
  [[], /is no message but an array/],
  [{ content: "hi" }, /has role undefined; expected "user", "assistant" or "tool"/],
  [{ role: "system", content: "be nice" }, /give system text by the option `system`/],
  [{ role: "user", content: 5 }, /content that is number/],
  [{ role: "user", content: [null] }, /no part at content\[0\]; expected one of "text", "image", "file"/],
  [{ role: "user", content: [{ type: "text", text: "a" }, call] }, /part of type "tool_call" at content\[1\]/],
  [{ role: "user", content: [{ type: "text" }] }, /part of type "text" without text at content\[0\]/],
  [{ role: "user", content: [{ type: "image", data: "x" }] }, /part of type "image" without mediaType/],
  [{ role: "user", content: [{ type: "image" }] }, /part of type "image" without data/],
  [
    { role: "user", content: [{ type: "image", url: "ftp://a.example/b" }] },
    /url is not http, https or data at content/,
  ],
  [{ role: "user", content: [{ type: "image", url: "b.png" }] }, /url is not http/],
  [{ role: "user", content: [{ type: "image", url: 5 }] }, /url is not http/],
  [{ role: "user", content: [{ type: "image", url: "data:image/png;base64,*" }] }, /a broken data: URL/],
  [{ role: "user", content: [{ type: "file", data: "x" }] }, /part of type "file" without mediaType/],
  [{ role: "tool", callId: "a", content: [{ type: "image", url: "https://a.example/b" }] }, /"image" without data/],
  [
    { role: "tool", callId: "a", content: [{ type: "file", data: "x", mediaType: "a/b" }] },
    /of type "file" at content/,
  ],
  [{ role: "user", content: "a", toJSON: () => 5 }, /is no message but number/],
  [Proxy.revocable({}, {}).proxy, /has role undefined/],
])("%j is refused", (item, problem) => {
  expect(problemOf(item)).toMatch(problem);
});

test("an item that cannot be read is refused", () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(problemOf(proxy)).toMatch(/message 3 cannot be read/);
});

test("anything is read, refused, or nothing else", () => {
  const key = fc.constantFrom("role", "content", "callId", "toolName", "model", "usage", "isError", "type", "text");
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      fc.constantFrom("user", "assistant", "tool", "text", "json", "", null, 1, "\ud800"),
      fc.array(tie("any"), { maxLength: 3 }),
      fc.dictionary(key, tie("any"), { maxKeys: 6 }),
    ),
  })).any;
  fc.assert(
    fc.property(fc.dictionary(key, value), (item) => {
      if (problemOf(item) === "") expect(isPlainJson(read(item).message)).toBe(true);
    }),
    { numRuns: 2000 },
  );
}, 60_000);
