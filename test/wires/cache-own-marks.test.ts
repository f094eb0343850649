import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime, type Message, tool } from "../../src/core.ts";
import { called, type Said } from "./raw/said.ts";
import { type Talk, talk, talker, talkers } from "./talk.ts";
import type { Wire } from "./wires.ts";

let server: Talk;
beforeAll(async () => {
  server = await talk();
});
afterAll(() => server.close());

const look = tool({ name: "look", description: "Looks.", execute: () => "seen" });
const mark = {
  anthropic: { cacheControl: { type: "ephemeral" } },
  amazonBedrock: { cachePoint: { type: "default" } },
};
/** A talk so far, the first `own` of its questions marked by the caller. */
const talked = (own: number, most = 6): Message[] =>
  Array.from({ length: most }, (_, at): Message[] => [
    { role: "user", content: [{ type: "text", text: `question ${at}`, ...(at < own && { providerData: mark }) }] },
    {
      role: "assistant",
      content: [{ type: "text", text: `answer ${at}` }],
      model: "elsewhere/m",
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      stopReason: "stop",
    },
  ]).flat();

const replies: Said[][] = [
  [...called(0, "call00001", "look", "{}"), { end: "tool_calls" }],
  [{ text: "Done." }, { end: "stop" }],
];

async function run(wire: Wire, own: number) {
  const from = server.requests.length;
  const model = server.model(wire, replies, { cache: true });
  const running = createRuntime({ model, tools: [look], system: "Be brief." }).run("Go", { messages: talked(own) });
  const warnings: string[] = [];
  for await (const event of running) if (event.type === "warning") warnings.push(event.code);
  const { outcome } = await running.result;
  const bodies = server.requests.slice(from).map(({ body }) => body);
  return { outcome, warnings, bodies };
}

/** The texts behind which a mark stands, in order. */
const markedIn = (body: object): string[] => {
  const text = JSON.stringify(body);
  return [...text.matchAll(/"text":"([^"]*)"(?:,"cache_control":|\},\{"cachePoint":)/g)].map((found) => found[1] ?? "");
};

/** The wires that take four marks, and refuse more. */
const marking = ["Anthropic", "Bedrock Claude"];

describe.each(talkers)("$name", (wire) => {
  test.each([1, 3, 4, 6])("CACHE-02 %i marks of the caller's own in the history are never too many", async (own) => {
    const { outcome, bodies } = await run(wire, own);
    expect({ outcome, refused: server.refused, sent: bodies.length }).toEqual({
      outcome: "stop",
      refused: [],
      sent: 2,
    });
  });
});

describe.each(marking)("%s", (name) => {
  const wire = talker(name);

  test("ours take what the caller's leave, the end first", async () => {
    expect(markedIn((await run(wire, 1)).bodies[0]!)).toEqual(["Be brief.", "question 0", "question 5", "Go"]);
    expect(markedIn((await run(wire, 2)).bodies[0]!)).toEqual(["question 0", "question 1", "question 5", "Go"]);
    expect(markedIn((await run(wire, 3)).bodies[0]!)).toEqual(["question 0", "question 1", "question 2", "Go"]);
    const { bodies, warnings } = await run(wire, 4);
    expect(markedIn(bodies[0]!)).toEqual(["question 0", "question 1", "question 2", "question 3"]);
    expect(warnings).toEqual([]);
  });

  test("of more than four the last ones stay, and it is said once", async () => {
    const { bodies, warnings } = await run(wire, 6);
    for (const body of bodies) expect(markedIn(body)).toEqual(["question 2", "question 3", "question 4", "question 5"]);
    expect(warnings).toEqual(["cache_marks"]);
  });
});

test("a model of Bedrock that refuses marks is sent none of the caller's", async () => {
  const llama = { ...talker("Bedrock"), spec: "bedrock/us.meta.llama3-3-70b-instruct-v1:0" };
  const { outcome, bodies, warnings } = await run(llama, 2);
  expect({ outcome, refused: server.refused, warnings }).toEqual({
    outcome: "stop",
    refused: [],
    warnings: ["cache_marks"],
  });
  expect(JSON.stringify(bodies)).not.toContain("cachePoint");
  expect(JSON.stringify(bodies)).toContain("question 1");
});
