import type { Model } from "../../src/model/model.ts";
import { type ResolveOptions, resolveModel } from "../../src/model/resolve.ts";
import type { GrammarName } from "./raw/grammars.ts";

type Body = Record<string, unknown>;
type Declared = { readonly name: string; readonly description: string; readonly parameters: unknown };

/** Where a request body keeps what the loop put into it. */
export type Parts = {
  readonly system: unknown;
  readonly messages: unknown;
  readonly tools: unknown;
  readonly choice: unknown;
};

/**
 * One provider: how its model is named, and what its server has to receive for the shared case. `second` is what round
 * two adds behind the messages of round one.
 */
export type Wire = {
  readonly name: string;
  readonly spec: string;
  /** How its streams are written. */
  readonly grammar: GrammarName;
  /** Path of the base URL on the server; absent when the name holds the URL. */
  readonly base?: string;
  readonly path: string;
  read(body: Body): Parts;
  readonly system: unknown;
  readonly user: unknown;
  tool(tool: Declared): unknown;
  /** How the tools stand in the body, when not as a plain list. */
  readonly toolList?: (tools: unknown[]) => unknown;
  readonly auto: unknown;
  forced(name: string): unknown;
  /** The provider streams no thinking, so its package reads none. */
  readonly noThinking?: true;
  /** The package sends no tool but the forced one. */
  readonly hidesOthersWhenForced?: true;
  readonly none: unknown;
  /** Round two's additions for text "Let me look.", calls call_a and call_b of `weather`, and their results in order. */
  readonly second: readonly unknown[];
};

const chat: Omit<Wire, "name" | "spec"> = {
  grammar: "chat",
  path: "/v1/chat/completions",
  read: (body) => {
    const [system, ...messages] = body.messages as unknown[];
    return { system, messages, tools: body.tools, choice: body.tool_choice };
  },
  system: { role: "system", content: "Be brief." },
  user: { role: "user", content: "Weather?" },
  tool: ({ name, description, parameters }) => ({ type: "function", function: { name, description, parameters } }),
  auto: "auto",
  forced: (name) => ({ type: "function", function: { name } }),
  none: "none",
  second: [
    {
      role: "assistant",
      content: "Let me look.",
      tool_calls: [
        { id: "call_a", type: "function", function: { name: "weather", arguments: '{"city":"Genoa"}' } },
        { id: "call_b", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } },
      ],
    },
    { role: "tool", tool_call_id: "call_a", content: "Genoa: sunny" },
    { role: "tool", tool_call_id: "call_b", content: "Oslo: snow" },
  ],
};

const responses: Wire = {
  name: "OpenAI Responses",
  spec: "openai/gpt-4o",
  grammar: "responses",
  base: "/v1",
  path: "/v1/responses",
  read: (body) => {
    const [system, ...messages] = body.input as unknown[];
    return { system, messages, tools: body.tools, choice: body.tool_choice };
  },
  system: { role: "system", content: "Be brief." },
  user: { role: "user", content: [{ type: "input_text", text: "Weather?" }] },
  tool: (tool) => ({ type: "function", strict: false, ...tool }),
  auto: "auto",
  forced: (name) => ({ type: "function", name }),
  none: "none",
  second: [
    { role: "assistant", content: "Let me look." },
    { type: "function_call", call_id: "call_a", name: "weather", arguments: '{"city":"Genoa"}' },
    { type: "function_call", call_id: "call_b", name: "weather", arguments: '{"city":"Oslo"}' },
    { type: "function_call_output", call_id: "call_a", output: "Genoa: sunny" },
    { type: "function_call_output", call_id: "call_b", output: "Oslo: snow" },
  ],
};

const anthropic: Wire = {
  name: "Anthropic",
  spec: "anthropic/claude-sonnet-4-5",
  grammar: "anthropic",
  base: "/v1",
  path: "/v1/messages",
  read: (body) => ({
    system: body.system,
    messages: body.messages,
    tools: body.tools,
    choice: body.tool_choice,
  }),
  system: [{ type: "text", text: "Be brief." }],
  user: { role: "user", content: [{ type: "text", text: "Weather?" }] },
  tool: ({ name, description, parameters }) => ({
    name,
    description,
    input_schema: parameters,
    eager_input_streaming: true,
  }),
  auto: { type: "auto" },
  forced: (name) => ({ type: "tool", name }),
  none: { type: "none" },
  second: [
    {
      role: "assistant",
      content: [
        { type: "text", text: "Let me look." },
        { type: "tool_use", id: "call_a", name: "weather", input: { city: "Genoa" } },
        { type: "tool_use", id: "call_b", name: "weather", input: { city: "Oslo" } },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "call_a", content: "Genoa: sunny" },
        { type: "tool_result", tool_use_id: "call_b", content: "Oslo: snow" },
      ],
    },
  ],
};

const functionResponse = (id: string, content: string) => ({
  functionResponse: { id, name: "weather", response: { name: "weather", content } },
});

const gemini: Wire = {
  name: "Gemini",
  spec: "google/gemini-2.5-flash",
  grammar: "gemini",
  base: "/v1beta",
  path: "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
  read: (body) => ({
    system: body.systemInstruction,
    messages: body.contents,
    tools: body.tools,
    choice: body.toolConfig,
  }),
  system: { parts: [{ text: "Be brief." }] },
  user: { role: "user", parts: [{ text: "Weather?" }] },
  tool: ({ name, description, parameters }) => ({ name, description, parametersJsonSchema: parameters }),
  toolList: (functionDeclarations) => [{ functionDeclarations }],
  auto: { functionCallingConfig: { mode: "AUTO" } },
  forced: (name) => ({ functionCallingConfig: { mode: "ANY", allowedFunctionNames: [name] } }),
  none: { functionCallingConfig: { mode: "NONE" } },
  second: [
    {
      role: "model",
      parts: [
        { text: "Let me look." },
        { functionCall: { id: "call_a", name: "weather", args: { city: "Genoa" } } },
        { functionCall: { id: "call_b", name: "weather", args: { city: "Oslo" } } },
      ],
    },
    { role: "user", parts: [functionResponse("call_a", "Genoa: sunny"), functionResponse("call_b", "Oslo: snow")] },
  ],
};

const bedrock: Wire = {
  name: "Bedrock",
  spec: "bedrock/amazon.nova-pro-v1:0",
  grammar: "bedrock",
  base: "",
  path: "/model/amazon.nova-pro-v1%3A0/converse-stream",
  read: (body) => {
    const config = body.toolConfig as Body | undefined;
    return {
      system: body.system,
      messages: body.messages,
      tools: config?.tools,
      choice: config?.toolChoice,
    };
  },
  system: [{ text: "Be brief." }],
  user: { role: "user", content: [{ text: "Weather?" }] },
  tool: ({ name, description, parameters }) => ({ toolSpec: { name, description, inputSchema: { json: parameters } } }),
  auto: { auto: {} },
  forced: (name) => ({ tool: { name } }),
  hidesOthersWhenForced: true,
  none: undefined,
  second: [
    {
      role: "assistant",
      content: [
        { text: "Let me look." },
        { toolUse: { toolUseId: "call_a", name: "weather", input: { city: "Genoa" } } },
        { toolUse: { toolUseId: "call_b", name: "weather", input: { city: "Oslo" } } },
      ],
    },
    {
      role: "user",
      content: [
        { toolResult: { toolUseId: "call_a", content: [{ text: "Genoa: sunny" }] } },
        { toolResult: { toolUseId: "call_b", content: [{ text: "Oslo: snow" }] } },
      ],
    },
  ],
};

const { hidesOthersWhenForced: _, ...bedrockShape } = bedrock;

/** A named tool is said in Claude's own words, so that the others stay. */
const claude: Wire = {
  ...bedrockShape,
  name: "Bedrock Claude",
  spec: "bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0",
  path: "/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse-stream",
  read: (body) => {
    const { choice, ...rest } = bedrock.read(body);
    const own = (body.additionalModelRequestFields as Body | undefined)?.tool_choice;
    return { ...rest, choice: own ?? choice };
  },
  forced: (name) => ({ type: "tool", name }),
};

/** Every provider; another one is another row. `{url}` stands for the server. */
export const wires: readonly Wire[] = [
  { name: "OpenAI chat", spec: "openai-chat/gpt-4o", base: "/v1", noThinking: true, ...chat },
  responses,
  { ...responses, name: "Azure", spec: "azure/gpt-4o" },
  { name: "Azure chat", spec: "azure-chat/gpt-4o", base: "/v1", noThinking: true, ...chat },
  { name: "OpenAI-compatible", spec: "{url}/v1#qwen3", ...chat },
  { name: "Ollama", spec: "ollama/qwen3", base: "/v1", ...chat },
  anthropic,
  gemini,
  bedrock,
  claude,
];

/** A wire's model on this server; a failed request is sent once more, without a pause. */
export const connect = (wire: Pick<Wire, "spec" | "base">, url: string, options: ResolveOptions = {}): Model =>
  resolveModel(wire.spec.replace("{url}", url), {
    apiKey: "test",
    env: {},
    region: "eu-central-1",
    retry: { retries: 1, sleep: async () => {}, random: () => 0 },
    // Marks wander from request to request; cache.test.ts is about them.
    cache: false,
    ...(wire.base === undefined ? undefined : { baseURL: url + wire.base }),
    ...options,
  });
