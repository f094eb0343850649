import { describe, expect, test } from "vitest";
import { modelV3, modelV4 } from "../../../test/wires/language-model.ts";
import { nativeOutput } from "./native-output.ts";

const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false };

/** Whether it is native without tools and beside them. */
const both = (model: Parameters<typeof nativeOutput>[0], of = schema as object) =>
  [false, true].map((hasTools) => nativeOutput(model, of as typeof schema, hasTools) !== undefined);

const always = [true, true];
const alone = [true, false];
const never = [false, false];

describe("by provider and model", () => {
  test.each([
    ["openai.responses", "gpt-5.2", always],
    ["openai.responses", "o3-mini", always],
    ["openai.chat", "gpt-4o", always],
    ["openai.chat", "gpt-4.1-mini", always],
    ["openai.chat", "openai/gpt-5", always],
    ["openai.chat", "gpt-4o-2024-05-13", never],
    ["openai.chat", "gpt-4-turbo", never],
    ["openai.chat", "gpt-4", never],
    ["openai.chat", "gpt-3.5-turbo", never],
    ["openai.chat", "o1-mini", never],
    ["openai.chat", "gpt-4o-audio-preview", never],
    ["openai.chat", "qwen3", never],
    ["openai.chat", "ft:gpt-4o-mini:a", never],
    ["azure.responses", "my-deployment", always],
    ["azure-openai.chat", "gpt-5", always],
    ["azure.chat", "gpt-35-turbo", never],
    ["azure.anthropic.messages", "claude-sonnet-5", never],
    ["anthropic.messages", "claude-sonnet-4-5", always],
    ["anthropic.messages", "claude-opus-4-1-20250805", always],
    ["anthropic.messages", "claude-sonnet-5", always],
    ["anthropic.messages", "claude-opus-10", always],
    ["anthropic.messages", "claude-sonnet-4-20250514", never],
    ["anthropic.messages", "claude-opus-4-0", never],
    ["anthropic.messages", "claude-3-5-haiku-latest", never],
    ["anthropic.messages", "other", never],
    ["vertex.anthropic.messages", "claude-sonnet-5", never],
    ["amazon-bedrock", "eu.anthropic.claude-sonnet-4-5-20250929-v1:0", always],
    ["amazon-bedrock", "anthropic.claude-opus-4-6-v1", always],
    ["amazon-bedrock", "anthropic.claude-haiku-4-5-20251001-v1:0", never],
    ["amazon-bedrock", "anthropic.claude-sonnet-5", never],
    ["amazon-bedrock", "amazon.nova-pro-v1:0", never],
    ["google.generative-ai", "gemini-2.5-flash", alone],
    ["google.generative-ai", "gemini-flash-latest", alone],
    ["google.generative-ai", "gemini-3-pro-preview", always],
    ["google.vertex.chat", "gemini-3.1-flash", always],
    ["google.generative-ai", "gemini-1.5-pro", never],
    ["google.generative-ai", "gemma-3-27b-it", never],
    ["mistral.chat", "mistral-large", never],
  ])("%s %s", (provider, modelId, expected) => {
    expect(both(modelV4([], { provider, modelId }))).toEqual(expected);
  });

  test("a compatible server that says so, without tools; whatever it is called", () => {
    const identity = { provider: "openai.chat", modelId: "gpt-5", providerOptionsName: "openai" };
    expect(both(modelV4([], identity))).toEqual(never);
    expect(both(Object.assign(modelV4([], identity), { supportsStructuredOutputs: false }))).toEqual(never);
    expect(both(Object.assign(modelV4([], identity), { supportsStructuredOutputs: true }))).toEqual(alone);
  });

  test("packages of the older specification", () => {
    expect(both(modelV3([], { provider: "openai.chat", modelId: "gpt-5" }))).toEqual(always);
    expect(both(modelV3([], { provider: "google.generative-ai", modelId: "gemini-3-pro" }))).toEqual(alone);
    expect(both(modelV3([], { provider: "amazon-bedrock", modelId: "anthropic.claude-opus-4-5" }))).toEqual(never);
  });
});

test("never with a schema that strict modes refuse", () => {
  const model = modelV4([], { provider: "openai.chat", modelId: "gpt-5" });
  expect(both(model, { type: "array", items: { type: "string" } })).toEqual(never);
  expect(both(model, { ...schema, required: [] })).toEqual(never);
});

test("says what makes the package send it", () => {
  const model = modelV4([], { provider: "anthropic.messages", modelId: "claude-sonnet-5" });
  expect(nativeOutput(model, schema, true)).toEqual({
    schema,
    providerOptions: { anthropic: { structuredOutputMode: "outputFormat" } },
  });
  expect(nativeOutput(modelV4([], { provider: "openai.chat", modelId: "gpt-5" }), schema, true)).toEqual({ schema });
});
