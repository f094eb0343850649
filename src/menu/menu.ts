import { RondoError } from "../error.ts";
import type { ToolDeclaration } from "../model/model.ts";
import { nearestNames } from "../ranker/nearest.ts";
import { asksFor } from "./asks.ts";
import { asking, type MenuTool, menuTool, type OwnEntry } from "./entry.ts";
import { policyGate } from "./gates/policy.ts";
import { sourceGate } from "./gates/source.ts";
import { recallMenu, rememberMenu } from "./menu-cache.ts";
import type { Registry } from "./registry.ts";
import type { ToolEntry } from "./tool.ts";

/** A tool that a gate kept out of a menu, and why. */
export type DroppedTool = { readonly name: string; readonly gate: "source" | "policy"; readonly reason: string };

/** What a run may pick from. */
export type Menu = {
  /** What the model is told: frozen, the same object in every round, in the order of the entries. */
  readonly declared: readonly ToolDeclaration[];
  /** The tool that may be called by this name. */
  find(name: string): MenuTool | undefined;
  readonly names: readonly string[];
  readonly dropped: readonly DroppedTool[];
};

/** What a menu is made of. */
export type MenuRequest = {
  /** Tools and names of registered ones; `"full"`: everything registered; `"none"`: nothing. */
  readonly entries: readonly ToolEntry[] | "full" | "none";
  readonly registry: Registry;
  /** Where the request comes from. */
  readonly source?: string | undefined;
  readonly allow: readonly (readonly string[])[];
  readonly deny: readonly string[];
  /** Names of tools whose calls need approval, whatever they say of themselves. */
  readonly asks: readonly string[];
  /** Names that the lists may also hold, of what can be picked beside the menu. */
  readonly beside?: readonly string[] | undefined;
  /** How many lists and names at the front of `allow`, `deny` and `asks` are inherited: they were checked where they were written. */
  readonly inherited?: { readonly allow: number; readonly deny: number; readonly asks: number } | undefined;
};

/** A tool that no run can offer, since its raw schema cannot be used, and why. */
export type LeftOutTool = { readonly name: string; readonly message: string };

/** A menu, what its caller should hear about the names in allow and deny, what was left out, and the entries with names made tools: what a nested run inherits. */
export type ResolvedMenu = {
  readonly menu: Menu;
  readonly warnings: readonly string[];
  readonly leftOut: readonly LeftOutTool[];
  readonly entries: readonly OwnEntry[] | "full" | "none";
};

function suggestion(name: string, names: readonly string[]): string {
  const near = nearestNames(name, names);
  return near.length === 0 ? "" : ` Did you mean ${near.map((other) => JSON.stringify(other)).join(" or ")}?`;
}

function registered(name: string, registry: Registry, where: string): MenuTool {
  const tool = registry.get(name);
  if (tool !== undefined) return tool;
  const names = registry.names();
  const hint = suggestion(name, names) || (names.length === 0 ? " No tool is registered." : "");
  throw new RondoError("unknown_tool", `${where}: no tool named "${name.slice(0, 80)}" is registered.${hint}`);
}

function toolOf(entry: ToolEntry, registry: Registry, where: string): MenuTool {
  if (typeof entry === "string") return registered(entry, registry, where);
  if (typeof entry === "object" && entry !== null && "named" in entry && !("execute" in entry)) {
    if (typeof entry.named === "string") return registered(entry.named, registry, where);
    throw new RondoError("invalid_tool", `${where}: tool.named() takes the name of a registered tool.`);
  }
  return menuTool(entry as OwnEntry, where);
}

function toolsOf({ entries, registry }: MenuRequest): readonly MenuTool[] {
  if (entries === "full") return registry.all();
  if (entries === "none") return [];
  if (!Array.isArray(entries)) {
    throw new RondoError("invalid_tool", 'tools must be an array of tools and names, or toolset "full" or "none".');
  }
  // Not map, which would pass over holes.
  return Array.from(entries as readonly ToolEntry[], (entry, index) => toolOf(entry, registry, `tools[${index}]`));
}

/** Names in lists that nothing has: most likely misspelt, which in a denial would be a hole. */
function warningsOf(request: MenuRequest, tools: readonly MenuTool[]): readonly string[] {
  const { registry, inherited } = request;
  const allow = request.allow.slice(inherited?.allow);
  const deny = request.deny.slice(inherited?.deny);
  const asks = request.asks.slice(inherited?.asks);
  if (allow.length === 0 && deny.length === 0 && asks.length === 0) return [];
  const known = new Set([...registry.names(), ...(request.beside ?? [])]);
  for (const tool of tools) known.add(tool.name);
  const warnings = new Set<string>();
  const check = (option: string, name: string): void => {
    if (known.has(name)) return;
    warnings.add(`${option}: there is no tool named "${name}".${suggestion(name, [...known])}`);
  };
  for (const list of allow) for (const name of list) check("toolsAllow", name);
  for (const name of deny) check("toolsDeny", name);
  for (const name of asks) {
    const same = known.has(name) ? undefined : [...known].find((other) => asksFor([name], other));
    if (same === undefined) check("requiresApproval", name);
    else
      warnings.add(
        `requiresApproval: there is no tool named "${name}", so it was taken for "${same}", whose calls need approval. Write "${same}".`,
      );
  }
  return [...warnings];
}

const sourceOf = (tool: MenuTool): OwnEntry => tool.source;

function makeMenu(request: MenuRequest): ResolvedMenu {
  const tools = toolsOf(request);
  const places = new Map<string, number>();
  const callable = new Map<string, MenuTool>();
  const dropped: DroppedTool[] = [];
  const leftOut = new Map<MenuTool, LeftOutTool>();
  for (const [index, tool] of tools.entries()) {
    const { name } = tool;
    const before = places.get(name);
    if (before !== undefined) {
      const problem = `tools[${before}] and tools[${index}] are both named "${name}"; each name may stand for one tool`;
      throw new RondoError("invalid_tool", `${problem}.`);
    }
    places.set(name, index);
    // Raw schemas come from elsewhere, such as a server's list of tools: one of them must not keep the others from a run.
    const { problem } = tool.input;
    if (problem !== undefined) {
      leftOut.set(tool, { name, message: `tools[${index}]: the tool "${name}" was left out. ${problem}` });
      continue;
    }
    // Read for dropped tools too: a mistake in a tool must not hide behind a policy.
    void tool.declaration;
    const bySource = sourceGate(tool, request.source);
    const reason = bySource ?? policyGate(tool, request);
    if (reason === undefined) callable.set(name, asksFor(request.asks, name) ? asking(tool) : tool);
    else dropped.push({ name, gate: bySource === undefined ? "policy" : "source", reason });
  }
  const menu: Menu = {
    declared: Object.freeze(Array.from(callable.values(), (tool) => tool.declaration)),
    find: (name) => callable.get(name),
    names: Object.freeze([...callable.keys()]),
    dropped: Object.freeze(dropped),
  };
  const kept = leftOut.size === 0 ? tools : tools.filter((tool) => !leftOut.has(tool));
  const entries = typeof request.entries === "string" ? request.entries : Object.freeze(kept.map(sourceOf));
  return { menu, warnings: warningsOf(request, tools), leftOut: [...leftOut.values()], entries };
}

/**
 * Resolves what a run may pick from. Source and policy bind every tool, also those given in `entries` themselves.
 *
 * Throws `unknown_tool` for a name that is not registered and `invalid_tool` for what is no tool, a schema that cannot
 * be used, and two tools of one name; but a tool whose raw JSON Schema cannot be used is left out. The same entries under the same policy give the very same menu again, so that
 * adapters can keep what they made of `declared`.
 */
export function resolveMenu(request: MenuRequest): ResolvedMenu {
  const known = recallMenu(request);
  if (known !== undefined) return known;
  const resolved = makeMenu(request);
  rememberMenu(request, resolved);
  return resolved;
}
