import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime, type Message, result, tool } from "../../src/core.ts";
import { textOf } from "../../src/message/message.ts";
import { called, type Said } from "./raw/said.ts";
import { png } from "./results-said.ts";
import { signature, type Talk, talk, talkers, thought } from "./talk.ts";
import type { Wire } from "./wires.ts";

let server: Talk;
beforeAll(async () => {
  server = await talk();
});
afterAll(() => server.close());

const shot = tool({
  name: "screen.shot",
  description: "Shoots.",
  execute: () =>
    result({
      content: [
        { type: "text", text: "shot" },
        { type: "image", data: png, mediaType: "image/png" },
      ],
    }),
});
const fails = tool({
  name: "fails",
  description: "Fails.",
  execute: () => {
    throw new Error("no such file");
  },
});
const tools = [shot, fails];

/** One turn: thinking, text and two calls, then thinking and a third call, then the answer. */
const turn = (wire: Wire, name: string): Said[][] => [
  [
    ...thought(wire, `First on ${wire.name}.`),
    { text: "Let me look." },
    ...called(0, `call:${wire.name} 1`, name, "{}"),
    ...called(1, `call:${wire.name} 2`, "fails", '{"x":"\\ud83d"}'),
    { end: "tool_calls" },
  ],
  [...thought(wire, "Second."), ...called(0, `call:${wire.name} 1`, name, "{}"), { end: "tool_calls" }],
  [...thought(wire, "Third."), { text: "Done." }, { end: "stop" }],
];

/** One turn on this wire behind this history; what it added, as a store gives it back. */
async function on(wire: Wire, earlier: readonly Message[]): Promise<Message[]> {
  const from = server.requests.length;
  const wireName = /screen_shot_[a-z0-9]+/;
  // The name that the model sees is known once it has been declared.
  let name = "";
  const model = server.model(wire, [], {});
  await createRuntime({ model, tools }).run("Name?").result;
  name = wireName.exec(server.requests.at(-1)?.text ?? "")?.[0] ?? "";
  const runtime = createRuntime({ model: server.model(wire, turn(wire, name)), tools, effort: "low" });
  const { outcome, messages, error } = await runtime.run("Go", { messages: earlier }).result;
  expect({ outcome, error, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
  expect(messages.filter(({ role }) => role === "tool")).toHaveLength(3);
  const sent = server.messages(from + 1);
  for (const [at, one] of sent.entries()) {
    // Each request begins with the very bytes of the one before.
    expect(JSON.stringify(one).startsWith(JSON.stringify(sent[at - 1] ?? []).slice(0, -1))).toBe(true);
  }
  return JSON.parse(JSON.stringify(messages)) as Message[];
}

describe.each(talkers)("a run made on $name", (first) => {
  test.each(talkers)("goes on with $name, and back", async (second) => {
    const one = await on(first, []);
    const two = await on(second, one);
    const abroad = server.requests.at(-1)?.text;
    const back = await on(first, [...one, ...two]);
    expect(textOf(back.at(-1) as Message)).toBe("Done.");
    if (first.spec === second.spec) return;
    // What was signed elsewhere never came here: the server refuses it; nor what was thought elsewhere. What was signed here came back.
    const last = server.requests.at(-1)?.text ?? "";
    expect(abroad).not.toContain(`First on ${first.name}.`);
    const keeps = /anthropic|openai\/gpt-5|gemini|Claude/i.test(first.spec);
    if (keeps) expect(last).toContain(signature(first));
  });
});
