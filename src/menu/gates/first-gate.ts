import type { MenuTool } from "../entry.ts";
import { exposureGate } from "./exposure.ts";
import { type Policy, policyGate } from "./policy.ts";
import { presetGate } from "./preset.ts";
import { rememberedAvailability } from "./remembered.ts";
import { sourceGate } from "./source.ts";

/** What the gates are asked about a tool. */
export type GateQuestion = Policy & {
  /** It stands in the menu because it is registered, not as itself. */
  readonly registered: boolean;
  readonly preset?: { readonly name: string; readonly tools: ReadonlySet<string> } | undefined;
  readonly source: string | undefined;
  readonly workspace: string;
};

/** The gates that keep a tool out of a menu, in the order in which they are asked. Gate 6, deferral, keeps nothing out. */
export type Gate = "registration" | "exposure" | "preset" | "source" | "availability" | "policy";

/** A tool that a gate kept out of a menu, and why. */
export type DroppedTool = { readonly name: string; readonly gate: Gate; readonly reason: string };

/** The first gate that keeps a tool out; undefined: it may be called. The first gate of all was asked when it was registered. */
export function firstGate(tool: MenuTool, asked: GateQuestion): DroppedTool | undefined {
  const { source, workspace } = asked;
  const at = (gate: Gate, reason: string | undefined): DroppedTool | undefined =>
    reason === undefined ? undefined : { name: tool.name, gate, reason };
  return (
    at("exposure", exposureGate(tool, asked.registered)) ??
    at("preset", presetGate(tool, asked.preset)) ??
    at("source", sourceGate(tool, source)) ??
    at("availability", rememberedAvailability(tool, { workspace, ...(source !== undefined && { source }) })) ??
    at("policy", policyGate(tool, asked))
  );
}
