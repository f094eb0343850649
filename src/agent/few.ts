import type { Warning } from "./model-of.ts";

/**
 * So many of a kind are told one by one. They all come at once, before anybody can have read the first: of thousands a
 * reader that is that far behind would be given none.
 */
const mostTold = 20;

/** Adds warnings of one kind; of many the first, and how many more there are. */
export function warnOfFew(warnings: Warning[], code: string, messages: readonly string[]): void {
  for (const message of messages.slice(0, mostTold)) warnings.push({ code, message });
  const more = messages.length - mostTold;
  if (more > 0) warnings.push({ code, message: `… and ${more} more of these.` });
}
