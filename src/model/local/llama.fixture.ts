import type { ChatWrapper, HistoryItem, LlamaChat, LlamaModule, LlamaSequence } from "./llama-types.ts";

type Options = Parameters<LlamaChat["generateResponse"]>[1];

/** What the double answers a request with: it calls the callbacks, and gives the reason of the end. */
export type Scripted = (options: Options, history: readonly HistoryItem[]) => Promise<string> | string;

/** What a double of `node-llama-cpp` was asked for. */
export type LlamaDouble = {
  readonly module: LlamaModule;
  readonly options: Options[];
  readonly schemas: object[];
  /** Of each request: what its context state has behind the text, and whom it described. */
  readonly states: { readonly described: readonly string[]; readonly forced: boolean }[];
  /** Tokens that were evaluated ahead, by call. */
  readonly evaluated: number[];
  loads: number;
  disposed: boolean;
};

/**
 * A double of the part of `node-llama-cpp` that is used: no model, only its shape. Every word is a token. The order of
 * callbacks and the blank lines behind arguments are those of version 3.21.1.
 */
export function llamaDouble(
  script: Scripted[],
  about: { readonly template?: string; readonly contextSize?: number } = {},
): LlamaDouble {
  const { template = "{% if tools %}", contextSize = 1000 } = about;
  let words: string[] = [];
  let state: readonly number[] = [];
  const meter = { usedOutputTokens: 0 };
  const tokenOf = (word: string): number => {
    if (!words.includes(word)) words = [...words, word];
    return words.indexOf(word);
  };
  const textOf = (parts: readonly unknown[]) => ({
    tokenize: () => parts.join(" ").split(/\s+/).filter(Boolean).map(tokenOf),
  });
  const sequence: LlamaSequence = {
    tokenMeter: meter,
    compareContextTokens: (tokens) => {
      const at = tokens.findIndex((token, index) => state[index] !== token);
      return { firstDifferentIndex: at === -1 ? tokens.length : at };
    },
    adaptStateToTokens: async (tokens) => {
      state = tokens;
    },
    evaluateWithoutGeneratingNewTokens: async (tokens) => {
      double.evaluated.push(tokens.length);
      state = [...state, ...tokens];
    },
  };
  const wrapper: ChatWrapper = {
    wrapperName: "Double",
    settings: { functions: { call: { prefix: "<call>" } } },
    generateContextState: ({ chatHistory, availableFunctions = {} }) => ({
      contextText: textOf([JSON.stringify(availableFunctions), ...chatHistory.map((item) => JSON.stringify(item))]),
    }),
    generateFunctionCallResult: (_name, _params, result) => textOf([JSON.stringify(result)]),
  };
  const double: LlamaDouble = {
    options: [],
    schemas: [],
    states: [],
    evaluated: [],
    loads: 0,
    disposed: false,
    module: {
      LlamaText: textOf,
      LlamaChat: class {
        readonly chatWrapper: ChatWrapper;
        constructor({ chatWrapper }: { readonly chatWrapper: "auto" | ChatWrapper }) {
          this.chatWrapper = chatWrapper === "auto" ? wrapper : chatWrapper;
        }
        dispose() {}
        async generateResponse(history: readonly HistoryItem[], options: Options) {
          options.signal.throwIfAborted();
          const made = this.chatWrapper.generateContextState({
            chatHistory: history,
            availableFunctions: options.functions,
          });
          const described = JSON.stringify(made.contextText.tokenize(undefined).map((token) => words[token]));
          double.states.push({
            described: ["read_file", "list_dir"].filter((name) => described.includes(name)),
            forced: made.noPrefixTrigger !== undefined,
          });
          double.options.push(options);
          meter.usedOutputTokens += 5;
          const stopReason = await script.shift()!(options, history);
          return { metadata: { stopReason } };
        }
      },
      getLlama: async () => ({
        cpuMathCores: 2,
        loadModel: async () => {
          double.loads++;
          return {
            trainContextSize: contextSize,
            tokenizer: {},
            fileInfo: { metadata: { tokenizer: { chat_template: template } } },
            createContext: async () => ({ contextSize, getSequence: () => sequence }),
          };
        },
        createGrammarForJsonSchema: async (schema) => {
          double.schemas.push(schema);
          return {};
        },
        dispose: async () => {
          double.disposed = true;
        },
      }),
    },
  };
  return double;
}
