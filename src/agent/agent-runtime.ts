import { over } from "./agent-options.ts";
import type { Content } from "./content.ts";
import { isExplainable } from "./explained.ts";
import type { ExecOptions } from "./options.ts";
import type { Runtime } from "./runtime.ts";

/** A runtime under the defaults of an agent. */
export function agentRuntime(base: () => Runtime, defaults: ExecOptions): Runtime {
  const { tools: _, toolset: __, ...withoutMenu } = defaults;
  return {
    get workspace() {
      return base().workspace;
    },
    get allowSecrets() {
      return base().allowSecrets;
    },
    get allowUnsafePaths() {
      return base().allowUnsafePaths;
    },
    get recursion() {
      return base().recursion;
    },
    get runs() {
      const { runs } = base();
      return {
        ...runs,
        start: (id: string, content: Content, options?: ExecOptions) =>
          runs.start(id, content, over(defaults, options)),
      };
    },
    exec: async (content, options) => base().exec(content, over(defaults, options) as typeof options),
    run: (content, options) => base().run(content, over(defaults, options) as typeof options),
    choose: async (content, choices, options) => base().choose(content, choices, over(withoutMenu, options)),
    register: (entry) => base().register(entry),
    explainTools: (options) => {
      const own = over(defaults, options);
      return base().explainTools(Object.fromEntries(Object.entries(own).filter(([name]) => isExplainable(name))));
    },
    unregister: (name) => base().unregister(name),
  };
}
