/**
 * Gate 3: hides a tool where the request comes from a source that it is unsafe in. Undefined: passes; else the reason.
 * A nested run has several: it has to be safe in all of them. Without a source nothing is hidden.
 */
export function sourceGate(
  tool: { readonly unsafeIn: readonly string[] },
  sources: readonly string[],
): string | undefined {
  const source = sources.find((one) => tool.unsafeIn.includes(one));
  if (source === undefined) return undefined;
  return `it is not offered to requests from "${source}"`;
}
