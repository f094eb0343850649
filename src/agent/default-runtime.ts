import type { Runtime } from "./runtime.ts";
import { currentScope } from "./scope.ts";

/** `exec` and `run` without a runtime: that of the run around the call, else one that is made when first needed. */
export function bound(make: () => Runtime): Pick<Runtime, "exec" | "run"> {
  let own: Runtime | undefined;
  const runtime = (): Runtime => {
    const around = currentScope();
    if (around) return around.run.runtime;
    own ??= make();
    return own;
  };
  return {
    exec: async (content, options) => runtime().exec(content, options),
    run: (content, options) => runtime().run(content, options),
  };
}
