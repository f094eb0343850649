import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ContentPart, createRuntime, tool } from "../../src/core.ts";
import { aiSdk } from "../../src/model/ai-sdk/ai-sdk.ts";
import { ask, request } from "./ask.ts";
import { modelV3, modelV4 } from "./language-model.ts";
import { called } from "./raw/said.ts";
import { type Talk, talk } from "./talk.ts";
import { type Wire, wires } from "./wires.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const file = (name: string, mediaType: string, text = "x"): ContentPart => ({
  type: "file",
  data: base64(text),
  mediaType,
  name,
});

const csv = file("a.csv", "text/csv; charset=utf-8", "city,snow\nOslo,1");
const csvText = "city,snow\nOslo,1";
const json = file("b.json", "application/json", '{"a":"ä"}');
const yaml = file("c.yaml", "application/yaml", "a: ä");
const svg: ContentPart = { type: "image", data: base64("<svg/>"), mediaType: "image/svg+xml" };
const zip = file("d.zip", "application/zip", "PK");
const bmp: ContentPart = { type: "image", data: base64("BM1234"), mediaType: "image/bmp" };
const link: ContentPart = { type: "image", url: "https://user:pass@a.example/b?key=secret" };

let server: Talk;
beforeAll(async () => {
  server = await talk();
});
afterAll(() => server.close());

const look = (ran: unknown[]) =>
  tool({
    name: "look",
    description: "Looks.",
    input: { type: "object", properties: {} },
    execute: (input) => {
      ran.push(input);
      return "seen";
    },
  });

/** A run of two rounds on this prompt: what went out, and what was warned of. */
async function runWith(wire: Wire, prompt: readonly ContentPart[]) {
  const from = server.requests.length;
  const model = server.model(wire, [
    [...called(0, "call_a", "look", "{}"), { end: "tool_calls" }],
    [{ text: "Done." }, { end: "stop" }],
  ]);
  const ran: unknown[] = [];
  const run = createRuntime({ model, tools: [look(ran)] }).run([{ type: "text", text: "What is it?" }, ...prompt]);
  const warnings: string[] = [];
  for await (const event of run) if (event.type === "warning") warnings.push(`${event.code}: ${event.message}`);
  const { outcome, error } = await run.result;
  expect({ outcome, error, ran, refused: server.refused }).toEqual({
    outcome: "stop",
    error: undefined,
    ran: [{}],
    refused: [],
  });
  const bodies = server.messages(from).map((messages) => messages.map((message) => JSON.stringify(message)));
  return { warnings, bodies };
}

/** Bedrock and Anthropic have documents of text; Gemini has links only with a type, Bedrock and Ollama none. */
const takes = ({ grammar, name }: Wire) => ({
  csv: grammar === "bedrock",
  links: grammar !== "bedrock" && grammar !== "gemini" && name !== "Ollama",
});

describe.each(wires)("$name", (wire) => {
  test("what it does not take is replaced, said once a part; the run goes on and the prefix stays", async () => {
    const { warnings, bodies } = await runWith(wire, [bmp, csv, zip, link, bmp, json, yaml, svg]);
    const [first, second] = bodies as [string[], string[]];
    expect(bodies).toHaveLength(2);
    expect(second.slice(0, first.length)).toEqual(first);
    const prompt = first.join("");
    const bmpWarning = (at: number) =>
      `part_left_out: messages[0].content[${at}] was left out (image/bmp image): this model does not take that type.`;
    const asText = (at: number, what: string) =>
      `part_as_text: messages[0].content[${at}] was sent as text (file${what}): this model does not take that type as a file.`;
    const zipWarning =
      'part_left_out: messages[0].content[3] was left out (file "d.zip" (application/zip)): this model does not take that type.';
    const own = takes(wire);
    expect(warnings).toEqual([
      bmpWarning(1),
      ...(own.csv ? [] : [asText(2, ' "a.csv" (text/csv)')]),
      zipWarning,
      ...(own.links
        ? []
        : [
            expect.stringMatching(
              /^part_left_out: messages\[0\]\.content\[4\] was left out \(image at https:\/\/a\.ex/,
            ),
          ]),
      bmpWarning(5),
      asText(6, ' "b.json" (application/json)'),
      asText(7, ' "c.yaml" (application/yaml)'),
      asText(8, " (image/svg+xml)"),
    ]);
    expect(warnings.join("")).not.toMatch(/secret|pass/);
    expect(prompt.split("[image/bmp image left out: this model does not take that type]")).toHaveLength(3);
    expect(prompt).toContain('[file \\"d.zip\\" (application/zip) left out: this model does not take that type]');
    expect(prompt).toContain(JSON.stringify('[file "b.json" (application/json)]\n{"a":"ä"}').slice(1, -1));
    expect(prompt).toContain('[file \\"c.yaml\\" (application/yaml)]\\na: ä');
    expect(prompt).toContain("[file (image/svg+xml)]\\n<svg/>");
    if (own.csv) expect(prompt).toContain(base64(csvText));
    else expect(prompt).toContain('[file \\"a.csv\\" (text/csv)]\\ncity,snow\\nOslo,1');
    if (!own.links) expect(prompt).not.toContain("secret");
  });
});

test("a model that sees no images gets a line for each, files that are images too", async () => {
  const model = modelV4([{ parts: [] }]);
  const png = { type: "file", data: base64("x"), mediaType: "image/png", name: "e.png" } as const;
  const linked = { type: "image", url: "https://a.example/b.png" } as const;
  const content = [bmp as never, png, linked];
  const seesNone = aiSdk(model, { supports: { images: false }, retry: { retries: 0 } });
  const { events } = await ask(seesNone, request([{ role: "user", content }]));
  expect(events.filter(({ type }) => type === "warning")).toHaveLength(3);
  const parts = model.calls[0]?.prompt[0]?.content;
  expect(parts).toEqual([
    { type: "text", text: "[image/bmp image left out: this model sees no images]" },
    { type: "text", text: '[file "e.png" (image/png) left out: this model sees no images]' },
    { type: "text", text: "[image at https://a.example/b.png left out: this model sees no images]" },
  ]);
});

test.each([modelV3, modelV4])("a provider that nobody knows is given all but text as it is", async (make) => {
  const model = make([{ parts: [] }], { provider: "mine.chat" });
  const content = [bmp, zip, { type: "file", data: base64("ä"), mediaType: "text/x-odd" }, json] as never;
  await ask(aiSdk(model as never, { retry: { retries: 0 } }), request([{ role: "user", content }]));
  expect(model.calls[0]?.prompt[0]?.content).toMatchObject([
    { type: "file", mediaType: "image/bmp" },
    { type: "file", mediaType: "application/zip", filename: "d.zip" },
    { type: "text", text: "[file (text/x-odd)]\nä" },
    { type: "text", text: '[file "b.json" (application/json)]\n{"a":"ä"}' },
  ]);
});

test.each([
  ["text", Buffer.from("a: ä"), /^\[file "a\.conf" \(application\/octet-stream\)\]\na: ä$/],
  ["no text", Buffer.from([1, 0, 2]), /left out/],
])("a file of unknown type is looked at: %s", async (_, bytes, says) => {
  const model = modelV4([{ parts: [] }], { provider: "openai.chat" });
  const data = bytes.toString("base64");
  const content = [{ type: "file", data, mediaType: "application/octet-stream", name: "a.conf" }] as never;
  await ask(aiSdk(model, { retry: { retries: 0 } }), request([{ role: "user", content }]));
  expect(model.calls[0]?.prompt[0]?.content).toEqual([{ type: "text", text: expect.stringMatching(says) }]);
});

test.each([
  ["a byte order mark", Buffer.from("\ufeffä", "utf16le"), "text/x-odd"],
  ["a charset", Buffer.from("ä", "latin1"), 'text/x-odd; charset="ISO-8859-1"'],
  ["a charset that nobody knows", Buffer.from("ä"), "text/x-odd; charset=odd"],
])("text is read by %s", async (_, bytes, mediaType) => {
  const model = modelV4([{ parts: [] }]);
  const content = [{ type: "file", data: bytes.toString("base64"), mediaType }] as never;
  await ask(aiSdk(model, { retry: { retries: 0 } }), request([{ role: "user", content }]));
  expect(model.calls[0]?.prompt[0]?.content).toEqual([{ type: "text", text: "[file (text/x-odd)]\nä" }]);
});
