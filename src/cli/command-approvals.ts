import type { Approvals } from "../agent/options.ts";
import type { Config } from "./config/load-config.ts";
import { addRule } from "./config/write-user.ts";
import type { RunSettings } from "./settings.ts";

/**
 * What the command lets run: its flags over the user's configuration. The rules of an agent's own runtime, and a
 * read-only mode wherever it is set, may only narrow that. "Always" is kept for the folder.
 */
export function commandApprovals(
  { yes, readOnly, deny = [] }: Pick<RunSettings, "yes" | "readOnly" | "deny">,
  { approvals: users, folder }: Pick<Config, "approvals" | "folder">,
  agents: Approvals = {},
): Approvals {
  const narrow = readOnly || users.mode === "read-only" || agents.mode === "read-only";
  const open = yes ? "all" : agents.mode === "ask" ? "ask" : users.mode;
  const mode = narrow ? "read-only" : open;
  return {
    ...(mode !== undefined && { mode }),
    deny: [...deny, ...users.deny, ...(agents.deny ?? [])],
    ask: [...users.ask, ...(agents.ask ?? [])],
    allow: users.allow,
    onAlways: (rule) => addRule(folder, rule),
  };
}

/** The built-in tools that write. */
const writing = ["write_file", "edit_file"];

/** The tools that are asked about whatever they say of themselves: those that write, unless a mode says what becomes of them. */
export const askedAbout = ({ mode }: Approvals, agents: readonly string[] = []): readonly string[] =>
  mode === undefined ? [...writing, ...agents] : agents;
