/**
 * Leaves out a tool whose raw JSON Schema cannot be used. Undefined: passes; else the reason. Raw schemas come from
 * elsewhere, such as a server's list of tools: one of them must not keep the others from a run.
 */
export function schemaGate(tool: { readonly input: { readonly problem?: string | undefined } }): string | undefined {
  return tool.input.problem;
}
