/** A time in milliseconds as a person reads it. */
export function inWords(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${tenths(ms / 1_000)} s`;
  return ms < 7_200_000 ? `${tenths(ms / 60_000)} minutes` : `${tenths(ms / 3_600_000)} hours`;
}

const tenths = (value: number): number => Math.round(value * 10) / 10;
