import type { ExecOptions, RuntimeOptions } from "../../agent/options.ts";
import type { Config } from "./load-config.ts";
import { addRule } from "./write-user.ts";

/** The options of a run: those of the command line and of an agent, and where they name no menu, the files' preset. */
export function execSettings({ toolset }: Config, given: ExecOptions): ExecOptions {
  const chosen = given.tools !== undefined || given.toolset !== undefined;
  return chosen || toolset === undefined ? given : { ...given, toolset };
}

/** The options of the runtime that the files say, with what an agent's own runtime says added. "Always" is kept for the folder. */
export function runtimeSettings(
  { approvals, folder, disabledTools, presets }: Config,
  own: RuntimeOptions = {},
): RuntimeOptions {
  const { mode, deny = [], ask = [], allow = [] } = own.approvals ?? {};
  return {
    presets: { ...presets, ...own.presets },
    toolsDisabled: [...disabledTools, ...(own.toolsDisabled ?? [])],
    approvals: {
      ...(mode !== undefined && { mode }),
      ...(approvals.mode !== undefined && { mode: approvals.mode }),
      deny: [...approvals.deny, ...deny],
      ask: [...approvals.ask, ...ask],
      allow: [...approvals.allow, ...allow],
      onAlways: (rule) => addRule(folder, rule),
    },
  };
}
