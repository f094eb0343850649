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

/** Why the name may not be picked whatever else is allowed; undefined where nobody forbids it. */
export function vetoOf(name: string, { deny, disabled }: Policy): string | undefined {
  if (disabled?.(name)) return disabledByUser;
  return holds(deny, name) ? "it is denied by toolsDeny" : undefined;
}

/** Gate 5: what allow-lists and denials veto. Undefined: passes; else the reason. Denials win. */
export function policyGate({ name }: { readonly name: string }, policy: Policy): string | undefined {
  const veto = vetoOf(name, policy);
  if (veto !== undefined || policy.allow.every((list) => holds(list, name))) return veto;
  return "it is not among toolsAllow";
}
