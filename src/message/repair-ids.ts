/** Gives out ids for calls. */
export type IdSource = {
  /** The id itself for the first call that has it; for a later one, and for `""`, a new one that nobody has. */
  take(id: string): string;
};

/** An id source that will never invent one of `existing`, so that what stands later in the history keeps its own. */
export function idSource(existing: Iterable<string>): IdSource {
  const taken = new Set(existing);
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return {
    take(id) {
      if (id !== "" && !used.has(id)) {
        used.add(id);
        return id;
      }
      const base = id === "" ? "call" : id;
      let count = counts.get(base) ?? (id === "" ? 0 : 1);
      let fresh: string;
      do fresh = `${base}_${++count}`;
      while (taken.has(fresh));
      counts.set(base, count);
      return fresh;
    },
  };
}
