import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime, type Message, tool } from "../../src/core.ts";
import { called, type Said } from "./raw/said.ts";
import { signature, type Talk, talk, talker, talkers, thought } from "./talk.ts";
import type { Wire } from "./wires.ts";

let server: Talk;
beforeAll(async () => {
  server = await talk();
});
afterAll(() => server.close());

const look = tool({ name: "look", description: "Looks.", execute: () => "a key" });
const call = (at = 0): Said[] => called(at, `call0000${at}`, "look", "{}");
const done: Said[] = [{ text: "Done." }, { end: "stop" }];

type Item = { readonly type?: string; readonly thought?: true; readonly parts?: readonly Item[] };

/** What a reply of thinking, redacted thinking, text and a call looks like in the next request. */
const given: { readonly [wire: string]: (s: string) => readonly unknown[] } = {
  Anthropic: (s) => [
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm.", signature: s },
        { type: "redacted_thinking", data: s },
        { type: "text", text: "Let me look." },
        { type: "tool_use", id: "call00000", name: "look", input: {} },
      ],
    },
  ],
  "Bedrock Claude": (s) => [
    {
      role: "assistant",
      content: [
        { reasoningContent: { reasoningText: { text: "Hm.", signature: s } } },
        { reasoningContent: { redactedContent: s } },
        { text: "Let me look." },
        { toolUse: { toolUseId: "call00000", name: "look", input: {} } },
      ],
    },
  ],
  "OpenAI reasoning": (s) => [
    { type: "reasoning", id: "rs_0", encrypted_content: s, summary: [{ type: "summary_text", text: "Hm." }] },
    { type: "reasoning", id: "rs_1", encrypted_content: s, summary: [] },
    { role: "assistant", content: "Let me look." },
    { type: "function_call", call_id: "call00000", name: "look", arguments: "{}" },
  ],
  "Gemini 3": (s) => [
    {
      role: "model",
      parts: [
        { text: "Hm.", thought: true },
        // All signature, as it came.
        { text: "", thoughtSignature: s },
        { text: "Let me look.", thoughtSignature: s },
        {
          functionCall: { id: "call00000", name: "look", args: {} },
          // It came with none; Gemini 3 wants one there.
          thoughtSignature: "skip_thought_signature_validator",
        },
      ],
    },
  ],
  "OpenAI-compatible": () => [
    {
      role: "assistant",
      content: "Let me look.",
      reasoning_content: "Hm.",
      tool_calls: [{ id: "call00000", type: "function", function: { name: "look", arguments: "{}" } }],
    },
  ],
};

const reply = (wire: Wire): Said[] => [
  ...thought(wire),
  ...(wire.grammar === "chat" ? [] : [{ redacted: signature(wire) }]),
  { text: "Let me look." },
  ...call(),
  { end: "tool_calls" },
];

describe.each(Object.keys(given).map(talker))("$name", (wire) => {
  test("REASON-01 thinking goes back unchanged and in order, in the run and from a store", async () => {
    const expected = given[wire.name]?.(signature(wire)) ?? [];
    const from = server.requests.length;
    const model = server.model(wire, [reply(wire), done, done]);
    const runtime = createRuntime({ model, tools: [look], effort: "low" });
    const first = await runtime.run("Go").result;
    const stored = JSON.parse(JSON.stringify(first.messages)) as Message[];
    const second = await runtime.run("And now?", { messages: stored }).result;
    expect([first.outcome, second.outcome, server.refused]).toEqual(["stop", "stop", []]);
    const [, within = [], behind = []] = server.messages(from);
    expect(within.slice(1, 1 + expected.length)).toEqual(expected);
    expect(JSON.stringify(behind.slice(0, within.length))).toBe(JSON.stringify(within));
  });
});

test("REASON-01 Gemini's signature goes back with the call that it came with, also from a store", async () => {
  const wire = talker("Gemini 3");
  const from = server.requests.length;
  const model = server.model(wire, [[...thought(wire), ...call(), { end: "tool_calls" }], done, done]);
  const runtime = createRuntime({ model, tools: [look] });
  const { messages } = await runtime.run("Go").result;
  await runtime.run("And now?", { messages: JSON.parse(JSON.stringify(messages)) }).result;
  expect(server.refused).toEqual([]);
  const functionCall = { id: "call00000", name: "look", args: {} };
  const parts = [
    { text: "Hm.", thought: true },
    { functionCall, thoughtSignature: signature(wire) },
  ];
  for (const sent of server.messages(from).slice(1)) expect(sent[1]).toEqual({ role: "model", parts });
});

describe.each(talkers.filter(({ grammar }) => grammar === "responses" || grammar === "gemini"))("$name", (wire) => {
  test.each([
    ["reasoning and a call", [] as Said[]],
    ["reasoning, a message and a call", [{ text: "Let me look." }] as Said[]],
  ])("REASON-05 %s keep their order, with nothing between", async (_, text) => {
    const from = server.requests.length;
    const model = server.model(wire, [[...thought(wire), ...text, ...call(), { end: "tool_calls" }], done]);
    const { outcome } = await createRuntime({ model, tools: [look] }).run("Go").result;
    expect({ outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
    const [, second = []] = server.messages(from);
    const kinds = (second as Item[])
      .slice(1)
      .flatMap((item) => item.parts ?? [item])
      .map((item) => item.type ?? (item.thought ? "thought" : Object.keys(item)[0]));
    const words = {
      gemini: ["thought", "text", "functionCall", "functionResponse"],
      responses: ["reasoning", "role", "function_call", "function_call_output"],
    };
    const [thinking, said, called, answered] = words[wire.grammar as "gemini" | "responses"];
    expect(kinds).toEqual([thinking, ...(text.length > 0 ? [said] : []), called, answered]);
  });
});

describe.each(talkers.filter(({ noThinking }) => !noThinking))("$name", (wire) => {
  test("REASON-03 thinking that was cut is never sent as thinking; what was signed before it is", async () => {
    // A cut reply keeps what it said; its calls are answered as not run.
    const cut: Said[] = [...thought(wire), { text: "First." }, ...call(), { thinking: "And th" }, { end: "length" }];
    const alone: Said[] = [{ thinking: "Only thi" }, { end: "length" }];
    for (const said of [cut, alone]) {
      const model = server.model(wire, [said, done, done]);
      const runtime = createRuntime({ model, tools: [look], effort: "low" });
      const first = await runtime.run("Go").result;
      const from = server.requests.length;
      const { outcome } = await runtime.run("Continue", { messages: first.messages }).result;
      expect({ outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
      const sent = JSON.stringify(server.messages(from));
      // Models that think in the open have no signatures, and take what there is.
      const open = wire.grammar === "chat" || wire.grammar === "gemini";
      if (said === cut && !open) expect(sent).not.toContain("And th");
      if (said === alone) expect(sent).not.toContain("Only thi");
    }
  });

  test("REASON-03 thinking and a call that an abort cut off do not stand in the next request", async () => {
    const model = server.model(wire, [
      [{ thinking: "abc" }, { call: 0, id: "call00000", name: "look" }, { call: 0, args: '{"x"' }],
      done,
    ]);
    const runtime = createRuntime({ model, tools: [look], effort: "low" });
    const run = runtime.run("Go");
    for await (const event of run) if (event.type === "message_update") run.abort();
    const first = await run.result;
    const from = server.requests.length;
    const { outcome } = await runtime.run("Continue", { messages: first.messages }).result;
    expect({ outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
    expect(JSON.stringify(server.messages(from))).not.toMatch(/abc|call00000/);
  });
});

describe.each(talkers)("REASON-07 from Anthropic to $name", (wire) => {
  test("calls made elsewhere are taken, and no foreign signature is sent", async () => {
    const claude = talker("Anthropic");
    const made = await createRuntime({ model: server.model(claude, [reply(claude), done]), tools: [look] }).run("Go")
      .result;
    const from = server.requests.length;
    const model = server.model(wire, [[...thought(wire), ...call(1), { end: "tool_calls" }], done]);
    const { outcome, messages } = await createRuntime({ model, tools: [look] }).run("On", { messages: made.messages })
      .result;
    expect({ outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
    const sent = JSON.stringify(server.messages(from));
    if (wire.name !== "Anthropic") expect(sent).not.toContain(signature(claude));
    if (wire.name === "Gemini 3") expect(sent).toContain("skip_thought_signature_validator");

    const back = server.requests.length;
    const again = createRuntime({ model: server.model(claude, [done]), tools: [look] });
    const last = await again.run("Back", { messages: [...made.messages, ...messages] }).result;
    expect({ outcome: last.outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
    expect(JSON.stringify(server.messages(back))).toContain(signature(claude));
  });
});
