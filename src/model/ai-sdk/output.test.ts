import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import { ask } from "../../../test/wires/ask.ts";
import { finish, modelV4, textParts } from "../../../test/wires/language-model.ts";
import type { JsonSchema, ModelRequest } from "../model.ts";
import { aiSdk } from "./ai-sdk.ts";

const closed = { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false };
const loose = { type: "object", properties: { a: { type: "string" } } };
const search = { name: "search", description: "Searches.", parameters: { type: "object" } };
const list = [search];

type Identity = NonNullable<Parameters<typeof modelV4>[1]>;
const openai = { provider: "openai.chat", modelId: "gpt-5" };
const gemini2 = { provider: "google.generative-ai", modelId: "gemini-2.5-flash" };
const gemini3 = { provider: "google.generative-ai", modelId: "gemini-3-pro" };
const claude = { provider: "anthropic.messages", modelId: "claude-sonnet-5" };
const nova = { provider: "amazon-bedrock", modelId: "amazon.nova-pro-v1:0" };
const llama = { provider: "amazon-bedrock", modelId: "meta.llama3-3-70b-instruct-v1:0" };
const local = { provider: "lab.chat", modelId: "qwen3", providerOptionsName: "lab" };

/** What a model of this identity is called with, request by request. */
async function sent(identity: Identity, ...requests: Partial<ModelRequest>[]) {
  const language = modelV4([{ parts: [...textParts("{}"), finish("stop")] }], identity);
  const model = aiSdk(language);
  for (const request of requests) {
    await ask(model, { messages: [{ role: "user", content: "Hi" }], tools: list, toolChoice: "auto", ...request });
  }
  return language.calls;
}

const one = async (identity: Identity, request: Partial<ModelRequest>) =>
  (await sent(identity, request))[0] as LanguageModelV4CallOptions;
const names = (call: LanguageModelV4CallOptions) => call.tools?.map((tool) => tool.name);
const output = (schema: JsonSchema = loose) => ({ output: { schema } });

test("a model sees to it itself, unless it takes no tools or its owner says otherwise", () => {
  const supports = (given?: NonNullable<Parameters<typeof aiSdk>[1]>["supports"]) =>
    aiSdk(modelV4([]), given === undefined ? {} : { supports: given }).supports;
  expect(supports()).toEqual({ output: true });
  expect(supports({ images: false })).toEqual({ output: true, images: false });
  expect(supports({ tools: false })).toEqual({ tools: true, toolChoice: true, parallelToolCalls: false });
  expect(supports({ output: false })).toEqual({ output: false });
});

test("nothing changes where no output is wanted", async () => {
  const call = await one(openai, {});
  expect(names(call)).toEqual(["search"]);
  expect(call.responseFormat).toBe(undefined);
});

describe("native", () => {
  test("the format beside the user's tools and choice, in every round", async () => {
    const calls = await sent(openai, output(closed), { ...output(closed), toolChoice: "none" });
    for (const call of calls) {
      expect(names(call)).toEqual(["search"]);
      expect(call.responseFormat).toEqual({ type: "json", schema: closed });
    }
    expect(calls.map((call) => call.toolChoice)).toEqual([{ type: "auto" }, { type: "none" }]);
  });

  test("Claude: so that its package forces no tool of its own; the caller's options stay", async () => {
    const call = await one(claude, { ...output(closed), providerOptions: { anthropic: { a: 1 }, other: { b: 2 } } });
    expect(call.providerOptions).toEqual({
      anthropic: { structuredOutputMode: "outputFormat", a: 1 },
      other: { b: 2 },
    });
  });

  test.each([
    [claude, { anthropic: { structuredOutputMode: "jsonTool" } }],
    [gemini3, { google: { structuredOutputs: false } }],
  ])("not against the caller's own options: %o", async (identity, providerOptions) => {
    const call = await one(identity, { ...output(closed), providerOptions });
    expect(call.responseFormat).toBe(undefined);
    expect(names(call)).toEqual(["search", "final_output"]);
  });

  test("Gemini 3: not in a round that has to call", async () => {
    const [free, required, named, none] = await sent(
      gemini3,
      output(closed),
      { ...output(closed), toolChoice: "required" },
      { ...output(closed), toolChoice: { type: "function", names: ["search"] } },
      { ...output(closed), toolChoice: "none" },
    );
    expect([free, required, named, none].map((call) => call?.responseFormat !== undefined)).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect(names(named as LanguageModelV4CallOptions)).toEqual(["search"]);
  });
});

describe("the submission tool", () => {
  test("last, the same objects in every round, with tools added in front of it", async () => {
    const format = output();
    const grown = [...list, { name: "more", description: "More.", parameters: {} }];
    const [first, second, third] = await sent(gemini2, format, format, { ...format, tools: grown });
    expect(first?.tools?.[1]).toMatchObject({ name: "final_output", inputSchema: loose });
    expect(second?.tools).toBe(first?.tools);
    expect(names(third as LanguageModelV4CallOptions)).toEqual(["search", "more", "final_output"]);
    expect(third?.tools?.[2]).toBe(first?.tools?.[1]);
  });

  test("has a name that no tool of the user has", async () => {
    const tools = ["final_output", "final_output_2"].map((name) => ({ ...search, name }));
    expect(names(await one(gemini2, { ...output(), tools }))).toEqual([
      "final_output",
      "final_output_2",
      "final_output_3",
    ]);
  });

  test("an unwrapped schema's references still hold once it is wrapped", async () => {
    const schema = {
      $schema: "s",
      anyOf: [
        { $ref: "#/$defs/A" },
        { type: "array", items: { $ref: "#" } },
        { $ref: "#/anyOf/0" },
        { const: { $ref: "#" } },
      ],
      $defs: { A: { type: "object", properties: { $ref: { type: "string" }, root: { $ref: "#" } } } },
    };
    const call = await one(openai, output(schema));
    const anyOf = [
      { $ref: "#/$defs/A" },
      { type: "array", items: { $ref: "#/$defs/root" } },
      { type: "object", description: 'Always {"$ref":"#"}.' },
    ];
    expect(call.tools?.[1]).toMatchObject({
      inputSchema: {
        type: "object",
        properties: { value: { anyOf } },
        required: ["value"],
        additionalProperties: false,
        $defs: {
          A: { type: "object", properties: { $ref: { type: "string" }, root: { $ref: "#/$defs/root" } } },
          root: { anyOf },
        },
      },
    });
  });

  test("a schema that the provider takes in no form is said in words", async () => {
    const schema = { type: "object", properties: { a: { $ref: "https://example.test/a.json" } } };
    const call = await one(openai, output(schema));
    expect(call.tools?.[1]).toMatchObject({
      description: expect.stringContaining(JSON.stringify(schema)),
      inputSchema: { type: "object", properties: {} },
    });
  });

  test.each([
    ["auto", { type: "auto" }],
    ["required", { type: "required" }],
    [
      { type: "function", names: ["search"] },
      { type: "tool", toolName: "search" },
    ],
    ["none", { type: "tool", toolName: "final_output" }],
  ] as const)("choice %o", async (toolChoice, expected) => {
    const call = await one(openai, { ...output(), toolChoice });
    expect(call.toolChoice).toEqual(expected);
    expect(names(call)).toEqual(["search", "final_output"]);
  });

  test("is all there is to do without tools", async () => {
    const call = await one(openai, { ...output(), tools: [], parallelToolCalls: false });
    expect(names(call)).toEqual(["final_output"]);
    expect(call.toolChoice).toEqual({ type: "tool", toolName: "final_output" });
    expect(call.providerOptions).toBe(undefined);
  });

  test("Bedrock: by name where the model can be forced, else by leaving it nothing else", async () => {
    const none = { ...output(), toolChoice: "none" } as const;
    const thinking = { bedrock: { reasoningConfig: { type: "enabled", budgetTokens: 1024 } } };
    const thinker = { provider: "amazon-bedrock", modelId: "anthropic.claude-haiku-4-5" };
    const [named, thinks] = await sent(thinker, { ...none, effort: "none" }, { ...none, providerOptions: thinking });
    const additionalModelRequestFields = { tool_choice: { type: "tool", name: "final_output" } };
    expect(named).toMatchObject({ providerOptions: { amazonBedrock: { additionalModelRequestFields } } });
    expect(named).not.toHaveProperty("toolChoice");
    for (const call of [thinks, await one(nova, { ...none, effort: "low" }), await one(llama, none)]) {
      expect(call?.toolChoice).toEqual({ type: "auto" });
      expect(names(call as LanguageModelV4CallOptions)).toEqual(["final_output"]);
    }
  });
});

describe("in words", () => {
  const system = (call: LanguageModelV4CallOptions | undefined) =>
    call?.prompt[0]?.role === "system" ? call.prompt[0].content : undefined;

  test("a server of unknown make without tools: the same in every round", async () => {
    const bare = { ...output(), tools: [] };
    const [first, second, third] = await sent(
      local,
      bare,
      { ...bare, toolChoice: "none" },
      { ...bare, system: "Be brief." },
    );
    expect(system(first)).toContain(JSON.stringify(loose));
    expect(system(second)).toBe(system(first));
    expect(system(third)).toBe(`Be brief.\n\n${system(first)}`);
    expect(first).not.toHaveProperty("tools");
  });

  test("and where nothing may be picked, unless the last message says it", async () => {
    const none = { ...output(), toolChoice: "none" } as const;
    const said = `[Answer now.]\n${JSON.stringify(loose)}`;
    const [plain, told, toldInParts] = await sent(
      local,
      none,
      { ...none, messages: [{ role: "user", content: said }] },
      { ...none, messages: [{ role: "user", content: [{ type: "text", text: said }] }] },
    );
    expect(system(plain)).toContain(JSON.stringify(loose));
    expect([system(told), system(toldInParts)]).toEqual([undefined, undefined]);
    for (const call of [plain, told]) {
      expect(call?.toolChoice).toEqual({ type: "none" });
      expect(names(call as LanguageModelV4CallOptions)).toEqual(["search", "final_output"]);
    }
  });
});
