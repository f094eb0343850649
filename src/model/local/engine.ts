import { availableParallelism } from "node:os";
import { RondoError } from "../../error.ts";
import type { ChatWrapper, Llama, LlamaModule, LlamaSequence, LoadedModel } from "./llama-types.ts";
import { knowsTools } from "./wrapper.ts";

/** How a model is loaded. */
export type EngineOptions = {
  readonly file: string;
  readonly contextTokens: number;
  readonly threads?: number;
  readonly gpu: boolean;
  readonly llama?: LlamaModule;
};

/** A model that is in memory. */
export type Engine = {
  readonly module: LlamaModule;
  readonly llama: Llama;
  readonly model: LoadedModel;
  readonly sequence: LlamaSequence;
  readonly wrapper: ChatWrapper;
  readonly contextTokens: number;
  readonly knowsTools: boolean;
  /** The last thing that llama.cpp complained about. */
  readonly complaint: () => string | undefined;
};

/** Loads the model. Rejects with what keeps it from being loaded, in words. */
export async function loadEngine(options: EngineOptions): Promise<Engine> {
  const module = options.llama ?? (await importLlama());
  let complaint: string | undefined;
  const llama = await module.getLlama({
    gpu: options.gpu ? "auto" : false,
    // What is there is used; nothing is fetched or compiled behind the user's back.
    build: "never",
    skipDownload: true,
    progressLogs: false,
    // No limit: with one of its own the package starts four threads on two cores, which makes it fifty times slower.
    maxThreads: 0,
    logger: (level, message) => {
      if (level === "error" || level === "fatal") complaint = message.trim();
    },
  });
  try {
    const model = await llama.loadModel({ modelPath: options.file });
    const context = await model.createContext({
      contextSize: { max: options.contextTokens },
      threads: options.threads ?? Math.max(1, Math.min(llama.cpuMathCores, availableParallelism())),
    });
    const sequence = context.getSequence();
    const wrapper = new module.LlamaChat({ contextSequence: sequence, chatWrapper: "auto" }).chatWrapper;
    const template = model.fileInfo.metadata.tokenizer?.chat_template;
    return {
      module,
      llama,
      model,
      sequence,
      wrapper,
      contextTokens: context.contextSize,
      knowsTools: knowsTools(wrapper, template),
      complaint: () => complaint,
    };
  } catch (error) {
    await llama.dispose();
    throw complaint === undefined ? error : new Error(`${(error as Error).message} (${complaint})`, { cause: error });
  }
}

/** The name in a variable: who bundles this, and the compiler here, need not find the package. */
const packageName: string = "node-llama-cpp";

async function importLlama(): Promise<LlamaModule> {
  try {
    return (await import(packageName)) as LlamaModule;
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new RondoError("missing_package", `Local models need a package: npm install ${packageName}`, {
      cause: error,
    });
  }
}
