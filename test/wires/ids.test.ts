import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime, type Message, tool } from "../../src/core.ts";
import { called, type Said } from "./raw/said.ts";
import { type Talk, talk, talker, talkers } from "./talk.ts";

let server: Talk;
beforeAll(async () => {
  server = await talk();
});
afterAll(() => server.close());

const ran: unknown[] = [];
const shell = tool({
  name: "shell",
  description: "Runs.",
  input: { type: "object", properties: { cmd: { type: "string" } } },
  execute: ({ cmd }) => ran.push(cmd) && `did ${cmd}`,
});
const call = (id: string, cmd: string, at = 0): Said[] => called(at, id, "shell", JSON.stringify({ cmd }));
const done: Said[] = [{ text: "Done." }, { end: "stop" }];
const idsOf = (messages: readonly Message[]): string[] =>
  messages.flatMap((message) => (message.role === "tool" ? message.callId : []));

describe.each(talkers)("$name", (wire) => {
  test("ID-02 an id that is used again in later rounds and turns: each call runs once, ids stay unique", async () => {
    ran.length = 0;
    const calls = (cmd: string): Said[] => [...call("shell:0", cmd), { end: "tool_calls" }];
    const first = createRuntime({ model: server.model(wire, [calls("ls"), calls("pwd"), done]), tools: [shell] });
    const one = await first.run("One").result;
    // As a store gives it back.
    const stored = JSON.parse(JSON.stringify(one.messages)) as Message[];
    const second = createRuntime({ model: server.model(wire, [calls("id"), done]), tools: [shell] });
    const two = await second.run("Two", { messages: stored }).result;
    expect([one.outcome, two.outcome, server.refused]).toEqual(["stop", "stop", []]);
    expect(ran).toEqual(["ls", "pwd", "id"]);
    const ids = idsOf([...one.messages, ...two.messages]);
    expect(new Set(ids).size).toBe(3);
    expect(ids[0]).toBe("shell:0");
  });

  test("ID-02 the same id twice in one reply is two calls", async () => {
    ran.length = 0;
    const both: Said[] = [...call("same00000", "a"), ...call("same00000", "b", 1), { end: "tool_calls" }];
    const model = server.model(wire, [both, done]);
    const { outcome, messages } = await createRuntime({ model, tools: [shell] }).run("Both").result;
    expect({ outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
    expect(ran).toEqual(["a", "b"]);
    expect(new Set(idsOf(messages)).size).toBe(2);
  });

  test("ID-04 an empty id is a missing one: the call gets its own, and old histories with such pairs are mended", async () => {
    ran.length = 0;
    const model = server.model(wire, [[...call("", "a"), { end: "tool_calls" }], done, done]);
    const runtime = createRuntime({ model, tools: [shell] });
    const { outcome, messages } = await runtime.run("Go").result;
    expect({ outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
    expect(idsOf(messages)).toEqual([expect.stringMatching(/./)]);

    const poisoned = [
      { role: "user", content: "Hi" },
      { role: "assistant", content: [{ type: "tool_call", id: "", name: "", arguments: '{"x":1}' }] },
      { role: "tool", callId: "", toolName: "", content: "no such tool", isError: true },
    ] as unknown as Message[];
    const again = await runtime.run("Go on", { messages: poisoned }).result;
    expect({ outcome: again.outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
  });

  test("ids of other providers go out as this one takes them, results with them, the same in every round", async () => {
    ran.length = 0;
    const foreign = [
      "call_0123456789abcdefghijklmn",
      "call_abc|fc_0123456789abcdef0123456789abcdef0123456789abcdef",
      "call_abc|fc_0123456789abcdef0123456789abcdef0123456789abcdee",
      "toolu_01A09q90qw90lq917835lq9",
      "tooluse_bpe71yCfRu2b5i-nKGDr5g",
      "functions.shell:0",
      "chatcmpl-tool-0123456789abcdef0123456789abcdef",
      "D681PevKs",
      "id with spaces",
      "日本",
      "x".repeat(200),
      `${"x".repeat(199)}y`,
    ];
    const earlier: Message[] = [{ role: "user", content: "Hi" }];
    for (const id of foreign) earlier.push(...pair(id));
    const replies: Said[][] = [[...call("own012345", "a"), { end: "tool_calls" }], done];
    const from = server.requests.length;
    const { outcome } = await createRuntime({ model: server.model(wire, replies), tools: [shell] }).run("Go on", {
      messages: earlier,
    }).result;
    expect({ outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
    const [first = [], second = []] = server.messages(from);
    expect(JSON.stringify(second.slice(0, first.length))).toBe(JSON.stringify(first));
    expect(second.length).toBeGreaterThan(first.length);
  });
});

test.each([
  ["Anthropic", "call_abc|fc_1", /^call_abc_fc_1_[a-z0-9]{7}$/],
  ["Anthropic", "toolu_01A09q90qw90lq917835lq9", /^toolu_01A09q90qw90lq917835lq9$/],
  ["Bedrock", "x".repeat(200), /^x{56}_[a-z0-9]{7}$/],
  ["OpenAI chat", "x".repeat(41), /^x{32}_[a-z0-9]{7}$/],
  ["OpenAI chat", "functions.shell:0", /^functions\.shell:0$/],
  ["OpenAI Responses", "call_abc|fc_1", /^call_abc\|fc_1$/],
  ["OpenAI-compatible", "functions.shell:0", /^functions\.shell:0$/],
  ["Mistral on a server", "D681PevKs", /^D681PevKs$/],
  ["Mistral on a server", "call_abc", /^[a-z0-9]{9}$/],
  ["Gemini", "日本", /^__[a-z0-9]{7}$/],
])("%s gets the id %s as %s", async (name, id, expected) => {
  const from = server.requests.length;
  const model = server.model(talker(name), [done]);
  await createRuntime({ model, tools: [shell] }).run("Go", { messages: [{ role: "user", content: "Hi" }, ...pair(id)] })
    .result;
  const sent = JSON.stringify(server.messages(from)[0]);
  const found = [...sent.matchAll(/"(?:id|call_id|tool_call_id|tool_use_id|toolUseId)":"([^"]*)"/g)].map(
    (one) => one[1],
  );
  expect(found).toEqual([expect.stringMatching(expected), found[0]]);
});

function pair(id: string): Message[] {
  return [
    {
      role: "assistant",
      content: [{ type: "tool_call", id, name: "shell", arguments: '{"cmd":"a"}' }],
      model: "elsewhere/m",
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      stopReason: "tool_calls",
    },
    { role: "tool", callId: id, toolName: "shell", content: [{ type: "text", text: "ok" }], isError: false },
  ];
}
