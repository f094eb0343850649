/** Options of a run that may be defaults of whatever begins it. The types of those defaults are made of these names. */
export const sharedDefaults = [
  "model",
  "system",
  "effort",
  "limits",
  "atLimit",
  "maxIterations",
  "toolExecution",
  "stuck",
  "timeoutMs",
  "maxOutputTokens",
  "temperature",
  "providerOptions",
  "toolsAllow",
  "toolsDeny",
  "toolsSource",
  "deferAbove",
] as const;

/** Those that an agent may have: also a menu of its own. */
export const agentDefaultNames = [...sharedDefaults, "tools", "toolset", "parallelToolCalls", "onRetry"] as const;

/** Names as the fields of an object, which is how they are looked up. */
export function asFields<const N extends string>(names: readonly N[]): { readonly [K in N]: true } {
  return Object.fromEntries(names.map((name) => [name, true])) as { [K in N]: true };
}
