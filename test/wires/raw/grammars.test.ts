import { afterEach, describe, expect, test } from "vitest";
import { ask, request } from "../ask.ts";
import { connect, wires } from "../wires.ts";
import { grammars } from "./grammars.ts";
import { called, type Said } from "./said.ts";
import { type RawServer, rawServer } from "./server.ts";

let server: RawServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const said: Said[] = [
  { thinking: "Hm, " },
  { thinking: "two." },
  { signature: "c2ln" },
  { text: "Let me " },
  { text: "look." },
  ...called(0, "call_a", "weather", '{"city":"Genoa"}'),
  ...called(1, "call_b", "weather", '{"city":"Oslo"}'),
  { end: "tool_calls", usage: { input: 100, output: 20 } },
];

describe.each(wires)("$name", ({ grammar, noThinking, ...wire }) => {
  test("reads what its grammar wrote: the fixture and the package agree", async () => {
    const { contentType, events } = grammars[grammar];
    server = await rawServer(() => ({ headers: { "content-type": contentType }, body: events(said) }));
    const { end } = await ask(connect(wire, server.url), request());
    expect(end.error).toBeUndefined();
    const { stopReason, content, usage } = end.message;
    expect(stopReason).toBe("tool_calls");
    expect(content.map(({ providerData: _, ...part }) => part)).toEqual([
      ...(noThinking ? [] : [{ type: "reasoning", text: "Hm, two." }]),
      { type: "text", text: "Let me look." },
      { type: "tool_call", id: "call_a", name: "weather", arguments: '{"city":"Genoa"}' },
      { type: "tool_call", id: "call_b", name: "weather", arguments: '{"city":"Oslo"}' },
    ]);
    expect(usage).toMatchObject({ inputTokens: 100, outputTokens: 20 });
  });
});
