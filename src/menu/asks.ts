/** A name without what people write in different ways: `write_file`, `write-file` and `writeFile` are one. */
const bare = (name: string): string => name.toLowerCase().replace(/(?<=.)[-_.\s]+/g, "");

/**
 * Whether a list of tools whose calls need approval has this one. Case and separators do not count: that a gate stands
 * open for `writeFile` where `write_file` is the tool would be worse than that one more call is asked about.
 */
export function asksFor(asks: readonly string[], name: string): boolean {
  if (asks.length === 0) return false;
  if (asks.includes(name)) return true;
  const wanted = bare(name);
  return asks.some((one) => bare(one) === wanted);
}
