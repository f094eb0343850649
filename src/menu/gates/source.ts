/**
 * Gate 3: hides a tool where the request comes from a source that it is unsafe in. Undefined: passes; else the reason.
 * Without a source nothing is hidden.
 */
export function sourceGate(
  tool: { readonly unsafeIn: readonly string[] },
  source: string | undefined,
): string | undefined {
  if (source === undefined || !tool.unsafeIn.includes(source)) return undefined;
  return `it is not offered to requests from "${source}"`;
}
