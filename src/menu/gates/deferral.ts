/** What is known of a menu as a whole when it is asked which of its tools can wait. */
export type Crowd = {
  /** Declaring every tool from the start would take too much room. */
  readonly crowded: boolean;
  /** Names that a request forces: they have to be declared. */
  readonly forced: readonly string[];
};

/** Gate 6: tools whose schema is not sent from the start. Undefined: it is sent; else the reason. Drops nothing. */
export function deferralGate(
  tool: { readonly name: string; readonly defer: boolean | undefined },
  { crowded, forced }: Crowd,
): string | undefined {
  if (tool.defer === false || forced.includes(tool.name)) return undefined;
  if (tool.defer) return "it asks for it (defer: true)";
  return crowded ? "all tools together are too many to declare (deferAbove)" : undefined;
}
