import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { type ChatCompletionRequest, LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime, type ExecOptions, tool } from "../../src/core.ts";
import { aiSdk } from "../../src/model/ai-sdk/ai-sdk.ts";
import type { JsonSchema } from "../../src/model/model.ts";
import { type Recorder, recorder } from "./recorder.ts";
import { connect, type Wire, wires } from "./wires.ts";

const weather = {
  name: "weather",
  description: "Weather of a city.",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};
const weatherTool = tool({
  name: weather.name,
  description: weather.description,
  input: weather.parameters,
  execute: ({ city }) => `${city}: sunny`,
});

const properties = { city: { type: "string" }, sky: { type: "string" } };
const report = { type: "object", properties, required: ["city", "sky"], additionalProperties: false };
/** Strict modes take no optional field. */
const loose = { type: "object", properties, required: ["city"], additionalProperties: false };
const list = { type: "array", items: { type: "string" } };
const value = { city: "Genoa", sky: "sunny" };
const cities = ["Genoa", "Oslo"];

type Body = Record<string, unknown>;
type Row = {
  /** Where the body holds the provider's own format, and what stands there; absent: this model has none beside tools. */
  readonly format?: { readonly at: (body: Body) => unknown; readonly expected: unknown };
  /** With no tools at all; "words": the schema is in the system prompt. */
  readonly bare: "native" | "forced" | "words";
  /** How a request in which nothing else may be picked makes the model submit. */
  readonly closing: "forced" | "none";
};

const strict = { type: "json_schema", name: "response", strict: true, schema: report };
const chatFormat = { at: (body: Body) => body.response_format, expected: strictChat() };
const rows: { readonly [wire: string]: Row } = {
  "OpenAI chat": { format: chatFormat, bare: "native", closing: "forced" },
  "OpenAI Responses": {
    format: { at: (body) => (body.text as Body | undefined)?.format, expected: strict },
    bare: "native",
    closing: "forced",
  },
  Azure: {
    format: { at: (body) => (body.text as Body | undefined)?.format, expected: strict },
    bare: "native",
    closing: "forced",
  },
  "Azure chat": { format: chatFormat, bare: "native", closing: "forced" },
  Anthropic: {
    format: {
      at: (body) => (body.output_config as Body | undefined)?.format,
      expected: { type: "json_schema", schema: report },
    },
    bare: "native",
    closing: "forced",
  },
  Gemini: { bare: "native", closing: "forced" },
  Bedrock: { bare: "forced", closing: "forced" },
  "Bedrock Claude": {
    format: {
      at: (body) =>
        ((body.additionalModelRequestFields as Body | undefined)?.output_config as Body | undefined)?.format,
      expected: { type: "json_schema", schema: report },
    },
    bare: "native",
    closing: "forced",
  },
  "OpenAI-compatible": { bare: "words", closing: "none" },
  Ollama: { bare: "words", closing: "none" },
};

function strictChat() {
  return { type: "json_schema", json_schema: { name: "response", strict: true, schema: report } };
}

/** Everything anywhere in a body that is a format of a provider. */
const formats = (body: Body) => {
  const { responseMimeType, responseJsonSchema } = (body.generationConfig ?? {}) as Body;
  const { output_config = body.output_config } = (body.additionalModelRequestFields ?? {}) as Body;
  const all = { response_format: body.response_format, text: body.text, output_config };
  return Object.values({ ...all, responseMimeType, responseJsonSchema }).filter((one) => one !== undefined);
};

/** Providers to which a schema does not say that it is closed. */
const openOnes = ["Gemini", "Bedrock", "Ollama"];

const submission = ({ name }: Wire, { additionalProperties, ...parameters }: JsonSchema) => ({
  name: "final_output",
  description: expect.stringContaining("final result") as unknown as string,
  parameters: openOnes.includes(name) ? parameters : { ...parameters, additionalProperties },
});

let mock: LLMock;
let server: Recorder;
beforeAll(async () => {
  mock = new LLMock({ port: 0 });
  const said = (request: ChatCompletionRequest, text: string) => JSON.stringify(request.messages).includes(text);
  const declares = (request: ChatCompletionRequest, name: string) =>
    request.tools?.some((one) => one.function.name === name) === true;
  const worked = (request: ChatCompletionRequest) => request.messages.some(({ role }) => role === "tool");
  const submits = (request: ChatCompletionRequest) =>
    declares(request, "final_output") && request.tool_choice !== "none";

  mock.addFixture({
    match: { predicate: (request) => declares(request, "weather") && !worked(request) && !said(request, "at once") },
    response: { toolCalls: [{ id: "call_a", name: "weather", arguments: '{"city":"Genoa"}' }] },
  });
  for (const [prompt, result] of [
    ["Report", value],
    ["List", cities],
  ] as const) {
    const input = prompt === "List" ? { value: result } : result;
    mock.addFixture({
      match: { predicate: (request) => said(request, prompt) && submits(request) },
      response: {
        content: "Here it is.",
        toolCalls: [{ id: "call_z", name: "final_output", arguments: JSON.stringify(input) }],
      },
      chunkSize: 7,
    });
    mock.addFixture({
      match: { predicate: (request) => said(request, prompt) },
      response: { content: JSON.stringify(result) },
      chunkSize: 7,
    });
  }
  await mock.start();
  server = await recorder(mock.url);
});
afterAll(async () => {
  await server.close();
  await mock.stop();
});

/** Runs a prompt with these options; what came of it and what the server got. */
async function run(wire: Wire, prompt: string, options: ExecOptions) {
  const from = server.requests.length;
  const model = connect(wire, server.url, { retry: { retries: 0 } });
  expect(model.supports).toEqual({ output: true });
  const runtime = createRuntime({ model, tools: [weatherTool], system: "Be brief." });
  const { outcome, text, value, messages } = await runtime.run(prompt, options).result;
  const bodies = server.requests.slice(from).map(({ body }) => body);
  return { outcome, text, value, messages, bodies, parts: bodies.map((body) => wire.read(body)) };
}

const declared = (wire: Wire, ...tools: Parameters<Wire["tool"]>[0][]): unknown => {
  const all = tools.map((one) => wire.tool(one));
  return wire.toolList === undefined ? all : wire.toolList(all);
};

describe.each(wires)("$name", (wire) => {
  const row = rows[wire.name] as Row;
  const { format } = row;

  test("calls first, then the result; both rounds declare the same", async () => {
    const { outcome, value: got, text, messages, bodies, parts } = await run(wire, "Report", { output: report });
    expect({ outcome, got }).toEqual({ outcome: "stop", got: value });
    expect(text).toBe(JSON.stringify(value));
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(messages.at(-1)).toMatchObject({ content: [{ type: "text", text }], stopReason: "stop" });
    expect(bodies).toHaveLength(2);
    for (const [at, body] of bodies.entries()) {
      expect(parts[at]).toMatchObject({ system: wire.system, choice: wire.auto });
      expect(parts[at]?.tools).toEqual(
        format ? declared(wire, weather) : declared(wire, weather, submission(wire, report)),
      );
      expect(format?.at(body)).toEqual(format?.expected);
      expect(formats(body)).toHaveLength(format ? 1 : 0);
    }
    expect(JSON.stringify(parts[1]?.tools)).toBe(JSON.stringify(parts[0]?.tools));
  });

  test("a schema that strict modes refuse goes through the submission tool", async () => {
    const { value: got, bodies, parts } = await run(wire, "Report", { output: loose });
    expect(got).toEqual(value);
    expect(bodies.flatMap(formats)).toEqual([]);
    for (const { tools } of parts) expect(tools).toEqual(declared(wire, weather, submission(wire, loose)));
  });

  test("a result that is no object is wrapped on the wire and nowhere else", async () => {
    const { value: got, text, bodies, parts } = await run(wire, "List", { output: list });
    expect(got).toEqual(cities);
    expect(text).toBe(JSON.stringify(cities));
    expect(bodies.flatMap(formats)).toEqual([]);
    const wrapped = { type: "object", properties: { value: list }, required: ["value"], additionalProperties: false };
    for (const { tools } of parts) expect(tools).toEqual(declared(wire, weather, submission(wire, wrapped)));
  });

  test("the closing request", async () => {
    const { outcome, value: got, parts } = await run(wire, "Report", { output: loose, maxIterations: 1 });
    expect({ outcome, got }).toEqual({ outcome: "max_iterations", got: value });
    expect(parts).toHaveLength(2);
    const { tools, choice, system } = parts[1] ?? {};
    expect(choice).toEqual(row.closing === "forced" ? wire.forced("final_output") : wire.none);
    // The notice holds the schema, so it need not be in the system prompt as well.
    expect(system).toEqual(wire.system);
    if (wire.hidesOthersWhenForced) expect(tools).toEqual(declared(wire, submission(wire, loose)));
    else expect(JSON.stringify(tools)).toBe(JSON.stringify(parts[0]?.tools));
  });

  test("a run that may pick nothing", async () => {
    const { outcome, value: got, parts } = await run(wire, "Report at once", { output: loose, toolChoice: "none" });
    expect({ outcome, got, requests: parts.length }).toEqual({ outcome: "stop", got: value, requests: 1 });
    const { choice, system } = parts[0] ?? {};
    expect(choice).toEqual(row.closing === "forced" ? wire.forced("final_output") : wire.none);
    if (row.closing === "forced") expect(system).toEqual(wire.system);
    else expect(system).toEqual({ role: "system", content: expect.stringContaining(JSON.stringify(loose)) });
  });

  test("without tools", async () => {
    const { outcome, value: got, bodies, parts } = await run(wire, "Report", { output: report, toolset: "none" });
    expect({ outcome, got }).toEqual({ outcome: "stop", got: value });
    expect(bodies).toHaveLength(1);
    const { tools, choice, system } = parts[0] ?? {};
    expect(formats(bodies[0] ?? {})).toHaveLength(row.bare !== "native" ? 0 : wire.name === "Gemini" ? 2 : 1);
    if (row.bare === "forced") {
      expect({ tools, choice }).toEqual({
        tools: declared(wire, submission(wire, report)),
        choice: wire.forced("final_output"),
      });
    } else expect({ tools, choice }).toEqual({ tools: undefined, choice: undefined });
    if (row.bare === "words") {
      expect(system).toEqual({ role: "system", content: expect.stringContaining(JSON.stringify(report)) });
    } else expect(system).toEqual(wire.system);
  });
});

test("Gemini without tools gets the schema itself", async () => {
  const wire = wires.find(({ name }) => name === "Gemini") as Wire;
  const { bodies } = await run(wire, "Report", { output: report, toolset: "none" });
  expect(bodies[0]?.generationConfig).toEqual({ responseMimeType: "application/json", responseJsonSchema: report });
});

describe("models that differ from the others of their provider", () => {
  const other = async (name: string, spec: string, options: ExecOptions = { output: report }) => {
    const wire = wires.find((one) => one.name === name) as Wire;
    const { value: got, bodies, parts } = await run({ ...wire, spec }, "Report", options);
    expect(got).toEqual(value);
    return { wire, bodies, parts };
  };

  test("Claude on Bedrock: natively beside the user's tools, which stay free to be picked", async () => {
    const { wire, bodies, parts } = await other("Bedrock", "bedrock/eu.anthropic.claude-sonnet-4-5-20250929-v1:0");
    expect(bodies).toHaveLength(2);
    for (const [at, { additionalModelRequestFields: fields }] of bodies.entries()) {
      expect(fields).toMatchObject({ output_config: { format: { type: "json_schema", schema: report } } });
      expect(parts[at]).toMatchObject({ tools: declared(wire, weather), choice: wire.auto });
    }
  });

  test("Gemini 3: natively beside tools, but not while a call is forced", async () => {
    const toolChoice = { type: "function", name: "weather" } as const;
    const { wire, bodies, parts } = await other("Gemini", "google/gemini-3-pro-preview", {
      output: report,
      toolChoice,
    });
    expect(bodies.map((body) => formats(body))).toEqual([[], ["application/json", report]]);
    for (const { tools } of parts) expect(tools).toEqual(declared(wire, weather));
    expect(parts.map(({ choice }) => choice)).toMatchObject([wire.forced("weather"), wire.auto]);
  });

  test("older Claude: the submission tool", async () => {
    const { wire, bodies, parts } = await other("Anthropic", "anthropic/claude-sonnet-4-20250514");
    expect(bodies.flatMap(formats)).toEqual([]);
    for (const { tools, choice } of parts) {
      expect({ tools, choice }).toEqual({
        tools: declared(wire, weather, submission(wire, report)),
        choice: wire.auto,
      });
    }
  });

  test("a compatible server that says so: natively, without tools", async () => {
    const compatible = createOpenAICompatible({
      name: "lab",
      baseURL: `${server.url}/v1`,
      supportsStructuredOutputs: true,
    });
    const from = server.requests.length;
    const runtime = createRuntime({ model: aiSdk(compatible("qwen3")) });
    expect(await runtime.exec("Report", { output: report, toolset: "none" })).toEqual(value);
    expect(server.requests[from]?.body).toMatchObject({ response_format: strictChat() });
    expect(server.requests[from]?.body).not.toHaveProperty("tools");
  });
});
