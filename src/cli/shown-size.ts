/** `4.2 GB`, `98 MB`, `612 bytes`. */
export function shownSize(bytes: number): string {
  for (const [unit, size] of units)
    if (bytes >= size) return `${(bytes / size).toFixed(bytes >= 100 * size ? 0 : 1)} ${unit}`;
  return `${bytes} bytes`;
}

const units = [
  ["GB", 1e9],
  ["MB", 1e6],
  ["kB", 1e3],
] as const;
