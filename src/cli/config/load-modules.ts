import type { OwnEntry } from "../../menu/entry.ts";
import { thrownMessage } from "../../message/thrown-text.ts";
import { agentFile, shownPath } from "../agent-file.ts";
import { hashOf } from "./trust.ts";

/** A module to load; with the hash, only as it was when that was made. */
export type ModuleFile = { readonly path: string; readonly hash?: string };

/**
 * The tools of modules: what a file for `--agent` would offer. One that cannot be loaded is told of, and only its tools
 * are missing. So it is with one that has a tool of a name that is taken: by one before it, or by `others`.
 */
export async function loadModules(
  modules: readonly ModuleFile[],
  others: readonly OwnEntry[],
  tell: (line: string) => void,
): Promise<readonly OwnEntry[]> {
  if (modules.length === 0) return [];
  const [{ loadAgent }, { menuTool }] = await Promise.all([import("../load-agent.ts"), import("../../menu/entry.ts")]);
  const nameOf = (entry: OwnEntry) => menuTool(entry, "tool").name;
  const all: OwnEntry[] = [];
  const names = new Set(others.map(nameOf));
  for (const { path, hash } of modules) {
    const left = (why: string) => tell(`! the tools of ${shownPath(path)} are missing: ${why}`);
    try {
      if (hash !== undefined && hashOf(path) !== hash) {
        left("it was changed after it was looked at");
        continue;
      }
      const { entries } = await loadAgent(agentFile(path), tell);
      const own = entries.map(nameOf);
      const twice = own.find((name) => names.has(name));
      if (twice !== undefined) {
        left(`there is another tool of the name "${twice}" already`);
        continue;
      }
      for (const name of own) names.add(name);
      all.push(...entries);
    } catch (error) {
      left(thrownMessage(error).replace(/^--agent: /, ""));
    }
  }
  return all;
}
