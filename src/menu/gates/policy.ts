import { asksFor } from "../asks.ts";

/** What may be picked at all: every allow-list must hold the name, no denial may. */
export type Policy = {
  /** One list per level that set one; an empty list allows nothing, no list at all allows everything. */
  readonly allow: readonly (readonly string[])[];
  readonly deny: readonly string[];
  /** Names among those of `deny` that the user has disabled for good. */
  readonly disabled?: readonly string[] | undefined;
};

/** Gate 5: what allow-lists and denials veto. Undefined: passes; else the reason. Denials win. */
export function policyGate(tool: { readonly name: string }, policy: Policy): string | undefined {
  // Nobody is told of a name in it that nothing has, so it must not stand open for a typing mistake.
  if (policy.disabled && asksFor(policy.disabled, tool.name)) return "the user has disabled it";
  if (policy.deny.includes(tool.name)) return "it is denied by toolsDeny";
  if (policy.allow.every((list) => list.includes(tool.name))) return undefined;
  return "it is not among toolsAllow";
}
