import type { ChatWrapper, ContextState, LlamaFunctions, LlamaModule } from "./llama-types.ts";

/** What a request asks of the wrapper beyond writing the chat down. */
export type Wish = {
  /** All tools as they are described, whichever of them may be called. */
  readonly described: LlamaFunctions | undefined;
  /** The reply has to begin with a call. */
  readonly forced: boolean;
};

/**
 * The wrapper of the model's own template, changed in three ways: tools are described by their own JSON Schema, while
 * the grammar is made of another; results are written down as they are, not as JSON strings; and a reply can be made to
 * begin with a call.
 */
export function wrapperFor(base: ChatWrapper, { LlamaText }: LlamaModule, { described, forced }: Wish): ChatWrapper {
  const wrapper: ChatWrapper = Object.create(base);
  return Object.assign(wrapper, {
    generateContextState(options: Parameters<ChatWrapper["generateContextState"]>[0]): ContextState {
      const state = base.generateContextState.call(wrapper, { ...options, availableFunctions: described });
      if (!forced) return state;
      const { call, parallelism } = base.settings.functions;
      const inject = LlamaText([parallelism?.call.sectionPrefix ?? "", call.prefix]);
      return { ...state, prefixTriggers: undefined, noPrefixTrigger: { type: "functionCall", inject } };
    },
    generateFunctionCallResult(name: string, params: unknown, result: unknown) {
      return typeof result === "string" && base._generateFunctionCallResult !== undefined
        ? base._generateFunctionCallResult.call(wrapper, name, params, result)
        : base.generateFunctionCallResult.call(wrapper, name, params, result);
    },
  });
}

/** Whether the model has learned a way of its own to call tools: its template speaks of them and the package knows how. */
export function knowsTools(base: ChatWrapper, template: string | undefined): boolean {
  if (template === undefined || !/\btools\b/.test(template)) return false;
  // What the package teaches models without a way of their own.
  return !String(base.settings.functions.call.prefix).includes("||call");
}
