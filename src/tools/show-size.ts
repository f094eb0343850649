/** A number of bytes for reading: `512 bytes`, `1.5 KB`, `3.2 GB` (1 KB is 1,024 bytes). */
export function showSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1023.95 && unit < 3) {
    value /= 1024;
    unit++;
  }
  return `${value.toFixed(1)} ${["KB", "MB", "GB", "TB"][unit]}`;
}

/** `1,234`. */
export const showCount = (count: number): string => count.toLocaleString("en-US");
