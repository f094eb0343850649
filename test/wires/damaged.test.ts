import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime, type Message, tool } from "../../src/core.ts";
import type { Said } from "./raw/said.ts";
import { calls, result, user } from "./results-said.ts";
import { type Talk, talk, talker, talkers } from "./talk.ts";

let server: Talk;
beforeAll(async () => {
  server = await talk();
});
afterAll(() => server.close());

const done: Said[] = [{ text: "Done." }, { end: "stop" }];
const shot = tool({ name: "shot", description: "Shoots.", execute: () => "seen" });

/** Histories as crashes, other programs and hasty trimming leave them. */
const damaged: readonly (readonly [string, unknown[]])[] = [
  ["PAIR-01 a call that was never answered", [user("Hi"), calls("a"), user("More")]],
  ["PAIR-01 it ends with calls", [user("Hi"), calls("a", "b"), result("a", "1")]],
  ["PAIR-03 one result of three is missing", [user("Hi"), calls("a", "b", "c"), result("a", "1"), result("c", "3")]],
  ["PAIR-05 a call that was cut", [user("Hi"), { ...calls("a"), content: [cut("a")], stopReason: "length" }]],
  ["PAIR-07 a user message between calls and results", [user("Hi"), calls("a"), user("Stop"), result("a", "1")]],
  ["PAIR-09 a batch was cut in half", [user("Hi"), result("b", "2"), user("More"), calls("a"), result("a", "1")]],
  ["PAIR-11 more results than calls", [user("Hi"), calls("a"), result("a", "1"), result("a", "2"), result("z", "3")]],
  [
    "PAIR-11 results in the order in which they came",
    [user("Hi"), calls("a", "b"), result("b", "2"), result("a", "1")],
  ],
  ["PAIR-13 it ends with a half-written reply", [user("Hi"), { role: "assistant", content: "Working on " }]],
  ["SHAPE-03 content null beside calls, as chat completions have them", chatCompletions()],
  ["two user messages and two replies in a row", [user("Hi"), user("Hi?"), said("Yes."), said("Well?")]],
  ["empty messages", [user(""), user("Hi"), said(""), { role: "assistant", content: [] }, user("More")]],
  [
    "fields that are missing or of a wrong type",
    [user("Hi"), { role: "assistant", content: "Yes.", usage: 5, model: null }],
  ],
];

function said(content: string): unknown {
  return { role: "assistant", content };
}

function cut(id: string): unknown {
  return { type: "tool_call", id, name: "shot", arguments: '{"path":"a', partial: true };
}

function chatCompletions(): unknown[] {
  const call = (id: string) => ({ id, type: "function", function: { name: "shot", arguments: '{"q":1}' } });
  return [
    user("Hi"),
    { role: "assistant", content: null, tool_calls: [call("a"), call("b")] },
    { role: "tool", tool_call_id: "a", content: "1" },
    { role: "tool", tool_call_id: "b", content: "2" },
  ];
}

describe.each(talkers)("$name", (wire) => {
  test.each(damaged)("%s: mended, said so, and taken", async (_, messages) => {
    const runtime = createRuntime({ model: server.model(wire, [done]), tools: [shot] });
    const from = server.requests.length;
    const run = runtime.run("Go on", { messages: messages as Message[] });
    const { outcome } = await run.result;
    expect({ outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
    expect(server.requests.length).toBe(from + 1);
  });

  test("calls stay in a request without tools", async () => {
    const from = server.requests.length;
    const runtime = createRuntime({ model: server.model(wire, [done]) });
    const { outcome } = await runtime.run("Go on", { messages: [user("Hi"), calls("a"), result("a", "seen")] }).result;
    expect({ outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
    expect(JSON.stringify(server.messages(from))).toMatch(/"shot".*seen/);
  });
});

test("SHAPE-03 calls of chat completions are kept with their results", async () => {
  const from = server.requests.length;
  const runtime = createRuntime({ model: server.model(talker("OpenAI chat"), [done]), tools: [shot] });
  await runtime.run("Go on", { messages: chatCompletions() as Message[] }).result;
  expect(server.messages(from)[0]?.slice(1, 4)).toEqual([
    {
      role: "assistant",
      content: null,
      tool_calls: ["a", "b"].map((id) => ({ id, type: "function", function: { name: "shot", arguments: '{"q":1}' } })),
    },
    { role: "tool", tool_call_id: "a", content: "1" },
    { role: "tool", tool_call_id: "b", content: "2" },
  ]);
});

test.each([
  ["a reply comes first", [said("Yes.")], /message 0 comes first and has role "assistant"/],
  [
    "system text in the middle",
    [user("Hi"), { role: "system", content: "Be nice." }],
    /message 1 has role "system"; give/,
  ],
  ["a line that was cut", [user("Hi"), '{"role":"assis'], /message 1 is no message but string/],
  [
    "blocks of another library",
    [user("Hi"), { role: "assistant", content: [{ type: "tool_use" }] }],
    /message 1 has a part of type "tool_use" at content\[0\]; expected/,
  ],
])("%s is refused before anything is asked, by its place", (_, messages, problem) => {
  const from = server.requests.length;
  const runtime = createRuntime({ model: server.model(talkers[0]!, [done]) });
  expect(() => runtime.run("Go on", { messages: messages as Message[] })).toThrow(problem as RegExp);
  expect(server.requests.length).toBe(from);
});

test("a model that sees no images is told what it cannot see", async () => {
  const { aiSdk } = await import("../../src/model/ai-sdk/ai-sdk.ts");
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const { png, image } = await import("./results-said.ts");
  const from = server.requests.length;
  server.model(talker("OpenAI-compatible"), [done]);
  const baseURL = `${server.url}/v1`;
  const model = aiSdk(createOpenAICompatible({ name: "local", baseURL })("text-only"), { supports: { images: false } });
  const messages = [user("Hi"), calls("a"), result("a", [{ type: "text", text: "shot" }, image])];
  const asked = [
    { type: "image", data: Buffer.from(png, "base64") } as const,
    { type: "text", text: "And this?" } as const,
  ];
  const { outcome } = await createRuntime({ model, tools: [shot] }).run(asked, { messages }).result;
  expect({ outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
  const [all] = server.messages(from);
  expect(all?.slice(2)).toEqual([
    { role: "tool", tool_call_id: "a", content: "shot\n[image/png image left out: this model sees no images]" },
    {
      role: "user",
      content: [
        { type: "text", text: "[image/png image left out: this model sees no images]" },
        { type: "text", text: "And this?" },
      ],
    },
  ]);
});
