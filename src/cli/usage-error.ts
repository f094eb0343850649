import { RondoError } from "../error.ts";

/** A mistake in how the command was called: one line, with what to do instead. */
export function usageError(message: string): RondoError {
  return new RondoError("invalid_option", message);
}
