/** Tokens of one request, or of many added up. Counts are whole numbers of tokens; what a provider does not say is absent or 0. */
export type Usage = {
  /** Tokens of the request, cached ones included. */
  readonly inputTokens: number;
  /** Tokens of the reply, reasoning included. */
  readonly outputTokens: number;
  /** `inputTokens` + `outputTokens`, unless the provider counts otherwise. */
  readonly totalTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
  /** Price in the currency of the price table; present only where every request of the sum had a known price. */
  readonly cost?: number;
};

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

/** Without a price that is known; no tokens need none. */
const unpriced = ({ cost, inputTokens, outputTokens, totalTokens }: Usage): boolean =>
  cost === undefined && (totalTokens > 0 || inputTokens > 0 || outputTokens > 0);

/**
 * The sum of two usages; a field that neither has stays absent. There is no cost where that of a part is not known: one
 * that leaves out a part would look like the whole.
 */
export function addUsage(a: Usage, b: Usage): Usage {
  if (a === noUsage) return b;
  if (b === noUsage) return a;
  const sum: { -readonly [K in keyof Usage]: Usage[K] } = {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    totalTokens: a.totalTokens + b.totalTokens,
  };
  for (const key of ["cacheReadTokens", "cacheWriteTokens", "reasoningTokens"] as const) {
    if (a[key] !== undefined || b[key] !== undefined) sum[key] = (a[key] ?? 0) + (b[key] ?? 0);
  }
  if (a.cost === undefined && b.cost === undefined) return sum;
  if (!unpriced(a) && !unpriced(b)) sum.cost = (a.cost ?? 0) + (b.cost ?? 0);
  return sum;
}
