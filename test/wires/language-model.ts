import type {
  LanguageModelV3,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";

export type Part = LanguageModelV4StreamPart;

/** How one request is answered: parts, then optionally a throw of the stream; or a throw instead of a stream. */
export type Answer =
  | { readonly parts: readonly Part[]; readonly thenThrow?: unknown; readonly hang?: true }
  | { readonly throws: unknown };

/** A language model whose streams are data; `calls` keeps what it was asked. */
export type DataModel<M> = M & { readonly calls: LanguageModelV4CallOptions[] };

type Identity = { readonly provider?: string; readonly modelId?: string; readonly providerOptionsName?: string };

/** A V4 model that gives these answers, one per request; the last one stays. */
export function modelV4(answers: readonly Answer[], identity: Identity = {}): DataModel<LanguageModelV4> {
  return build("v4", answers, identity) as DataModel<LanguageModelV4>;
}

export function modelV3(answers: readonly Answer[], identity: Identity = {}): DataModel<LanguageModelV3> {
  return build("v3", answers, identity) as unknown as DataModel<LanguageModelV3>;
}

function build(specificationVersion: string, answers: readonly Answer[], identity: Identity) {
  const calls: LanguageModelV4CallOptions[] = [];
  const { provider = "test.chat", modelId = "model", ...rest } = identity;
  return {
    specificationVersion,
    provider,
    modelId,
    ...rest,
    supportedUrls: {},
    calls,
    doGenerate: () => Promise.reject(new Error("not used")),
    async doStream(options: LanguageModelV4CallOptions) {
      calls.push(options);
      const answer = answers[calls.length - 1] ?? answers.at(-1);
      if (answer === undefined) throw new Error("no answer");
      if ("throws" in answer) throw answer.throws;
      return { stream: streamOf(answer) };
    },
  };
}

function streamOf(answer: Extract<Answer, { parts: unknown }>): ReadableStream<Part> {
  let at = 0;
  return new ReadableStream<Part>({
    pull(controller) {
      const part = answer.parts[at++];
      if (part !== undefined) controller.enqueue(part);
      else if (answer.thenThrow !== undefined) controller.error(answer.thenThrow);
      else if (answer.hang === true) return new Promise<void>(() => {});
      else controller.close();
      return undefined;
    },
  });
}

export const textParts = (text: string, id = "t"): Part[] => [
  { type: "text-start", id },
  { type: "text-delta", id, delta: text },
  { type: "text-end", id },
];

export const callParts = (id: string, toolName: string, ...deltas: string[]): Part[] => [
  { type: "tool-input-start", id, toolName },
  ...deltas.map((delta): Part => ({ type: "tool-input-delta", id, delta })),
  { type: "tool-input-end", id },
  { type: "tool-call", toolCallId: id, toolName, input: deltas.join("") },
];

type Unified = Extract<Part, { type: "finish" }>["finishReason"]["unified"];

/** The end of a stream; 10 tokens in, of them 4 cached, and 5 out. */
export const finish = (unified: Unified, raw?: string): Part => ({
  type: "finish",
  finishReason: { unified, raw },
  usage: {
    inputTokens: { total: 10, noCache: 6, cacheRead: 4, cacheWrite: undefined },
    outputTokens: { total: 5, text: 3, reasoning: 2 },
  },
});
