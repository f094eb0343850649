import type { ExecOptions } from "../../agent/options.ts";
import type { Config } from "./load-config.ts";

/** The options of a run: those of the command line over what the files say. Denials add up. */
export function execSettings({ toolset, disabledTools }: Config, given: ExecOptions): ExecOptions {
  const chosen = given.tools !== undefined || given.toolset !== undefined;
  const deny = [...(given.toolsDeny ?? []), ...disabledTools];
  return {
    ...given,
    ...(!chosen && toolset !== undefined && { toolset: toolset as NonNullable<ExecOptions["toolset"]> }),
    ...(deny.length > 0 && { toolsDeny: deny }),
  };
}
