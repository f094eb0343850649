/**
 * What is used of `node-llama-cpp`, by its shape: the package is installed by who wants it, so its own types may not be
 * there. Checked against 3.21.1.
 */
export type LlamaModule = {
  getLlama(options: {
    readonly gpu: "auto" | false;
    readonly build: "never";
    readonly skipDownload: boolean;
    readonly progressLogs: boolean;
    readonly maxThreads: number;
    readonly logger: (level: string, message: string) => void;
  }): Promise<Llama>;
  readonly LlamaChat: new (options: {
    readonly contextSequence: LlamaSequence;
    readonly chatWrapper: "auto" | ChatWrapper;
  }) => LlamaChat;
  readonly LlamaText: (parts: readonly unknown[]) => LlamaText;
};

export type Llama = {
  /** Cores that are good for calculating. */
  readonly cpuMathCores: number;
  loadModel(options: { readonly modelPath: string; readonly loadSignal?: AbortSignal }): Promise<LoadedModel>;
  createGrammarForJsonSchema(schema: object): Promise<LlamaGrammar>;
  dispose(): Promise<void>;
};

/** An opaque grammar. */
export type LlamaGrammar = object;

export type LoadedModel = {
  readonly trainContextSize: number;
  readonly tokenizer: unknown;
  readonly fileInfo: { readonly metadata: { readonly tokenizer?: { readonly chat_template?: string } } };
  createContext(options: {
    readonly contextSize: { readonly max: number };
    readonly threads: number;
    readonly createSignal?: AbortSignal;
  }): Promise<LlamaContext>;
};

export type LlamaContext = { readonly contextSize: number; getSequence(): LlamaSequence };

/** What was evaluated so far, token by token: evaluating goes on behind it. */
export type LlamaSequence = {
  readonly tokenMeter: { readonly usedOutputTokens: number };
  compareContextTokens(tokens: readonly number[]): { readonly firstDifferentIndex: number };
  /** Forgets what differs from these tokens. */
  adaptStateToTokens(tokens: readonly number[]): Promise<void>;
  evaluateWithoutGeneratingNewTokens(tokens: readonly number[]): Promise<void>;
};

/** Text of which some parts are special tokens. */
export type LlamaText = { tokenize(tokenizer: unknown): readonly number[] };

/** A function as the model is told about it and held to it. */
export type LlamaFunction = { readonly description?: string; readonly params?: object };
export type LlamaFunctions = { readonly [name: string]: LlamaFunction };

export type HistoryItem =
  | { readonly type: "system" | "user"; readonly text: string }
  | { readonly type: "model"; readonly response: (string | FunctionCallItem | ThoughtItem)[] };

export type FunctionCallItem = {
  readonly type: "functionCall";
  readonly name: string;
  readonly params: unknown;
  /** What came of it; set when the result is known. */
  result: unknown;
  /** The first call of a reply. */
  readonly startsNewChunk: boolean;
};

export type ThoughtItem = {
  readonly type: "segment";
  readonly segmentType: "thought";
  readonly text: string;
  readonly ended: boolean;
};

export type ContextStateOptions = {
  readonly chatHistory: readonly HistoryItem[];
  readonly availableFunctions?: LlamaFunctions | undefined;
  readonly documentFunctionParams?: boolean;
};

export type ContextState = {
  readonly contextText: LlamaText;
  readonly prefixTriggers?: unknown;
  readonly noPrefixTrigger?: unknown;
};

/** How a chat is written for one kind of model. */
export type ChatWrapper = {
  readonly wrapperName: string;
  readonly settings: {
    readonly functions: {
      readonly call: { readonly prefix: unknown };
      readonly parallelism?: { readonly call: { readonly sectionPrefix?: unknown } };
    };
    readonly segments?: { readonly thought?: unknown };
  };
  generateContextState(options: ContextStateOptions): ContextState;
  generateFunctionCallResult(name: string, params: unknown, result: unknown): LlamaText;
  /** Not among what the package documents: as above, for a result that is text already. */
  _generateFunctionCallResult?(name: string, params: unknown, result: string): LlamaText;
};

export type ParamsChunk = {
  readonly callIndex: number;
  readonly functionName: string;
  readonly paramsChunk: string;
  readonly done: boolean;
};

export type ResponseChunk = { readonly type?: "segment"; readonly segmentType?: string; readonly text: string };

export type LlamaChat = {
  readonly chatWrapper: ChatWrapper;
  generateResponse(
    history: readonly HistoryItem[],
    options: {
      readonly signal: AbortSignal;
      readonly maxTokens: number;
      readonly temperature?: number;
      readonly seed?: number;
      readonly repeatPenalty?: false | { readonly penalty: number };
      readonly grammar?: LlamaGrammar;
      readonly functions?: LlamaFunctions;
      readonly maxParallelFunctionCalls?: number;
      readonly onResponseChunk: (chunk: ResponseChunk) => void;
      readonly onFunctionCallParamsChunk?: (chunk: ParamsChunk) => void;
    },
  ): Promise<{ readonly metadata: { readonly stopReason: string } }>;
  dispose(): void;
};
