import { RondoError } from "../error.ts";
import { type MenuTool, menuTool, type OwnEntry } from "./entry.ts";
import type { DroppedTool } from "./gates/first-gate.ts";
import { registrationGate } from "./gates/registration.ts";

/** The tools of a runtime, by name. */
export type Registry = {
  /** Counts changes: equal versions of one registry hold the same tools. */
  readonly version: number;
  /** Adds a tool, unless gate 1 keeps it out. `where` names the entry in errors. Throws `invalid_tool` for what is no tool and for a name that is taken. */
  register(entry: OwnEntry, where?: string): void;
  /** Takes a tool out; false if there was none of this name. */
  unregister(name: string): boolean;
  get(name: string): MenuTool | undefined;
  /** In the order of registration; the same array until something changes. */
  names(): readonly string[];
  /** In the order of registration; the same array until something changes. */
  all(): readonly MenuTool[];
  /** What the tools were made of, as entries for the menu of a run elsewhere, without those that are not exposed; the same array until something changes. */
  entries(): readonly OwnEntry[];
  /** What gate 1 kept out, and why; the same array until something changes. */
  refused(): readonly DroppedTool[];
};

/** Makes a registry of these tools. */
export function createRegistry(entries: readonly OwnEntry[] = []): Registry {
  const tools = new Map<string, MenuTool>();
  const kept = new Map<string, DroppedTool>();
  let version = 0;
  let names: readonly string[] | undefined;
  let all: readonly MenuTool[] | undefined;
  let sources: readonly OwnEntry[] | undefined;
  let refused: readonly DroppedTool[] | undefined;
  const changed = (): void => {
    version++;
    names = undefined;
    all = undefined;
    sources = undefined;
    refused = undefined;
  };
  const registry: Registry = {
    get version() {
      return version;
    },
    register(entry, where = "tool") {
      const tool = menuTool(entry, where);
      // A schema that cannot be used is told here, not in some later run.
      void tool.declaration;
      if (tools.has(tool.name)) {
        throw new RondoError(
          "invalid_tool",
          `${where}: a tool named "${tool.name}" is registered already; give it another name or unregister that one first.`,
        );
      }
      const reason = registrationGate(tool);
      if (reason === undefined) tools.set(tool.name, tool);
      if (reason === undefined) kept.delete(tool.name);
      else kept.set(tool.name, { name: tool.name, gate: "registration", reason });
      changed();
    },
    unregister(name) {
      const was = tools.delete(name);
      if (kept.delete(name) || was) changed();
      return was;
    },
    get: (name) => tools.get(name),
    names() {
      names ??= Object.freeze([...tools.keys()]);
      return names;
    },
    all() {
      all ??= Object.freeze([...tools.values()]);
      return all;
    },
    entries() {
      sources ??= Object.freeze([...tools.values()].flatMap(({ expose, source }) => (expose ? [source] : [])));
      return sources;
    },
    refused() {
      refused ??= Object.freeze([...kept.values()]);
      return refused;
    },
  };
  for (const [index, entry] of entries.entries()) registry.register(entry, `tools[${index}]`);
  return registry;
}
