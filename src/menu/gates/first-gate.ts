import type { MenuTool } from "../entry.ts";
import { exposureGate } from "./exposure.ts";
import { type Policy, policyGate } from "./policy.ts";
import { presetGate } from "./preset.ts";
import { availabilityFrom } from "./remembered.ts";
import { schemaGate } from "./schema.ts";
import { sourceGate } from "./source.ts";

/** What the gates are asked about a tool. */
export type GateQuestion = Policy & {
  /** It stands in the menu because it is registered, not as itself. */
  readonly registered: boolean;
  readonly preset?: { readonly name: string; readonly tools: ReadonlySet<string> } | undefined;
  /** Where the request comes from, with the runs around it. */
  readonly sources: readonly string[];
  readonly workspace: string;
};

/** The gates that keep a tool out of a menu, in the order in which they are asked. Gate 6, deferral, keeps nothing out. */
export type Gate = "schema" | "registration" | "exposure" | "preset" | "source" | "availability" | "policy";

/** A tool that a gate kept out of a menu, and why. */
export type DroppedTool = { readonly name: string; readonly gate: Gate; readonly reason: string };

/** The first gate that keeps a tool out; undefined: it may be called. Gate 1 was asked when it was registered. */
export function firstGate(tool: MenuTool, asked: GateQuestion): DroppedTool | undefined {
  const { sources, workspace } = asked;
  const at = (gate: Gate, reason: string | undefined): DroppedTool | undefined =>
    reason === undefined ? undefined : { name: tool.name, gate, reason };
  return (
    at("exposure", exposureGate(tool, asked.registered)) ??
    at("preset", presetGate(tool, asked.preset)) ??
    at("schema", schemaGate(tool)) ??
    at("source", sourceGate(tool, sources)) ??
    at("availability", availabilityFrom(tool, sources, workspace)) ??
    at("policy", policyGate(tool, asked))
  );
}
