import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import { ask } from "../../../test/wires/ask.ts";
import { finish, modelV4, textParts } from "../../../test/wires/language-model.ts";
import type { ModelRequest } from "../model.ts";
import { aiSdk } from "./ai-sdk.ts";

const tools = [
  { name: "a", description: "A.", parameters: { type: "object", properties: {} } },
  { name: "b", description: "B.", parameters: { type: "object", properties: {} } },
];

/** The options that a model of this identity is called with, and the warnings given. */
async function sent(request: Partial<ModelRequest>, identity: Parameters<typeof modelV4>[1] = {}) {
  const language = modelV4([{ parts: [...textParts("ok"), finish("stop")] }], identity);
  const whole: ModelRequest = { messages: [{ role: "user", content: "Hi" }], tools, toolChoice: "auto", ...request };
  const { events } = await ask(aiSdk(language), whole);
  const warnings = events.flatMap((event) => (event.type === "warning" ? [event.code] : []));
  return { options: language.calls[0] as LanguageModelV4CallOptions, warnings };
}

test("everything that a request may hold", async () => {
  const { options, warnings } = await sent({
    system: "Be brief.",
    effort: "high",
    maxOutputTokens: 7,
    temperature: 0,
    providerOptions: { test: { a: 1 } },
  });
  expect(warnings).toEqual([]);
  expect(options).toEqual({
    prompt: [
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "text", text: "Hi" }] },
    ],
    tools: tools.map(({ name, description, parameters }) => ({
      type: "function",
      name,
      description,
      inputSchema: parameters,
    })),
    toolChoice: { type: "auto" },
    reasoning: "high",
    maxOutputTokens: 7,
    temperature: 0,
    providerOptions: { test: { a: 1 } },
    abortSignal: expect.any(AbortSignal),
  });
});

test("a system prompt of blanks is none", async () => {
  for (const system of ["", " \n"]) {
    const { options } = await sent({ system });
    expect(options.prompt.map(({ role }) => role)).toEqual(["user"]);
  }
});

test("LOOP-09 without tools neither tools nor a choice", async () => {
  const { options } = await sent({ tools: [], toolChoice: "none", parallelToolCalls: false });
  expect(Object.keys(options)).toEqual(["prompt", "abortSignal"]);
});

test.each([
  ["auto", { type: "auto" }],
  ["none", { type: "none" }],
  ["required", { type: "required" }],
  [
    { type: "function", names: ["b"] },
    { type: "tool", toolName: "b" },
  ],
] as const)("choice %o", async (toolChoice, expected) => {
  const { options, warnings } = await sent({ toolChoice });
  expect(options.toolChoice).toEqual(expected);
  expect(warnings).toEqual([]);
});

test("a choice of several names is sent as required, openly, with all tools still declared", async () => {
  const { options, warnings } = await sent({ toolChoice: { type: "function", names: ["a", "b"] } });
  expect(options.toolChoice).toEqual({ type: "required" });
  expect(options.tools).toHaveLength(2);
  expect(warnings).toEqual(["tool_choice"]);
});

test("declared tools are the same objects in every round", async () => {
  const language = modelV4([{ parts: [...textParts("ok"), finish("stop")] }]);
  const model = aiSdk(language);
  const request: ModelRequest = { messages: [{ role: "user", content: "Hi" }], tools, toolChoice: "auto" };
  await ask(model, request);
  await ask(model, request);
  await ask(model, { ...request, tools: [...tools, { name: "c", description: "C.", parameters: {} }] });
  const [first, second, third] = language.calls.map((call) => call.tools);
  expect(second).toBe(first);
  expect(third?.[0]).toBe(first?.[0]);
  expect(third).toHaveLength(3);
});

describe("one call a round", () => {
  test.each([
    ["openai.chat", { openai: { parallelToolCalls: false } }],
    ["openai.responses", { openai: { parallelToolCalls: false, store: false } }],
    ["azure.responses", { azure: { parallelToolCalls: false, store: false } }],
    ["anthropic.messages", { anthropic: { disableParallelToolUse: true } }],
    ["vertex.anthropic.messages", { anthropic: { disableParallelToolUse: true } }],
  ])("%s", async (provider, providerOptions) => {
    const { options, warnings } = await sent({ parallelToolCalls: false }, { provider });
    expect(options.providerOptions).toEqual(providerOptions);
    expect(warnings).toEqual([]);
  });

  test("Bedrock: Claude only", async () => {
    const provider = "amazon-bedrock";
    const claude = await sent({ parallelToolCalls: false }, { provider, modelId: "eu.anthropic.claude-x" });
    expect(claude.options.providerOptions).toEqual({ anthropic: { disableParallelToolUse: true } });
    const nova = await sent({ parallelToolCalls: false }, { provider, modelId: "amazon.nova-pro-v1:0" });
    expect(nova.options.providerOptions).toBe(undefined);
    expect(nova.warnings).toEqual(["parallel_tool_calls"]);
  });

  test("a compatible model, under its own name", async () => {
    const identity = { provider: "lab.chat", providerOptionsName: "lab" };
    const { options } = await sent({ parallelToolCalls: false }, identity);
    expect(options.providerOptions).toEqual({ lab: { parallel_tool_calls: false } });
  });

  test("a provider without the knob is warned about", async () => {
    const { warnings } = await sent({ parallelToolCalls: false }, { provider: "google.generative-ai" });
    expect(warnings).toEqual(["parallel_tool_calls"]);
  });

  test("what the caller says stays and wins", async () => {
    const providerOptions = { openai: { parallelToolCalls: true, store: false }, other: { x: 1 } };
    const { options } = await sent({ parallelToolCalls: false, providerOptions }, { provider: "openai.chat" });
    expect(options.providerOptions).toEqual(providerOptions);
  });

  test("true asks for nothing", async () => {
    const { options } = await sent({ parallelToolCalls: true }, { provider: "openai.chat" });
    expect(options.providerOptions).toBe(undefined);
  });
});
