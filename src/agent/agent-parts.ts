import type { ExecOptions } from "./options.ts";
import type { Runtime } from "./runtime.ts";

/** What an agent was made with. */
export type AgentParts = {
  /** Its own defaults over those of its class. */
  readonly defaults: ExecOptions;
  /** The runtime that it was given, if it was. */
  readonly runtime: Runtime | undefined;
};

/** Under this name an agent says its parts; agents of every copy of this package have it. */
export const agentMarker: unique symbol = Symbol.for("rondo.agent");

/** True for an agent, and for a class of agents, of any copy of this package. */
export function looksLikeAgent(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return agentMarker in value;
  const prototype: unknown = typeof value === "function" ? value.prototype : undefined;
  return typeof prototype === "object" && prototype !== null && agentMarker in prototype;
}
