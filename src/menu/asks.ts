/** A name without what people write in different ways: `write_file`, `write-file` and `writeFile` are one. */
const bare = (name: string): string => name.toLowerCase().replace(/(?<=.)[-_.\s]+/g, "");

/**
 * Which tools need approval by a list of names. Case and separators do not count: that a gate stands
 * open for `writeFile` where `write_file` is the tool would be worse than that one more call is asked about.
 */
export function askedFor(asks: readonly string[]): (name: string) => boolean {
  if (asks.length === 0) return () => false;
  const wanted = new Set(asks.map(bare));
  return (name) => wanted.has(bare(name));
}

/** The first of these names that is taken for this one. */
export function sameName(names: Iterable<string>): (name: string) => string | undefined {
  const known = new Map<string, string>();
  for (const name of names) if (!known.has(bare(name))) known.set(bare(name), name);
  return (name) => known.get(bare(name));
}
