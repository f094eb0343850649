import { thrownMessage } from "../../message/thrown-text.ts";
import type { ModelEvent, ModelRequest } from "../model.ts";
import type { Engine } from "./engine.ts";
import { type GrammarSchema, grammarSchema } from "./grammar-schema.ts";
import type { HistoryItem, LlamaChat, LlamaFunctions, LlamaGrammar } from "./llama-types.ts";
import { type LocalReply, localReply } from "./reply.ts";
import { wrapperFor } from "./wrapper.ts";

/** How the next token is chosen, where the request does not say. */
export type Sampling = {
  readonly temperature?: number;
  readonly repeatPenalty: number;
  readonly maxOutputTokens: number;
};

/** One request of one model. */
export type Generation = {
  readonly engine: Engine;
  readonly modelId: string;
  readonly history: readonly HistoryItem[];
  readonly request: ModelRequest;
  readonly sampling: Sampling;
  readonly signal: AbortSignal;
  readonly emit: (event: ModelEvent) => void;
};

/** Tokens that are evaluated between two looks at the signal: under a second on a slow machine. */
const chunk = 128;

/** Room for a reply without which nothing is begun. */
const leastRoom = 16;

/** Answers the request; always ends with an `end` event, never rejects. */
export async function generate(generation: Generation): Promise<void> {
  const { engine, request, signal, emit } = generation;
  const written = new AbortController();
  const described = request.toolChoice === "none" ? undefined : functionsOf(request.tools, (schema) => schema);
  const callable = callableOf(request);
  const forced = request.toolChoice !== "auto" && callable !== undefined;
  const isTool = (name: string) => callable !== undefined && Object.hasOwn(callable, name);
  const reply = localReply(generation.modelId, emit, isTool, () => written.abort());
  const before = engine.sequence.tokenMeter.usedOutputTokens;
  const tokens = () => engine.sequence.tokenMeter.usedOutputTokens - before;
  let prompt: Prompt | undefined;
  const usage = () => ({ input: prompt?.tokens ?? 0, cached: prompt?.cached ?? 0, output: tokens() });
  try {
    const { LlamaChat } = engine.module;
    const wrapper = wrapperFor(engine.wrapper, engine.module, { described, forced });
    const chat = new LlamaChat({ contextSequence: engine.sequence, chatWrapper: wrapper });
    prompt = await evaluate(generation, chat, described);
    const room = engine.contextTokens - prompt.tokens - 1;
    if (room < leastRoom) {
      const error = { kind: "context_overflow", message: tooLong(prompt.tokens, engine.contextTokens) } as const;
      return reply.end({ stopReason: "error", error }, usage());
    }
    const both = AbortSignal.any([signal, written.signal]);
    const stopReason = await respond({ ...generation, signal: both }, chat, callable, forced, room, reply);
    reply.end({ stopReason }, usage());
  } catch (error) {
    if (signal.aborted) {
      const aborted = { kind: "aborted", message: "The request was aborted." } as const;
      return reply.end({ stopReason: "aborted", error: aborted }, usage());
    }
    if (written.signal.aborted) return reply.end({ stopReason: "functionCalls" }, usage());
    // Arguments that the package itself cannot read are a call all the same: what is wrong is said as its result.
    if (reply.callsEnded) return reply.end({ stopReason: "functionCalls" }, usage());
    const complaint = engine.complaint();
    const message = `${thrownMessage(error)}${complaint === undefined ? "" : ` (${complaint})`}`;
    reply.end({ stopReason: "error", error: { kind: "unknown", message } }, usage());
  }
}

type Prompt = { readonly tokens: number; readonly cached: number };

/** Evaluates the prompt but for its last token, as far as it is not evaluated yet, so that an abort is heard meanwhile. */
async function evaluate(
  { engine, history, signal }: Generation,
  chat: LlamaChat,
  described: LlamaFunctions | undefined,
): Promise<Prompt> {
  const open: HistoryItem[] = history.at(-1)?.type === "model" ? [] : [{ type: "model", response: [] }];
  const state = chat.chatWrapper.generateContextState({
    chatHistory: [...history, ...open],
    availableFunctions: described,
  });
  const tokens = state.contextText.tokenize(engine.model.tokenizer);
  const { sequence, contextTokens } = engine;
  const cached = sequence.compareContextTokens(tokens).firstDifferentIndex;
  if (tokens.length + leastRoom >= contextTokens) return { tokens: tokens.length, cached: 0 };
  await sequence.adaptStateToTokens(tokens.slice(0, cached));
  for (let at = cached; at < tokens.length - 1; at += chunk) {
    signal.throwIfAborted();
    await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, Math.min(at + chunk, tokens.length - 1)));
  }
  signal.throwIfAborted();
  return { tokens: tokens.length, cached };
}

async function respond(
  { engine, history, request, sampling, signal }: Generation,
  chat: LlamaChat,
  callable: LlamaFunctions | undefined,
  forced: boolean,
  room: number,
  reply: LocalReply,
): Promise<string> {
  const grammar = callable === undefined ? await outputGrammar(engine, request) : undefined;
  const { temperature = sampling.temperature, maxOutputTokens = sampling.maxOutputTokens } = request;
  const { metadata } = await chat.generateResponse(history, {
    signal,
    maxTokens: Math.max(1, Math.min(room, maxOutputTokens)),
    ...(temperature !== undefined && { temperature }),
    repeatPenalty: sampling.repeatPenalty === 1 ? false : { penalty: sampling.repeatPenalty },
    onResponseChunk: reply.chunk,
    ...(grammar !== undefined && { grammar }),
    ...(callable !== undefined && {
      functions: callable,
      onFunctionCallParamsChunk: reply.paramsChunk,
      // A model that is made to begin with a call would be made to begin another behind it.
      maxParallelFunctionCalls: forced || request.parallelToolCalls === false ? 1 : 8,
    }),
  });
  return metadata.stopReason;
}

const tooLong = (tokens: number, contextTokens: number): string =>
  `The request has ${tokens} tokens, but the context of this model holds ${contextTokens}: set a larger contextTokens, or send less.`;

function callableOf(request: ModelRequest): LlamaFunctions | undefined {
  const { tools, toolChoice } = request;
  if (toolChoice === "none" || tools.length === 0) return undefined;
  const named = typeof toolChoice === "object" ? tools.filter(({ name }) => toolChoice.names.includes(name)) : tools;
  return functionsOf(named.length > 0 ? named : tools, (schema) => {
    const made: GrammarSchema = grammarSchema(schema);
    // The arguments of a call are an object, whatever else the schema says.
    return schema.type === "object" ? made : { type: "object", additionalProperties: true };
  });
}

function functionsOf(
  tools: ModelRequest["tools"],
  params: (schema: ModelRequest["tools"][number]["parameters"]) => object,
): LlamaFunctions | undefined {
  if (tools.length === 0) return undefined;
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [name, { description, params: params(parameters) }]),
  );
}

async function outputGrammar(engine: Engine, { output }: ModelRequest): Promise<LlamaGrammar | undefined> {
  return output && engine.llama.createGrammarForJsonSchema(grammarSchema(output.schema));
}
