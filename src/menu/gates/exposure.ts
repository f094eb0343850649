/** Gate 2: hides a registered tool that is not exposed. Undefined: passes; else the reason. What was given in `tools` as itself is not asked. */
export function exposureGate(tool: { readonly expose: boolean }, registered: boolean): string | undefined {
  return registered && !tool.expose ? "it is registered, but not exposed (expose: false)" : undefined;
}
