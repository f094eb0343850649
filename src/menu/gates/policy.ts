/** Names to look one up in; a set where there may be many, since every tool is asked about. */
export type Names = readonly string[] | ReadonlySet<string>;

export const holds = (names: Names, name: string): boolean => ("has" in names ? names.has(name) : names.includes(name));

/** What may be picked at all: every allow-list must hold the name, no denial may. */
export type Policy = {
  /** One list per level that set one; an empty list allows nothing, no list at all allows everything. */
  readonly allow: readonly Names[];
  readonly deny: Names;
  /** Which names the user has disabled for good. */
  readonly disabled?: ((name: string) => boolean) | undefined;
};

/** Why a tool is left out that is disabled for good. */
export const disabledByUser = "the user has disabled it";

/** Gate 5: what allow-lists and denials veto. Undefined: passes; else the reason. Denials win. */
export function policyGate(tool: { readonly name: string }, policy: Policy): string | undefined {
  if (policy.disabled?.(tool.name)) return disabledByUser;
  if (holds(policy.deny, tool.name)) return "it is denied by toolsDeny";
  if (policy.allow.every((list) => holds(list, tool.name))) return undefined;
  return "it is not among toolsAllow";
}
