import { RondoError } from "../error.ts";
import { nearestNames } from "../ranker/nearest.ts";
import { type MenuTool, menuTool, type OwnEntry } from "./entry.ts";
import type { DroppedTool } from "./gates/first-gate.ts";
import { isOwnPreset, type Presets, toolsOfPreset } from "./presets.ts";
import type { Registry } from "./registry.ts";
import type { ToolEntry } from "./tool.ts";

/** What a menu is asked for: tools and names of registered ones, every registered tool, none, or a preset. */
export type MenuEntries = readonly ToolEntry[] | "full" | "none" | { readonly preset: string };

/** A tool that may come into a menu. */
export type Candidate = { readonly tool: MenuTool; readonly registered: boolean };

/** What may come into a menu, in the order of the request; what of it was kept out of the registry; names that a preset of the user's has and nothing else. */
export type Candidates = {
  readonly tools: readonly Candidate[];
  readonly preset?: { readonly name: string; readonly tools: ReadonlySet<string> };
  readonly refused: readonly DroppedTool[];
  readonly unknown: readonly string[];
};

/** Names that are near, in words for the end of an error; "" if none is. */
export function suggestion(name: string, names: readonly string[]): string {
  const near = nearestNames(name, names);
  return near.length === 0 ? "" : ` Did you mean ${near.map((other) => JSON.stringify(other)).join(" or ")}?`;
}

const nothing: readonly never[] = [];

/**
 * Looks up what a menu is asked for. Throws `unknown_tool` for a name that is not registered, `invalid_tool` for what is
 * no tool, `invalid_option` for what is no preset.
 */
export function candidatesOf(entries: MenuEntries, registry: Registry, presets: Presets): Candidates {
  if (entries === "full") {
    return { tools: registry.all().map(asRegistered), refused: registry.refused(), unknown: nothing };
  }
  if (entries === "none") return { tools: nothing, refused: nothing, unknown: nothing };
  if (Array.isArray(entries)) return listed(entries as readonly ToolEntry[], registry);
  if (typeof entries === "object" && entries !== null && "preset" in entries) {
    return ofPreset(entries.preset, registry, presets);
  }
  throw new RondoError("invalid_tool", "tools must be an array of tools and names, or toolset the name of a preset.");
}

const asRegistered = (tool: MenuTool): Candidate => ({ tool, registered: true });

function ofPreset(name: string, registry: Registry, presets: Presets): Candidates {
  const names = toolsOfPreset(name, presets, registry.names());
  const tools: Candidate[] = [];
  const refused: DroppedTool[] = [];
  const unknown: string[] = [];
  for (const one of names) {
    const tool = registry.get(one);
    const kept = tool ? undefined : registry.refused().find((other) => other.name === one);
    if (tool) tools.push(asRegistered(tool));
    else if (kept) refused.push(kept);
    else if (!isOwnPreset(name)) unknown.push(one);
  }
  const named = new Set(names);
  // The others are candidates too: the gate that keeps them out says why.
  for (const tool of registry.all()) if (!named.has(tool.name)) tools.push(asRegistered(tool));
  return { tools, preset: { name, tools: named }, refused, unknown };
}

function listed(entries: readonly ToolEntry[], registry: Registry): Candidates {
  const refused: DroppedTool[] = [];
  const tools: Candidate[] = [];
  const places = new Map<string, number>();
  // Not forEach, which would pass over holes.
  for (const [index, entry] of entries.entries()) {
    const where = `tools[${index}]`;
    const name = nameIn(entry, where);
    const found = name === undefined ? menuTool(entry as OwnEntry, where) : registered(name, registry, where);
    const before = places.get(found.name);
    if (before !== undefined) {
      const problem = `tools[${before}] and tools[${index}] are both named "${found.name}"; each name may stand for one tool`;
      throw new RondoError("invalid_tool", `${problem}.`);
    }
    places.set(found.name, index);
    if ("gate" in found) refused.push(found);
    else tools.push({ tool: found, registered: name !== undefined });
  }
  return { tools, refused, unknown: nothing };
}

/** The name that an entry is, or stands for; undefined: it is a tool itself. */
function nameIn(entry: ToolEntry, where: string): string | undefined {
  if (typeof entry === "string") return entry;
  if (typeof entry !== "object" || entry === null || !("named" in entry) || "execute" in entry) return undefined;
  if (typeof entry.named === "string") return entry.named;
  throw new RondoError("invalid_tool", `${where}: tool.named() takes the name of a registered tool.`);
}

function registered(name: string, registry: Registry, where: string): MenuTool | DroppedTool {
  const found = registry.get(name) ?? registry.refused().find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = registry.names();
  const hint = suggestion(name, names) || (names.length === 0 ? " No tool is registered." : "");
  throw new RondoError("unknown_tool", `${where}: no tool named "${name.slice(0, 80)}" is registered.${hint}`);
}
