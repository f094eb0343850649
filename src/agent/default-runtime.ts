import { RondoError } from "../error.ts";
import { createMethod, type Declare } from "./method.ts";
import type { Runtime } from "./runtime.ts";
import { runtimeAround } from "./scope.ts";

/** What can be used without making a runtime. */
export type Bound = Pick<Runtime, "exec" | "run" | "choose"> & { runtime(): Runtime; method: Declare };

/** `exec` and `run` without a runtime: that of the run around the call, else one that is made when first needed. */
export function bound(make: () => Runtime): Bound {
  let own: Runtime | undefined;
  const runtime = (): Runtime => {
    const around = runtimeAround();
    if (around) return around;
    own ??= make();
    return own;
  };
  return {
    runtime,
    exec: async (content, options) => runtime().exec(content, options),
    run: (content, options) => runtime().run(content, options),
    choose: async (content, choices, options) => runtime().choose(content, choices, options),
    method: (options, body) => createMethod({ nameOf: nameless, runtime, base: runtime, recursion }, options, body),
  };
}

const recursion = () => runtimeAround()?.recursion;

/** A method without a class has no field to be named after. */
function nameless(): never {
  throw new RondoError("invalid_tool", 'A method outside of an agent needs a name: method({ name: "…" }, …).');
}
