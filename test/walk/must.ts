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
  if (alike(seen, expected)) return;
  throw new Violation(`${what}: expected ${JSON.stringify(expected)}, seen ${JSON.stringify(seen)}`);
}

/** Deep equality of plain data; most of what is compared here is one and the same object. */
function alike(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => alike(left[key], right[key]));
}
