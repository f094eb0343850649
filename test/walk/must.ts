/** A rule that a trace has broken. */
export class Violation extends Error {
  override readonly name = "Violation";
}

/** Fails the trace unless this holds. */
export function must(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new Violation(rule);
}

/** Fails the trace unless both say the same. */
export function same(seen: unknown, expected: unknown, what: string): void {
  const [a, b] = [JSON.stringify(seen), JSON.stringify(expected)];
  if (a !== b) throw new Violation(`${what}: expected ${b}, seen ${a}`);
}
