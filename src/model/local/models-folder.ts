import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Environment } from "../providers.ts";

/** Where `rondo models` keeps its files: `$XDG_DATA_HOME/rondo/models`, else `~/.local/share/rondo/models`. */
export function modelsFolder(env: Environment): string {
  const data = env.XDG_DATA_HOME;
  // A relative path is to be ignored, says the specification of that variable.
  if (data !== undefined && isAbsolute(data)) return join(data, "rondo", "models");
  return join(env.HOME || homedir(), ".local", "share", "rondo", "models");
}
