/** Gate 2b: what a preset does not name. Undefined: passes, as everything does without a preset; else the reason. */
export function presetGate(
  tool: { readonly name: string },
  preset: { readonly name: string; readonly tools: ReadonlySet<string> } | undefined,
): string | undefined {
  return preset === undefined || preset.tools.has(tool.name)
    ? undefined
    : `the preset "${preset.name}" does not name it`;
}
