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

/** A size and the limit that it is beyond: to the byte where they look alike otherwise. */
export function showSizes(size: number, limit: number): [size: string, limit: string] {
  const [one, other] = [showSize(size), showSize(limit)];
  return one === other ? [`${showCount(size)} bytes`, `${showCount(limit)} bytes`] : [one, other];
}
