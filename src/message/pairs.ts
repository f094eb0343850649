/*
 * Cutting text where it may be cut: a character outside of the basic plane is a pair of units (surrogates), and half of
 * one is no text.
 */

/** The first `count` units, one less where they would end inside a surrogate pair. */
export function headOf(text: string, count: number): string {
  return text.slice(0, splitsPair(text, count) ? count - 1 : count);
}

/** What stands from unit `from` on, one unit later where that is inside a surrogate pair. */
export function tailOf(text: string, from: number): string {
  if (from <= 0) return text;
  return text.slice(splitsPair(text, from) ? from + 1 : from);
}

/** Whether a cut at this unit would go through a surrogate pair. */
export function splitsPair(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
