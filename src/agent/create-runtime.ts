import { resolve } from "node:path";
import type { Choices, ChoicesValue } from "../decision/option.ts";
import { memory } from "../host/memory.ts";
import { createRegistry } from "../menu/registry.ts";
import { ResultCache } from "../menu/result-cache.ts";
import type { Tool } from "../menu/tool.ts";
import { answerOf } from "./answer.ts";
import { checkRuntimeOptions } from "./check-runtime.ts";
import type { Content } from "./content.ts";
import { explained } from "./explained.ts";
import { RunHandle } from "./handle.ts";
import type { ChooseOptions, ExecOptions, RuntimeOptions } from "./options.ts";
import { rulesOf } from "./policy.ts";
import { createRuns } from "./runs.ts";
import type { Runtime } from "./runtime.ts";
import { currentScope } from "./scope.ts";
import { type Home, ready } from "./start.ts";
import type { ValueOf } from "./value-of.ts";

const made = new WeakMap<Runtime, RuntimeOptions>();

/** What a runtime was made with; undefined for one that is not of this copy of the package. */
export const runtimeOptions = (runtime: Runtime): RuntimeOptions | undefined => made.get(runtime);

/**
 * Makes a runtime: a menu, a host and defaults for the runs that are begun with it.
 *
 * @throws RondoError `invalid_option` for options that do not exist or hold what they cannot; `invalid_tool` for tools
 * that are none, or two of one name.
 *
 * @example
 * ```ts
 * const runtime = createRuntime({ model: "anthropic/claude-sonnet-5", tools: [weather] });
 * console.log(await runtime.exec("What is the weather in Oslo?"));
 * ```
 */
export function createRuntime(options: RuntimeOptions = {}, builtIns: readonly Tool[] = []): Runtime {
  const kept = withOwnLists(checkRuntimeOptions(options));
  const { tools = [], ...defaults } = kept;
  const registry = createRegistry(builtIns);
  for (const [i, entry] of tools.entries()) registry.register(entry, `tools[${i}]`);
  const live: Home["live"] = new Map();
  const runtime: Runtime = {
    workspace: resolve(options.workspace ?? "."),
    allowSecrets: options.allowSecrets ?? false,
    allowUnsafePaths: options.allowUnsafePaths ?? false,
    recursion: options.recursion ?? {},
    // Not async, nor what is below it: each suspended function is a tenth of what a waiting run weighs.
    exec<O extends ExecOptions>(content: Content, given?: O) {
      try {
        const run = ready(home, content, given === undefined ? {} : given, currentScope());
        return run.drive().then((result) => answerOf<ValueOf<O>>(result, run.loop));
      } catch (thrown) {
        return Promise.reject(thrown);
      }
    },
    choose: async <const C extends Choices>(content: Content, choices: C, given?: ChooseOptions) =>
      runtime.exec(content, { ...given, tools: [], choices: choices ?? [] } as ExecOptions) as Promise<ChoicesValue<C>>,
    run: <O extends ExecOptions>(content: Content, given?: O) =>
      new RunHandle<ValueOf<O>>(ready(home, content, given === undefined ? {} : given, currentScope())),
    runs: createRuns(live, (id, content, given) => new RunHandle(ready(home, content, given, currentScope(), id))),
    register(entry) {
      registry.register(entry);
    },
    unregister(name) {
      registry.unregister(name);
    },
    explainTools: (given = {}) => explained(home, given, currentScope()),
  };
  const host = options.host ?? memory();
  const rules = rulesOf(kept.approvals, runtime.workspace);
  const cache = new ResultCache();
  const home: Home = { runtime, options: defaults, registry, rules, host, models: new Map(), cache, live };
  made.set(runtime, kept);
  return runtime;
}

/** The options with lists of names that nobody can change any more: they are gates. */
function withOwnLists(options: RuntimeOptions): RuntimeOptions {
  const { toolsAllow, toolsDeny, toolsDisabled, presets, requiresApproval, approvals } = options;
  return {
    ...options,
    ...(toolsAllow && { toolsAllow: [...toolsAllow] }),
    ...(toolsDeny && { toolsDeny: [...toolsDeny] }),
    ...(toolsDisabled && { toolsDisabled: [...toolsDisabled] }),
    ...(presets && { presets: structuredClone(presets) }),
    ...(requiresApproval && { requiresApproval: [...requiresApproval] }),
    ...(approvals && { approvals: { ...approvals } }),
  };
}
