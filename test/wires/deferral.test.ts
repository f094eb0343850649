import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime, tool } from "../../src/core.ts";
import { declaredIn, legalName, rulesOf } from "./declared-tools.ts";
import { called, type Said } from "./raw/said.ts";
import { problemsOf } from "./schema-rules.ts";
import { type Talk, talk, talkers, thought } from "./talk.ts";
import type { Wire } from "./wires.ts";

let server: Talk;
beforeAll(async () => {
  server = await talk();
});
afterAll(() => server.close());

const url = { type: "object", properties: { url: { type: "string" } }, required: ["url"] };
const ran: string[] = [];
const fetching = (name: string) =>
  tool({
    name,
    description: "Fetches a page.",
    input: url,
    defer: true,
    execute: ({ url }) => ran.push(`${name} ${url}`) && `page of ${name}`,
  });
const look = tool({ name: "look", description: "Looks.", execute: () => "a key" });
const names = ["web.fetch/url", "__proto__", "hole die Seite 🙂", "plain_fetch"];
const tools = [look, ...names.map(fetching)];

/** How the wire is asked for the arguments inside: as an object, or as its text. */
const inner = (wire: Wire, args: object) => (wire.grammar === "gemini" ? JSON.stringify(args) : args);
const turn = (wire: Wire, at: number, name: string, args: object): Said[] => [
  ...thought(wire),
  ...called(0, `call0000${at}`, name, JSON.stringify(args)),
  { end: "tool_calls" },
];
const through = (wire: Wire, at: number, name: string, args: object) =>
  turn(wire, at, "call_tool", { name, arguments: inner(wire, args) });
const done: Said[] = [{ text: "Done." }, { end: "stop" }];

/** The names of the calls that a request's history holds, wherever the wire has them. */
const calledIn = (messages: unknown): string[] => {
  const calls: string[] = [];
  JSON.stringify(messages, (key, value: Record<string, unknown>) => {
    const isCall = value?.type === "tool_use" || value?.type === "function_call" || value?.toolUseId !== undefined;
    const call =
      key === "functionCall" ||
      key === "function" ||
      (isCall && value.input !== undefined) ||
      value?.type === "function_call";
    if (call && typeof value.name === "string") calls.push(value.name);
    return value;
  });
  return calls;
};

describe.each(talkers)("$name", (wire) => {
  test("CACHE-02 tools that wait are found, called and remembered by their names; the declared block and what was said stay", async () => {
    ran.length = 0;
    const from = server.requests.length;
    const model = server.model(wire, [
      turn(wire, 0, "tool_search", { query: "get a page" }),
      ...names.map((name, at) => through(wire, at + 1, name, { url: `u${at}` })),
      turn(wire, 9, "plain_fetch", { url: "directly" }),
      done,
    ]);
    const { outcome, rounds, messages } = await createRuntime({ model, tools, effort: "low" }).run("Go").result;
    expect({ outcome, rounds, refused: server.refused }).toEqual({ outcome: "stop", rounds: 7, refused: [] });
    expect(ran).toEqual([...names.map((name, at) => `${name} u${at}`), "plain_fetch directly"]);
    const results = messages.filter((message) => message.role === "tool");
    expect(results.map(({ toolName, isError }) => [toolName, isError])).toEqual(
      ["tool_search", ...names, "plain_fetch"].map((name) => [name, false]),
    );

    const bodies = server.requests.slice(from).map(({ body }) => body);
    const blocks = bodies.map((body) => JSON.stringify([wire.read(body).tools, wire.read(body).system]));
    expect(new Set(blocks).size).toBe(1);
    expect(declaredIn(bodies[0]!).map(({ name }) => name)).toEqual(["look", "tool_search", "call_tool"]);
    for (const { schema, strict } of declaredIn(bodies[0]!)) {
      expect(
        problemsOf(
          schema,
          rulesOf(wire.name.replace(/^OpenAI reasoning/, "OpenAI Responses").replace(/^Gemini.*/, "Gemini")),
        ),
      ).toEqual([]);
      expect(strict ?? false).toBe(false);
    }
    const said = server.messages(from).map((list) => JSON.stringify(list).slice(0, -1));
    for (const [at, text] of said.entries()) if (at > 0) expect(text.startsWith(said[at - 1]!)).toBe(true);
    const history = calledIn(server.messages(from).at(-1));
    expect(history).toHaveLength(6);
    expect([history[0], ...history.slice(4)]).toEqual(["tool_search", "plain_fetch", "plain_fetch"]);
    for (const name of history) expect(name).toMatch(legalName);
    expect(new Set(history).size).toBe(5);
  });

  test("NAME-05 call_tool is given a name as it stands in the history: it leads back to its tool, also in another process", async () => {
    ran.length = 0;
    const from = server.requests.length;
    const first = server.model(wire, [...names.map((name, at) => through(wire, at, name, { url: "u" })), done]);
    const { messages } = await createRuntime({ model: first, tools }).run("Go").result;
    const wireNames = calledIn(server.messages(from).at(-1));
    expect(wireNames).toHaveLength(names.length);
    // Only the last one was legal.
    expect(wireNames.map((name, at) => name === names[at])).toEqual([false, false, false, true]);

    const stored = JSON.parse(JSON.stringify(messages)) as typeof messages;
    const replies = wireNames.map((name, at) => through(wire, at + 5, name, { url: `v${at}` }));
    const again = createRuntime({ model: server.model(wire, [...replies, done]), tools });
    const { outcome, messages: added } = await again.run("Again", { messages: stored }).result;
    expect({ outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
    expect(ran.slice(names.length)).toEqual(names.map((name, at) => `${name} v${at}`));
    const results = added.filter((message) => message.role === "tool").slice(-names.length);
    expect(results.map(({ toolName, isError }) => [toolName, isError])).toEqual(names.map((name) => [name, false]));
  });

  test("REASON-01 a call through call_tool goes back with the reasoning around it as the call itself would", async () => {
    const sentBehind = async (first: Said[]) => {
      const from = server.requests.length;
      const model = server.model(wire, [first, done]);
      const { outcome } = await createRuntime({ model, tools, effort: "low" }).run("Go").result;
      expect({ outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
      return server.messages(from)[1];
    };
    const args = { url: "u" };
    expect(await sentBehind(through(wire, 1, "plain_fetch", args))).toEqual(
      await sentBehind(turn(wire, 1, "plain_fetch", args)),
    );
  });

  test("call_tool is asked for what the wire can say", async () => {
    const from = server.requests.length;
    await createRuntime({ model: server.model(wire, [done]), tools }).run("Go").result;
    const { schema } = declaredIn(server.requests[from]!.body).find(({ name }) => name === "call_tool")!;
    const { arguments: args } = schema.properties as { arguments: { type: string } };
    expect(args.type).toBe(wire.grammar === "gemini" ? "string" : "object");
  });
});
