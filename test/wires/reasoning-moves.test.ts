import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AssistantMessage, createRuntime, type Message, tool } from "../../src/core.ts";
import { called, type Said } from "./raw/said.ts";
import { signedBy } from "./raw/valid-parts.ts";
import { signature, type Talk, talk, talker, thought } from "./talk.ts";

let server: Talk;
beforeAll(async () => {
  server = await talk();
});
afterAll(() => server.close());

const look = tool({ name: "look", description: "Looks.", execute: () => "a key" });
const call = (at = 0): Said[] => called(at, `call0000${at}`, "look", "{}");
const done: Said[] = [{ text: "Done." }, { end: "stop" }];
const callAndResult = (message: Partial<AssistantMessage>): Message[] => [
  { role: "user", content: "Hi" },
  {
    role: "assistant",
    content: [{ type: "tool_call", id: "call00009", name: "look", arguments: "{}" }],
    model: "elsewhere/m",
    usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    stopReason: "tool_calls",
    ...message,
  },
  { role: "tool", callId: "call00009", toolName: "look", content: [{ type: "text", text: "ok" }], isError: false },
];

async function warningsOf(run: AsyncIterable<{ readonly type: string }>): Promise<string[]> {
  const codes: string[] = [];
  for await (const event of run) if (event.type === "warning") codes.push((event as unknown as { code: string }).code);
  return codes;
}

/** Reasoning as each wire keeps it, signed by another account: the model is the same, the signature is not taken. */
const data: { readonly [wire: string]: (signature: string) => object } = {
  Anthropic: (signature) => ({ anthropic: { signature } }),
  "Bedrock Claude": (signature) => ({ amazonBedrock: { signature } }),
  "OpenAI reasoning": (reasoningEncryptedContent) => ({ openai: { itemId: "rs_1", reasoningEncryptedContent } }),
  "Gemini 3": (thoughtSignature) => ({ google: { thoughtSignature } }),
};

describe.each(Object.keys(data).map(talker))("$name", (wire) => {
  test("reasoning that the provider refuses is left out from then on, with a warning, and the run goes on", async () => {
    const model = server.model(wire, [[...thought(wire), ...call(), { end: "tool_calls" }], done]);
    const providerData = data[wire.name]?.(signedBy("another account")) as never;
    const [user, reply, result] = callAndResult({ model: model.id }) as [Message, AssistantMessage, Message];
    const content = [{ type: "reasoning", text: "Hm.", providerData } as const, ...reply.content];
    const from = server.requests.length;
    const run = createRuntime({ model, tools: [look] }).run("On", { messages: [user, { ...reply, content }, result] });
    expect(await warningsOf(run)).toEqual(["reasoning_refused"]);
    expect((await run.result).outcome).toBe("stop");
    expect(server.refused).toHaveLength(1);
    const [, again = [], last = []] = server.messages(from);
    expect(JSON.stringify(again)).not.toContain(signedBy("another account"));
    // What was thought since then is given back, behind the very same beginning.
    expect(JSON.stringify(last.slice(0, again.length))).toBe(JSON.stringify(again));
    expect(JSON.stringify(last)).toContain(signature(wire));
  });

  test("a signature of another model of the same provider is not sent", async () => {
    const model = server.model(wire, [done]);
    const providerData = data[wire.name]?.(signedBy("its brother")) as never;
    const [user, reply, result] = callAndResult({}) as [Message, AssistantMessage, Message];
    const content = [{ type: "reasoning", text: "Hm.", providerData } as const, ...reply.content];
    const brother = { ...reply, content, model: `${model.id}-mini` };
    const run = createRuntime({ model, tools: [look] }).run("On", { messages: [user, brother, result] });
    expect({ outcome: (await run.result).outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
  });
});

describe.each(["Anthropic", "Bedrock Claude"].map(talker))("$name", (wire) => {
  test("thinking is left out until a turn is over that another model began, and said so", async () => {
    const from = server.requests.length;
    const model = server.model(wire, [[...call(), { end: "tool_calls" }], done, [...thought(wire), ...done]]);
    const runtime = createRuntime({ model, tools: [look], effort: "low" });
    const earlier = callAndResult({});
    const run = runtime.run("On", { messages: earlier });
    expect(await warningsOf(run)).toEqual(["thinking"]);
    const { outcome, messages } = await run.result;
    expect({ outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
    const next = await runtime.run("And now?", { messages: [...earlier, ...messages] }).result;
    expect({ outcome: next.outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
    const thinks = server.requests.slice(from).map(({ text }) => /"type":"enabled"/.test(text));
    expect(thinks).toEqual([false, false, true]);
  });

  test("thinking that is switched off behind thinking is taken, and on again", async () => {
    const model = server.model(wire, [[...thought(wire), ...call(), { end: "tool_calls" }], done, done, done]);
    const runtime = createRuntime({ model, tools: [look] });
    const first = await runtime.run("Go", { effort: "low" }).result;
    const off = await runtime.run("Off", { messages: first.messages, effort: "none" }).result;
    const on = await runtime.run("On", { messages: [...first.messages, ...off.messages], effort: "low" }).result;
    expect([first.outcome, off.outcome, on.outcome, server.refused]).toEqual(["stop", "stop", "stop", []]);
  });
});

describe.each(["OpenAI reasoning", "OpenAI Responses", "Azure"].map(talker))("$name", (wire) => {
  const key = wire.spec.startsWith("azure") ? "azure" : "openai";
  const turn = (): Said[] => [...thought(wire), { text: "Let me look." }, ...call(), { end: "tool_calls" }];

  test("nothing is stored and nothing refers to what was; reasoning comes and goes encrypted", async () => {
    const from = server.requests.length;
    await createRuntime({ model: server.model(wire, [turn(), done]), tools: [look] }).run("Go").result;
    const bodies = server.requests.slice(from).map(({ body }) => body);
    expect(bodies.map(({ store }) => store)).toEqual([false, false]);
    expect(JSON.stringify(bodies)).not.toContain("item_reference");
    const isKnown = wire.name === "OpenAI reasoning";
    expect(bodies[0]?.include).toEqual(isKnown ? ["reasoning.encrypted_content"] : undefined);
  });

  test("a caller who has replies stored gets references", async () => {
    const providerOptions = { [key]: { store: true } };
    const from = server.requests.length;
    const model = server.model(wire, [turn(), done]);
    const { outcome } = await createRuntime({ model, tools: [look], providerOptions }).run("Go").result;
    expect({ outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
    const [, second] = server.requests.slice(from);
    expect(second?.body.store).toBe(true);
    expect(second?.text).toContain('"type":"item_reference"');
  });

  test("REASON-09 behind a response of the server, every call of the run goes with its result, also after an abort", async () => {
    const providerOptions = { [key]: { previousResponseId: "resp_0" } };
    const from = server.requests.length;
    const slow = tool({
      name: "look",
      description: "Looks.",
      execute: async (_, { signal }) => {
        if (server.requests.length - from < 2) return "a key";
        run.abort();
        return new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    });
    const runtime = createRuntime({ model: server.model(wire, [turn(), turn(), done, done]), tools: [slow] });
    const run = runtime.run("Go", { providerOptions });
    const first = await run.result;
    expect([first.outcome, server.refused]).toEqual(["aborted", []]);
    expect(server.requests.slice(from).map(({ body }) => body.previous_response_id)).toEqual(["resp_0", "resp_0"]);
    const kinds = server.messages(from)[1]?.map((item) => (item as { type?: string }).type);
    expect(kinds).toEqual(expect.arrayContaining(["function_call", "function_call_output"]));

    const second = await runtime.run("Go on", { messages: first.messages }).result;
    expect([second.outcome, server.refused]).toEqual(["stop", []]);
    expect(server.requests.at(-1)?.body).not.toHaveProperty("previous_response_id");
  });

  test("REASON-09 a conversation that the server keeps is refused with what to do instead", async () => {
    const from = server.requests.length;
    const model = server.model(wire, [done]);
    const run = createRuntime({ model, providerOptions: { [key]: { conversation: "conv_1" } } }).run("Go");
    expect((await run.result).error?.message).toMatch(/conversation .* leave it out, and give earlier messages by/);
    expect(server.requests.length).toBe(from);
  });
});
