import type { ExecOptions, RuntimeOptions } from "../agent/options.ts";
import type { OwnEntry } from "../menu/entry.ts";
import type { AgentRun } from "./agent-run.ts";
import type { Config } from "./config/load-config.ts";

/** The options of the command's runtime that say what its tools are and where they work: of the files, with what an agent's own runtime says added. */
export function runtimeOptionsOf(
  folder: string,
  { disabledTools, presets }: Pick<Config, "disabledTools" | "presets">,
  modules: readonly OwnEntry[],
  agent: AgentRun | undefined,
): RuntimeOptions {
  const own = agent?.runtime ?? {};
  return {
    ...own,
    presets: { ...presets, ...own.presets },
    toolsDisabled: [...disabledTools, ...(own.toolsDisabled ?? [])],
    tools: [...(own.tools ?? []), ...modules],
    workspace: folder,
  };
}

/** The options of a run: those of the command line and of an agent, and where they name no menu, the files' preset. */
export function menuOptionsOf({ toolset }: Pick<Config, "toolset">, given: ExecOptions): ExecOptions {
  const chosen = given.tools !== undefined || given.toolset !== undefined;
  return chosen || toolset === undefined ? given : { ...given, toolset };
}
