import { checkOptions, isRecord, mistake, shown } from "./check-options.ts";
import { agentDefaultNames, asFields } from "./option-names.ts";
import type { ExecOptions } from "./options.ts";
import type { Runtime } from "./runtime.ts";

/** Defaults for every run that an agent begins. */
export type AgentDefaults = Pick<ExecOptions, (typeof agentDefaultNames)[number]>;

const allowed = asFields(agentDefaultNames);

/** What an agent is made with. */
export type AgentOptions = AgentDefaults & {
  /** The runtime that its runs use. Default: that of the run around, else a default one. */
  readonly runtime?: Runtime;
};

const given = (options: object) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

/**
 * Options over the defaults under them: what is given wins, denials add up, allow-lists intersect, and a menu of any form
 * replaces a menu of any form.
 */
export function over(defaults: ExecOptions, options: ExecOptions = {}): ExecOptions {
  // What is no options at all is told by whoever is given them.
  if (!isRecord(options)) return options;
  const { tools, toolset, ...rest } = defaults;
  const own = given(options) as ExecOptions;
  const menu = own.tools || own.toolset ? {} : given({ tools, toolset });
  return {
    ...rest,
    ...menu,
    ...own,
    ...given({
      toolsDeny: both(defaults.toolsDeny, own.toolsDeny, (a, b) => [...a, ...b]),
      toolsAllow: both(defaults.toolsAllow, own.toolsAllow, (a, b) => b.filter((name) => a.includes(name))),
    }),
  } as ExecOptions;
}

type Names = readonly string[];

function both(a: Names | undefined, b: Names | undefined, join: (a: Names, b: Names) => Names): Names | undefined {
  // What is no list is told by whoever checks it.
  return a && b && Array.isArray(b) ? join(a, b) : (b ?? a);
}

/** The defaults of an agent: those of its class over those of the classes that it extends, and its own over them. */
export function agentDefaults(classes: readonly AgentDefaults[], options: AgentOptions): ExecOptions {
  if (!isRecord(options)) {
    throw mistake(`The options of an agent must be an object such as { model }, not ${shown(options)}.`);
  }
  const { runtime, ...own } = options;
  if (runtime !== undefined && typeof runtime?.exec !== "function") {
    throw mistake('"runtime" must be what createRuntime() returns.');
  }
  return [...classes, own].reduce<ExecOptions>((under, one) => {
    checkOptions(one, allowed);
    return over(under, one);
  }, {});
}
