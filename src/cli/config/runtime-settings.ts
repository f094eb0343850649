import type { ExecOptions, RuntimeOptions } from "../../agent/options.ts";
import type { Config } from "./load-config.ts";
import { addRule } from "./write-user.ts";

/** The options of a run: those of the command line and of an agent over what the files say. Denials add up. */
export function execSettings({ toolset, disabledTools }: Config, given: ExecOptions): ExecOptions {
  const chosen = given.tools !== undefined || given.toolset !== undefined;
  const deny = [...(given.toolsDeny ?? []), ...disabledTools];
  return {
    ...given,
    ...(!chosen && toolset !== undefined && { toolset: toolset as NonNullable<ExecOptions["toolset"]> }),
    ...(deny.length > 0 && { toolsDeny: deny }),
  };
}

/** The options of the runtime that the files say, with the rules of an agent's own runtime added. "Always" is kept for the folder. */
export function runtimeSettings({ approvals, folder }: Config, own: RuntimeOptions = {}): RuntimeOptions {
  const { mode, deny = [], ask = [], allow = [] } = own.approvals ?? {};
  return {
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
