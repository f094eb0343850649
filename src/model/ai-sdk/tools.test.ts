import { expect, test } from "vitest";
import type { ToolDeclaration } from "../model.ts";
import { dialects } from "../schema/dialect.ts";
import { dialectOf } from "./dialect-of.ts";
import { toolConverter } from "./tools.ts";
import { wireNames } from "./wire-names.ts";

const declaration = (name: string): ToolDeclaration => ({
  name,
  description: "D.",
  parameters: { type: "object", properties: { a: { type: "string", format: "uri" } } },
});

test("each declaration is converted once; a grown array keeps the objects of those it had", () => {
  let reads = 0;
  const watched = new Proxy(declaration("a").parameters, {
    ownKeys(target) {
      reads += 1;
      return Reflect.ownKeys(target);
    },
  });
  const first = { ...declaration("a"), parameters: watched };
  const convert = toolConverter(wireNames(), dialects.gemini);
  const tools = [first];
  const before = convert(tools);
  expect(convert(tools)).toBe(before);
  tools.push(declaration("b"));
  const after = convert(tools);
  expect(after.tools).toHaveLength(2);
  expect(after.tools[0]).toBe(before.tools[0]);
  convert([first]);
  expect(reads).toBe(1);
});

test("what has no place in a schema is told in the tool's description", () => {
  const parameters = { type: "object", description: "All of it.", properties: {} };
  const { tools } = toolConverter(wireNames(), dialects.bedrock)([{ name: "a", description: "Does it.", parameters }]);
  expect(tools).toEqual([
    {
      type: "function",
      name: "a",
      description: "Does it.\n\nAll of it.",
      inputSchema: { type: "object", properties: {} },
    },
  ]);
});

test.each([
  ["openai.chat", "gpt-5", "openai"],
  ["openai.responses", "o3", "openai"],
  ["azure.responses", "my-deployment", "openai"],
  ["azure-openai.chat", "gpt-4o", "openai"],
  ["anthropic.messages", "claude-sonnet-5", "anthropic"],
  ["vertex.anthropic.messages", "claude-opus-4-6", "anthropic"],
  ["azure.anthropic.messages", "claude-sonnet-5", "anthropic"],
  ["amazon-bedrock", "eu.anthropic.claude-sonnet-4-5-20250929-v1:0", "anthropic"],
  ["amazon-bedrock", "amazon.nova-pro-v1:0", "bedrock"],
  ["amazon-bedrock", "meta.llama3-3-70b-instruct-v1:0", "bedrock"],
  ["google.generative-ai", "gemini-3-pro", "gemini"],
  ["google.vertex.chat", "gemini-2.5-flash", "gemini"],
  ["ollama.chat", "qwen3", "ollama"],
  ["lab.chat", "qwen3", "compatible"],
  ["openrouter.chat", "anthropic/claude-sonnet-5", "compatible"],
] as const)("%s %s speaks %s", (provider, modelId, name) => {
  expect(dialectOf({ provider, modelId }).name).toBe(name);
});
