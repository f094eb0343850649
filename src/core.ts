/** The loop without built-in tools: `rondo/core`. */
import { AgentBase } from "./agent/agent.ts";
import { createRuntime as create } from "./agent/create-runtime.ts";
import { bound } from "./agent/default-runtime.ts";
import type { Declare } from "./agent/method.ts";
import type { RuntimeOptions } from "./agent/options.ts";
import type { Runtime } from "./agent/runtime.ts";

/** {@inheritDoc create} */
export const createRuntime = (options?: RuntimeOptions): Runtime => create(options);
const defaults = bound(createRuntime);
/** `exec` of the run around the call, else of a default runtime; see `Runtime`. */
export const exec: Runtime["exec"] = defaults.exec;
/** `run` of the run around the call, else of a default runtime; see `Runtime`. */
export const run: Runtime["run"] = defaults.run;
/** `choose` of the run around the call, else of a default runtime; see `Runtime`. */
export const choose: Runtime["choose"] = defaults.choose;

/** {@inheritDoc AgentBase} */
export class Agent extends AgentBase {
  protected override defaultRuntime(): Runtime {
    return defaults.runtime();
  }
}

/** Declares a method without a class: like `this.method` of an agent, but it needs a `name`. */
export const method: Declare = defaults.method;

export * from "./shared.ts";
