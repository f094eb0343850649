import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime, tool } from "../../src/core.ts";
import { grammars } from "./raw/grammars.ts";
import { called, type Said } from "./raw/said.ts";
import { type Received, rawServer } from "./raw/server.ts";
import { refusals } from "./raw/valid.ts";
import { type Talk, talk, talker, talkers } from "./talk.ts";
import { connect, type Wire } from "./wires.ts";

const look = tool({
  name: "look",
  description: "Looks.",
  input: { type: "object", properties: { at: { type: "integer" } } },
  execute: ({ at }) => `seen ${at}`,
});
const rounds = 20;
const replyAt = (round: number): Said[] =>
  round < rounds
    ? [{ text: `Round ${round}.` }, ...called(0, `call_${round}`, "look", `{"at":${round}}`), { end: "tool_calls" }]
    : [{ text: "Done." }, { end: "stop" }];

/** Without the marks of caches, which wander. */
const unmarked = (text: string): string =>
  text.replaceAll(/,"cache_control":\{"type":"ephemeral"\}|,\{"cachePoint":\{"type":"default"\}\}/g, "");

type Body = Received["body"];
const entries = ({ messages, input, contents }: Body) => (messages ?? input ?? contents) as readonly unknown[];

/** A body, cut behind the last entry that both share by number. */
function beginning(body: Body, count: number): string {
  const kept = entries(body).slice(0, count);
  const name = body.messages ? "messages" : body.input ? "input" : "contents";
  return unmarked(JSON.stringify({ ...body, [name]: kept }));
}

describe.each(talkers)("$name", (wire) => {
  test("CACHE-02 the beginning of a request stays the same, byte for byte, over 20 rounds with retries in between", async () => {
    const { contentType, events } = grammars[wire.grammar];
    const refused: string[] = [];
    let answered = 0;
    const server = await rawServer(({ text }, at) => {
      refused.push(...refusals(wire.grammar, text, wire.spec));
      // Every third request is turned away.
      if (at % 3 === 1) return { status: 529, headers: { "content-type": "application/json" }, body: ["{}"] };
      return { headers: { "content-type": contentType }, body: events(replyAt(++answered)) };
    });
    const model = connect(wire, server.url, { cache: true });
    const runtime = createRuntime({ model, tools: [look], system: "Be brief." });
    const { outcome, text, rounds: made } = await runtime.run("Go", { maxIterations: 30 }).result;
    const requests = server.requests;
    await server.close();
    expect({ outcome, text, made, refused }).toEqual({ outcome: "stop", text: "Done.", made: rounds, refused: [] });
    expect(requests.length).toBeGreaterThan(rounds);
    for (const [at, { body }] of requests.entries()) {
      const next = requests[at + 1];
      if (!next) break;
      const count = entries(body).length;
      expect(beginning(next.body, count)).toBe(beginning(body, count));
      // What was turned away is sent again as it was.
      if (at % 3 === 1) expect(next.text).toBe(requests[at]?.text);
    }
  });
});

let server: Talk;
beforeAll(async () => {
  server = await talk();
});
afterAll(() => server.close());

/** Bodies of a run of two rounds. */
async function bodies(wire: Wire, options: { tools?: boolean; cache?: boolean } = {}): Promise<readonly string[]> {
  const from = server.requests.length;
  const { tools = true, cache = true } = options;
  const replies = tools ? [replyAt(1), [{ text: "Done." }, { end: "stop" }] as Said[]] : [replyAt(rounds)];
  const model = server.model(wire, replies, { cache });
  const run = createRuntime({ model, system: "Be brief." }).run("Go", { tools: tools ? [look] : [] });
  expect(await run.result).toMatchObject({ outcome: "stop", text: "Done." });
  return server.requests.slice(from).map(({ text }) => text);
}

const marks = (text: string | undefined) => text?.match(/"cache_control"|"cachePoint"/g)?.length ?? 0;

describe("marks for the cache", () => {
  const marking = ["Anthropic", "Bedrock Claude"];

  test.each(marking)("%s: behind the system prompt, at the end, and where the request before ended", async (name) => {
    const wire = talker(name);
    const [first, second] = await bodies(wire);
    expect([marks(first), marks(second)]).toEqual([2, 3]);
    const { system, messages } = JSON.parse(second as string);
    for (const place of [system, messages[0].content, messages.at(-1).content]) {
      expect(marks(JSON.stringify(place))).toBe(1);
      expect(marks(JSON.stringify(place.at(-1)))).toBe(1);
    }
  });

  test.each(marking)(
    "%s: none without tools in front of the first reply, none when they are not wanted",
    async (name) => {
      expect((await bodies(talker(name), { tools: false })).map(marks)).toEqual([0]);
      expect((await bodies(talker(name), { cache: false })).map(marks)).toEqual([0, 0]);
    },
  );

  test.each(talkers.map(({ name }) => name).filter((name) => !marking.includes(name)))(
    "%s caches by itself, or refuses marks",
    async (name) => {
      expect((await bodies(talker(name))).map(marks)).toEqual([0, 0]);
    },
  );

  test.each(marking)("%s: a prompt that ends with files, one of them as the only word", async (name) => {
    const data = Buffer.from("%PDF").toString("base64");
    const pdf = { type: "file", data, mediaType: "application/pdf", name: "a.pdf" } as const;
    const film = { type: "file", data, mediaType: "video/mp4" } as const;
    const jpeg = { type: "image", data: "/9j/4AAQSkZJRg==", mediaType: "image/jpeg" } as const;
    const said = { type: "text", text: "Read." } as const;
    for (const prompt of [[said, pdf], [said, pdf, film], [jpeg, pdf], [pdf, jpeg], [pdf]]) {
      const from = server.requests.length;
      const model = server.model(talker(name), [replyAt(1), replyAt(rounds)], { cache: true });
      const { outcome } = await createRuntime({ model }).run(prompt, { tools: [look] }).result;
      expect({ outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
      const bodies = server.requests.slice(from).map(({ body }) => body);
      for (const body of bodies) expect(marks(JSON.stringify(entries(body)[0]))).toBe(1);
      expect(bodies.map((body) => marks(JSON.stringify(body)))).toEqual([1, 2]);
    }
  });

  test.each([
    ["anthropic.claude-v2:1", 0],
    ["anthropic.claude-instant-v1", 0],
    ["anthropic.claude-3-haiku-20240307-v1:0", 0],
    ["us.anthropic.claude-3-7-sonnet-20250219-v1:0", 2],
    ["anthropic.claude-sonnet-4-20250514-v1:0", 2],
    ["global.anthropic.claude-fable-5-1", 2],
    ["us.meta.llama3-3-70b-instruct-v1:0", 0],
  ])("Bedrock takes them from Claude 3.7 on: %s", async (id, count) => {
    const [first] = await bodies({ ...talker("Bedrock"), spec: `bedrock/${id}` });
    expect(marks(first)).toBe(count);
  });

  test("the caller's own way stands alone", async () => {
    const from = server.requests.length;
    const cacheControl = { type: "ephemeral", ttl: "1h" };
    const model = server.model(talker("Anthropic"), [replyAt(rounds)], { cache: true });
    await createRuntime({ model }).exec("Go", { tools: [look], providerOptions: { anthropic: { cacheControl } } });
    const body = server.requests[from]?.body;
    expect(body?.cache_control).toEqual(cacheControl);
    expect(marks(JSON.stringify(body))).toBe(1);
  });
});

/** What each wire tells of a usage; what it has no word for is absent or told as none. */
const told: { readonly [wire: string]: readonly ("read" | "written" | "reasoning")[] } = {
  "OpenAI chat": ["read", "reasoning"],
  "Azure chat": ["read", "reasoning"],
  "OpenAI-compatible": ["read", "reasoning"],
  Ollama: ["read", "reasoning"],
  "Mistral on a server": ["read", "reasoning"],
  "OpenAI Responses": ["read", "reasoning"],
  "OpenAI reasoning": ["read", "reasoning"],
  Azure: ["read", "reasoning"],
  Anthropic: ["read", "written"],
  Gemini: ["read", "reasoning"],
  "Gemini 3": ["read", "reasoning"],
  Bedrock: ["read", "written"],
  "Bedrock Claude": ["read", "written"],
};

describe.each(talkers)("usage of $name", (wire) => {
  test("tokens read from the cache, written to it and spent on reasoning, and what they cost", async () => {
    const usage = { input: 1_000, output: 100, read: 600, written: 300, reasoning: 40 };
    const model = server.model(wire, [[{ text: "Hi." }, { end: "stop", usage }]]);
    const prices = { [model.id]: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 } };
    const { usage: counted } = await createRuntime({ model, prices }).run("Go", { tools: [] }).result;
    const has = (field: "read" | "written" | "reasoning") => told[wire.name]?.includes(field) === true;
    const written = has("written") ? 300 : 0;
    expect(counted).toMatchObject({ inputTokens: 1_000, outputTokens: 100, totalTokens: 1_100, cacheReadTokens: 600 });
    expect(counted.cacheWriteTokens ?? 0).toBe(written);
    if (has("reasoning")) expect(counted.reasoningTokens).toBe(40);
    expect(counted.cost).toBeCloseTo(((400 - written) * 2 + 600 * 0.2 + written * 2.5 + 100 * 10) / 1e6, 12);
  });
});
