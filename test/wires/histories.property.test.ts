import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AssistantMessage, Message } from "../../src/core.ts";
import { repairHistory } from "../../src/message/repair.ts";
import { ask } from "./ask.ts";
import { signedBy } from "./raw/valid-parts.ts";
import { png } from "./results-said.ts";
import { signature, type Talk, talk, talkers } from "./talk.ts";
import type { Wire } from "./wires.ts";

let server: Talk;
beforeAll(async () => {
  server = await talk();
});
afterAll(() => server.close());

const text = fc.oneof(fc.constantFrom("", " ", "\n", "a", "a\ud83d", "Error: x", "{}"), fc.string({ maxLength: 6 }));
const id = fc.oneof(
  fc.constantFrom("", "a", "b", "shell:0", "call_x|fc_y", "x".repeat(90), "é"),
  fc.string({ maxLength: 4 }),
);
const name = fc.constantFrom("", "look", "a.b", "a b", "__proto__", "constructor", "y".repeat(90), "\ud83d");
const args = fc.constantFrom(
  "{}",
  "",
  "  ",
  '{"q":1}',
  '{"q":',
  "[1]",
  "null",
  '"x"',
  '{"q":"\\ud83d"}',
  '{"__proto__":1}',
);

/** Reasoning data of the model that is asked or of another one, under the names that all the packages read. */
const data = (signature: string) => ({
  anthropic: { signature },
  bedrock: { signature },
  amazonBedrock: { signature },
  openai: { itemId: "rs_1", reasoningEncryptedContent: signature },
  azure: { itemId: "rs_1", reasoningEncryptedContent: signature },
  google: { thoughtSignature: signature },
});

function historyOf(wire: Wire, own: string): fc.Arbitrary<Message[]> {
  const reply = fc.boolean().chain((isOwn) => {
    const providerData = data(isOwn ? signature(wire) : signedBy("someone else"));
    const reasoning = fc.record(
      { type: fc.constant("reasoning" as const), text, providerData: fc.constantFrom(providerData, {}, undefined) },
      { requiredKeys: ["type", "text"] },
    );
    const call = fc.record(
      { type: fc.constant("tool_call" as const), id, name, arguments: args, partial: fc.constant(true as const) },
      { requiredKeys: ["type", "id", "name", "arguments"] },
    );
    const said = fc.record({ type: fc.constant("text" as const), text });
    return fc.record({
      role: fc.constant("assistant" as const),
      content: fc.array(fc.oneof(reasoning, call, said), { maxLength: 5 }),
      model: fc.constant(isOwn ? own : "elsewhere/m"),
      usage: fc.constant({ inputTokens: 1, outputTokens: 1, totalTokens: 2 }),
      stopReason: fc.constantFrom("stop" as const, "tool_calls" as const, "length" as const),
    });
  });
  const image = fc.constant({ type: "image" as const, data: png, mediaType: "image/png" });
  const said = fc.record({ type: fc.constant("text" as const), text });
  const json = fc.record({ type: fc.constant("json" as const), value: fc.jsonValue({ maxDepth: 2 }) });
  const result = fc.record({
    role: fc.constant("tool" as const),
    callId: id,
    toolName: name,
    content: fc.array(fc.oneof(said, image, json), { maxLength: 3 }),
    isError: fc.boolean(),
  });
  const user = fc.record({
    role: fc.constant("user" as const),
    content: fc.oneof(text, fc.array(fc.oneof(said, image), { maxLength: 3 })),
  });
  const turn = fc.array(fc.oneof({ weight: 3, arbitrary: reply }, { weight: 4, arbitrary: result }, user), {
    maxLength: 8,
  });
  return turn.map((rest) => [{ role: "user", content: "Hi" }, ...(rest as Message[])]);
}

const tools = [{ name: "look", description: "Looks.", parameters: { type: "object", properties: {} } }];

describe.each(talkers)("$name", (wire) => {
  test("takes any history that was repaired, and its beginning stays the same when it grows", async () => {
    const own = server.model(wire, []).id;
    await fc.assert(
      fc.asyncProperty(historyOf(wire, own), historyOf(wire, own), async (given, more) => {
        const messages: Message[] = [...repairHistory(given).messages, { role: "user", content: "Go on" }];
        const model = server.model(wire, []);
        const from = server.requests.length;
        const request = { messages, tools, toolChoice: "auto" } as const;
        const first = await ask(model, request);
        expect({ error: first.end.error, refused: server.refused }).toEqual({ refused: [] });
        const grown = repairHistory([...messages, first.end.message as AssistantMessage, ...more]).messages;
        messages.push(...grown.slice(messages.length), { role: "user", content: "And then?" });
        const second = await ask(model, request);
        expect({ error: second.end.error, refused: server.refused }).toEqual({ refused: [] });
        const [before = [], after = []] = server.messages(from);
        expect(JSON.stringify(after.slice(0, before.length))).toBe(JSON.stringify(before));
        // A history that is converted at once, in another process say, gives the same bytes.
        await ask(server.model(wire, []), { ...request, messages: messages.slice() });
        expect(server.requests.at(-1)?.text).toBe(server.requests.at(-2)?.text);
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});
