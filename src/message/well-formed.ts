// Both methods are in every Node that Rondo runs on, but not yet in the compiler's library of es2023.
type Unicode = { isWellFormed(): boolean; toWellFormed(): string };

/** True for text without lone surrogates, the halves of a character that no wire can carry. */
export function isWellFormed(text: string): boolean {
  return (text as unknown as Unicode).isWellFormed();
}

/** The text with each lone surrogate replaced by U+FFFD; the very same string when there is none. */
export function wellFormed(text: string): string {
  return isWellFormed(text) ? text : (text as unknown as Unicode).toWellFormed();
}
