import type { ToolCall } from "../message/message.ts";
import type { ToolDeclaration } from "../model/model.ts";
import { askedFor } from "./asks.ts";
import { type Candidates, candidatesOf, type MenuEntries, suggestion } from "./candidates.ts";
import { callTool, unwrapped } from "./deferral/call-tool.ts";
import { deferred, loaders } from "./deferral/defer.ts";
import { asking, type MenuTool, type OwnEntry } from "./entry.ts";
import { type DroppedTool, firstGate } from "./gates/first-gate.ts";
import { availabilityFrom } from "./gates/remembered.ts";
import { recallMenu, rememberMenu } from "./menu-cache.ts";
import { inShort, misspelt } from "./misspelt.ts";
import type { Presets } from "./presets.ts";
import type { Registry } from "./registry.ts";

/** What a run may pick from. */
export type Menu = {
  /** What the model is told: frozen, the same object in every round, in the order of the entries. */
  readonly declared: readonly ToolDeclaration[];
  /** The tool that may be called by this name, whether the model was told of it or not. */
  find(name: string): MenuTool | undefined;
  /** Names of what may be called. */
  readonly names: readonly string[];
  readonly dropped: readonly DroppedTool[];
  /** Tools that may be called but are not declared, and why; `tool_search` finds them. */
  readonly deferred: ReadonlyMap<string, string>;
  /** The call that a call of `call_tool` stands for; any other as it is. Absent where there is no `call_tool`. */
  readonly unwrap?: (call: ToolCall) => ToolCall;
  /** Why a tool that was offered cannot be used any more; undefined: it can. */
  gone(tool: MenuTool): string | undefined;
};

/** What a menu is made of. */
export type MenuRequest = {
  readonly entries: MenuEntries;
  readonly registry: Registry;
  readonly presets: Presets;
  /** Where the request comes from, and where those of the runs around it do. */
  readonly sources: readonly string[];
  /** The folder that the tools work in. */
  readonly workspace: string;
  readonly allow: readonly (readonly string[])[];
  readonly deny: readonly string[];
  /** Names that the user has disabled for good, in any spelling; nobody is warned of one that nothing has. */
  readonly disabled: readonly string[];
  /** Names of tools whose calls need approval, whatever they say of themselves. */
  readonly asks: readonly string[];
  /** Tokens that the declarations of all tools may take before those that can wait are deferred. */
  readonly deferAbove: number;
  /** Names that the request forces. */
  readonly forced: readonly string[];
  /** Names that the lists may also hold, of what can be picked beside the menu. */
  readonly beside?: readonly string[] | undefined;
  /** How many lists and names at the front of `allow`, `deny` and `asks` are inherited: they were checked where they were written. */
  readonly inherited?: { readonly allow: number; readonly deny: number; readonly asks: number } | undefined;
};

/** A tool that no run can offer, since its raw schema cannot be used, and why. */
export type LeftOutTool = { readonly name: string; readonly message: string };

/** A menu, what its caller should hear about names that nothing has and of tools that were left out, and the entries with names made tools: what a nested run inherits. */
export type ResolvedMenu = {
  readonly menu: Menu;
  readonly warnings: readonly string[];
  readonly leftOut: readonly LeftOutTool[];
  readonly entries: readonly OwnEntry[] | "full" | "none";
  /** Tools that depend on something, and what was said of them. */
  readonly conditional: readonly (readonly [MenuTool, string | undefined])[];
};

function makeMenu(request: MenuRequest): ResolvedMenu {
  const { registry, asks, deny, forced, deferAbove, sources, workspace } = request;
  const candidates = candidatesOf(request.entries, registry, request.presets);
  const needsYes = askedFor(asks);
  const question = {
    ...request,
    preset: candidates.preset,
    allow: request.allow.map((list) => new Set(list)),
    deny: new Set(deny),
    // Nobody is told of a name in it that nothing has, so it must not stand open for a typing mistake.
    disabled: askedFor(request.disabled),
  };
  const passed: MenuTool[] = [];
  const inherited: OwnEntry[] = [];
  const dropped: DroppedTool[] = [...candidates.refused];
  const conditional: (readonly [MenuTool, string | undefined])[] = [];
  const leftOut: LeftOutTool[] = [];
  for (const [index, { tool, registered }] of candidates.tools.entries()) {
    const drop = firstGate(tool, { ...question, registered });
    if (drop?.gate === "schema") {
      const { name, reason } = drop;
      leftOut.push({ name, message: `tools[${index}]: the tool "${name}" was left out. ${reason}` });
      dropped.push(drop);
      continue;
    }
    // Read for dropped tools too: a mistake in a tool must not hide behind a policy.
    if (tool.input.problem === undefined) void tool.declaration;
    if (drop === undefined) passed.push(needsYes(tool.name) ? asking(tool) : tool);
    else dropped.push(drop);
    // What the others ask may have another answer where the entry is inherited.
    if (drop?.gate !== "exposure" && drop?.gate !== "preset") inherited.push(tool.source);
    if (tool.conditions) conditional.push([tool, drop?.gate === "availability" ? drop.reason : undefined]);
  }
  const shared = deferred(passed, { above: deferAbove, forced, policy: question });
  // A yes that calls of `call_tool` need is one for what is called through it.
  const askAll = needsYes(callTool.name);
  const asked = (tool: MenuTool) => (askAll && shared.deferred.has(tool.name) ? asking(tool) : tool);
  const callable = new Map([...shared.declared, ...passed].map((tool) => [tool.name, asked(tool)]));
  const menu: Menu = {
    declared: Object.freeze(Array.from(shared.declared, (tool) => tool.declaration)),
    find: (name) => callable.get(name),
    names: Object.freeze([...callable.keys()]),
    dropped: Object.freeze(dropped),
    deferred: shared.deferred,
    ...(shared.deferred.size > 0 && { unwrap: unwrapped }),
    gone: (tool) => availabilityFrom(tool, sources, workspace),
  };
  const entries = typeof request.entries === "string" ? request.entries : Object.freeze(inherited);
  return { menu, warnings: warningsOf(request, candidates), leftOut, entries, conditional };
}

function warningsOf(request: MenuRequest, { tools, preset, unknown }: Candidates): readonly string[] {
  const { registry, inherited } = request;
  const lists = {
    allow: request.allow.slice(inherited?.allow),
    deny: request.deny.slice(inherited?.deny),
    asks: request.asks.slice(inherited?.asks),
  };
  const names = () => [
    ...registry.names(),
    ...registry.refused().map(nameOf),
    ...(request.beside ?? []),
    ...loaders,
    ...tools.map(({ tool }) => tool.name),
  ];
  const ofPreset = inShort(
    unknown,
    (name) => `toolset "${preset?.name}": there is no tool named "${name}".${suggestion(name, registry.names())}`,
  );
  return [...ofPreset, ...misspelt(lists, names)];
}

const nameOf = ({ name }: { readonly name: string }): string => name;

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
