import { RondoError } from "../../error.ts";
import { noUsage } from "../../message/usage.ts";
import type { Model, ModelEvent, ModelRequest } from "../model.ts";
import type { Environment } from "../providers.ts";
import { textTools } from "../text-tools/text-tools.ts";
import { channel } from "./channel.ts";
import { type Engine, loadEngine } from "./engine.ts";
import { fileOf } from "./find-model.ts";
import { generate } from "./generate.ts";
import { type HistoryConverter, historyConverter } from "./history.ts";
import type { LlamaModule } from "./llama-types.ts";
import { queue } from "./queue.ts";

/** Options of {@link local}. */
export type LocalOptions = {
  /** Default `local/` and the name. */
  readonly id?: string;
  /** Tokens that request and reply may have together, if the model was made for so many. Default 8192. More needs more memory. */
  readonly contextTokens?: number;
  /** Tokens of a reply, where the request does not say: a small model may not find an end. Default 2048. */
  readonly maxOutputTokens?: number;
  /** Threads that calculate. Default: one per core. */
  readonly threads?: number;
  /** Use a graphics card, if there is one that can be used. Default true. */
  readonly gpu?: boolean;
  /**
   * How it calls tools: as its chat template says (`"template"`, held to the schemas by a grammar), or in text, see
   * `textTools` (`"text"`). Default: by the template, if that speaks of tools.
   */
  readonly tools?: "template" | "text";
  /** Where the request gives none. Default 0: always the most likely token. */
  readonly temperature?: number;
  /** How much less likely a token becomes that was among the last 64: 1 is not at all. Default 1.1. */
  readonly repeatPenalty?: number;
  /** The module `node-llama-cpp`, for where it cannot be imported by that name. */
  readonly llama?: unknown;
  /** Where models are looked for by name: `XDG_DATA_HOME` or `HOME`. Default `process.env`. */
  readonly env?: Environment;
};

/** A model in this process. */
export type LocalModel = Model & {
  /** Frees the memory, when the generation that is going on has ended. A later request fails. */
  dispose(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/**
 * A model that runs in this process: a GGUF file, by its path or by the name under which `rondo models` keeps it. Needs
 * the package `node-llama-cpp`. It is loaded when it is first asked, and stays in memory until `dispose`. It answers one
 * request at a time; what a request has in common with the one before is not evaluated again.
 *
 * The first request fails with a RondoError: `missing_package` without the package, `unknown_model` without the file.
 *
 * @throws RondoError `invalid_option` for options that make no sense.
 *
 * @example
 * ```ts
 * import { createRuntime } from "rondo";
 * import { local } from "rondo/local";
 *
 * await using model = local("./qwen2.5-1.5b-instruct-q4_k_m.gguf");
 * const runtime = createRuntime({ model });
 * ```
 */
export function local(nameOrPath: string, options: LocalOptions = {}): LocalModel {
  check(nameOrPath, options);
  const { id = `local/${nameOrPath}`, contextTokens = 8192, maxOutputTokens = 2048 } = options;
  const { temperature, repeatPenalty = 1.1 } = options;
  const turn = queue();
  let loading: Promise<Loaded> | undefined;
  let loaded: Loaded | undefined;
  let disposed: Promise<void> | undefined;

  const load = async (): Promise<Loaded> => {
    const { threads, gpu = true, llama, env = process.env } = options;
    const engine = await loadEngine({
      file: await fileOf(nameOrPath, env),
      contextTokens,
      gpu,
      ...(threads !== undefined && { threads }),
      ...(llama !== undefined && { llama: llama as LlamaModule }),
    });
    loaded = { engine, historyOf: historyConverter(engine.wrapper.settings.segments?.thought !== undefined) };
    return loaded;
  };
  const ready = async (): Promise<Loaded> => {
    if (disposed !== undefined) throw new RondoError("invalid_option", `Model ${id} was disposed.`);
    loading ??= load().catch((error) => {
      // The next request tries again: the file may be there by then.
      loading = undefined;
      throw error;
    });
    return loading;
  };

  async function answer(request: ModelRequest, signal: AbortSignal, emit: (event: ModelEvent) => void): Promise<void> {
    const leave = await turn.enter(signal);
    if (leave === undefined) return emit(aborted(id));
    try {
      const { engine, historyOf } = await ready();
      if (signal.aborted) return emit(aborted(id));
      const history = historyOf(systemOf(request), request.messages);
      const sampling = { repeatPenalty, maxOutputTokens, ...(temperature !== undefined && { temperature }) };
      await generate({ engine, modelId: id, history, request, sampling, signal, emit });
    } finally {
      leave();
    }
  }

  const dispose = (): Promise<void> => {
    disposed ??= (async () => {
      const leave = await turn.enter(new AbortController().signal);
      await loading?.catch(() => {});
      await loaded?.engine.llama.dispose();
      leave?.();
    })();
    return disposed;
  };

  /** Answers by the template, or without tools. */
  async function* plain(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    const events = channel<ModelEvent>();
    // Whoever leaves in the middle ends the generation, too.
    const left = new AbortController();
    let failed: { readonly error: unknown } | undefined;
    const done = answer(request, AbortSignal.any([signal, left.signal]), events.put).catch((error) => {
      failed = { error };
    });
    done.then(events.close);
    try {
      for (let some = await events.take(); some !== undefined; some = await events.take()) yield* some;
    } finally {
      left.abort();
    }
    if (failed !== undefined) throw failed.error;
  }

  const inText = textTools({ id, supports: { tools: false, output: true }, stream: plain });
  const byTemplate = async (): Promise<boolean> =>
    options.tools === undefined ? (await ready()).engine.knowsTools : options.tools === "template";
  return {
    id,
    get contextTokens() {
      return loaded?.engine.contextTokens ?? contextTokens;
    },
    maxOutputTokens,
    supports: { tools: true, toolChoice: true, parallelToolCalls: true, images: false, output: true },
    async *stream(request, signal) {
      const model = request.tools.length === 0 || (await byTemplate()) ? { stream: plain } : inText;
      yield* model.stream(request, signal);
    },
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

type Loaded = { readonly engine: Engine; readonly historyOf: HistoryConverter };

/** Beside tools there is no grammar for the final reply: it is asked for. */
function systemOf({ system, output, tools, toolChoice }: ModelRequest): string | undefined {
  if (output === undefined || tools.length === 0 || toolChoice === "none") return system;
  const asked = `When you have what you need, answer with nothing but JSON that fits this JSON Schema: ${JSON.stringify(output.schema)}`;
  return system === undefined ? asked : `${system}\n\n${asked}`;
}

function aborted(model: string): ModelEvent {
  const message = { role: "assistant", content: [], model, usage: noUsage, stopReason: "aborted" } as const;
  return { type: "end", message, error: { kind: "aborted", message: "The request was aborted." } };
}

function check(nameOrPath: unknown, options: LocalOptions): void {
  const wrong = (problem: string) => new RondoError("invalid_option", `local: ${problem}`);
  if (typeof nameOrPath !== "string" || nameOrPath.trim() === "") throw wrong("give the path of a GGUF file or a name");
  if (typeof options !== "object" || options === null) throw wrong("options must be an object");
  const { contextTokens, maxOutputTokens, threads, temperature, repeatPenalty, tools } = options;
  if (tools !== undefined && tools !== "template" && tools !== "text")
    throw wrong('tools must be "template" or "text"');
  for (const [name, value] of Object.entries({ contextTokens, maxOutputTokens, threads })) {
    if (value !== undefined && !(Number.isInteger(value) && value > 0))
      throw wrong(`${name} must be a whole number above 0`);
  }
  for (const [name, value] of Object.entries({ temperature, repeatPenalty })) {
    if (value !== undefined && !(Number.isFinite(value) && value >= 0))
      throw wrong(`${name} must be a number, 0 or more`);
  }
}
