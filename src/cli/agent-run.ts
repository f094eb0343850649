import { over } from "../agent/agent-options.ts";
import { agentMarker } from "../agent/agent-parts.ts";
import { runtimeOptions } from "../agent/create-runtime.ts";
import type { ExecOptions, RuntimeOptions } from "../agent/options.ts";
import { menuTool, type OwnEntry } from "../menu/entry.ts";
import { type Presets, toolsOfPreset } from "../menu/presets.ts";
import { tool } from "../menu/tool.ts";
import type { Offers } from "./offers.ts";

/** What a run takes from an agent's file. */
export type AgentRun = {
  /** Options of the runtime: those of the agent's own, and everything that is offered as its tools. */
  readonly runtime: RuntimeOptions;
  /** The model that the one agent has of its own: by its defaults, else by its runtime. */
  readonly model: ExecOptions["model"];
  /** Options of the run: the one agent's defaults under those of the command. */
  options(given: ExecOptions): ExecOptions;
};

/**
 * The runtime of the command stays its own, with its folder, approver and built-in tools. The one agent of a file gives
 * defaults; those of a runtime that it was made with are under them. Menus that it has by default say what is offered
 * beside its methods.
 */
export function agentRun({ agent, entries }: Offers): AgentRun {
  if (agent === undefined) return { runtime: { tools: entries }, model: undefined, options: (given) => given };
  const parts = agent[agentMarker];
  const its = parts.runtime && runtimeOptions(parts.runtime);
  const { tools = [], ...options } = its ?? {};
  const defaults = withMenu(parts.defaults, entries, its?.presets ?? {});
  return {
    runtime: { ...options, tools: [...entries, ...tools.filter((tool) => !entries.includes(tool))] },
    model: defaults.model ?? options.model,
    options: (own) => over(defaults, own),
  };
}

function withMenu(defaults: ExecOptions, entries: readonly OwnEntry[], presets: Presets): ExecOptions {
  const { tools, toolset, ...rest } = defaults;
  if (toolset === "none") return { ...rest, tools: entries };
  if (toolset !== undefined && toolset !== "full") {
    const names = toolsOfPreset(toolset, presets, []).filter(
      (name) => !entries.some((entry) => nameOf(entry) === name),
    );
    return { ...rest, tools: [...entries, ...names.map((name) => tool.named(name))] };
  }
  if (tools === undefined) return rest;
  return { ...rest, tools: [...entries, ...tools.filter((tool) => !entries.some((entry) => entry === tool))] };
}

const nameOf = (entry: OwnEntry): string => menuTool(entry).name;
