import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime, tool } from "../../src/core.ts";
import { called, type Said } from "./raw/said.ts";
import { type Talk, talk, talkers } from "./talk.ts";

let server: Talk;
beforeAll(async () => {
  server = await talk();
});
afterAll(() => server.close());

const odd = [
  "plain",
  "w".repeat(64),
  "w".repeat(65),
  "x".repeat(80),
  "y".repeat(300),
  "a.b/c d",
  "a b/c.d",
  "naïve",
  "1st",
  "-dash",
  "tool 🙂",
  "🙂",
  "__proto__",
  "constructor",
  "toString",
];

const done: Said[] = [{ text: "Done." }, { end: "stop" }];

/** The names of the declared tools, wherever the wire has them. */
const declared = (tools: unknown): string[] =>
  (JSON.stringify(tools).match(/"name":"[^"]*"/g) ?? []).map((found) => found.slice(8, -1));

describe.each(talkers)("$name", (wire) => {
  test("NAME-05 names of any kind are declared legally, called by those names, and lead back to their tools", async () => {
    const ran: string[] = [];
    const tools = odd.map((name) =>
      tool({ name, description: name, execute: () => ran.push(name) && `did ${name.slice(0, 9)}` }),
    );
    let from = server.requests.length;
    await createRuntime({ model: server.model(wire, [done]), tools }).run("Which?").result;
    const names = declared(wire.read(server.requests[from]?.body ?? {}).tools);
    expect(new Set(names).size).toBe(odd.length);
    for (const name of names) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
    expect(names.slice(0, 2)).toEqual(["plain", "w".repeat(64)]);
    expect(names).not.toContain("constructor");

    from = server.requests.length;
    const calls = names.flatMap((name, at) => called(at, `call${at}abc`, name, "{}"));
    const model = server.model(wire, [[...calls, { end: "tool_calls" }], done]);
    const { outcome, messages } = await createRuntime({ model, tools }).run("All").result;
    expect({ outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
    expect(ran).toEqual(odd);
    expect(messages.filter((message) => message.role === "tool").map((message) => message.toolName)).toEqual(odd);
    const [, second] = server.requests.slice(from);
    for (const name of names) expect(JSON.stringify(wire.read(second?.body ?? {}).messages)).toContain(`"${name}"`);
  });

  test("NAME-01 a tool that does not exist is told so beside one that does", async () => {
    const read = tool({ name: "read", description: "Reads.", execute: () => "text" });
    const replies: Said[][] = [
      [...called(0, "call0abcd", "reed", "{}"), ...called(1, "call1abcd", "read", "{}"), { end: "tool_calls" }],
      done,
    ];
    const { outcome, messages, rounds } = await createRuntime({
      model: server.model(wire, replies),
      tools: [read],
    }).run("Read").result;
    expect({ outcome, rounds, refused: server.refused }).toEqual({ outcome: "stop", rounds: 2, refused: [] });
    const results = messages.filter((message) => message.role === "tool");
    expect(results.map(({ toolName, isError }) => [toolName, isError])).toEqual([
      ["reed", true],
      ["read", false],
    ]);
    expect(JSON.stringify(results[0]?.content)).toMatch(/no tool \\"reed\\".*read/);
  });

  test("NAME-03 a call without a name is answered, and has a legal name in what follows", async () => {
    const read = tool({ name: "read", description: "Reads.", execute: () => "text" });
    const replies: Said[][] = [[...called(0, "call0abcd", "", "{}"), { end: "tool_calls" }], done, done];
    const runtime = createRuntime({ model: server.model(wire, replies), tools: [read] });
    const first = await runtime.run("Read").result;
    expect({ outcome: first.outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
    expect(first.messages.find((message) => message.role === "tool")).toMatchObject({ isError: true });
    const next = await runtime.run("And now?", { messages: first.messages }).result;
    expect({ outcome: next.outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
  });

  test("NAME-05 calls of tools that are not in the menu any more keep a legal name of their own", async () => {
    const model = server.model(wire, [done]);
    const earlier = odd.flatMap((name, at) => callAndResult(`c${at}aaaaaaa`, name));
    const plain = tool({ name: "plain", description: "Plain.", execute: () => "" });
    const from = server.requests.length;
    const { outcome } = await createRuntime({ model, tools: [plain] }).run("Go on", {
      messages: [{ role: "user", content: "Hi" }, ...earlier],
    }).result;
    expect({ outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
    const sent = JSON.stringify(server.messages(from)[0]);
    expect(new Set(declared(JSON.parse(sent))).size).toBeGreaterThanOrEqual(sent.includes('"plain"') ? odd.length : 0);
  });
});

const callAndResult = (id: string, name: string) =>
  [
    {
      role: "assistant",
      content: [{ type: "tool_call", id, name, arguments: "{}" }],
      model: "elsewhere/m",
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      stopReason: "tool_calls",
    },
    { role: "tool", callId: id, toolName: name, content: [{ type: "text", text: "ok" }], isError: false },
  ] as const;

test("NAME-07 two tools of one name are refused before anything is asked", () => {
  const of = (text: string) => tool({ name: "send", description: text, execute: () => text });
  const model = server.model(talkers[0]!, []);
  expect(() => createRuntime({ model, tools: [of("a"), of("b")] }).run("Hi")).toThrow(/send/);
});
