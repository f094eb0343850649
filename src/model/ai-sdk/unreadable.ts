import { providerError } from "../wire/provider-error.ts";

/** What an error part stands for. */
export type ErrorPart =
  /** The provider failed. */
  | { readonly failure: unknown }
  /** An event that the package could not read, with the text of it; the reply goes on. */
  | { readonly unreadable: string; readonly mayHoldCall: boolean };

/** Tells an event that could not be read from a failure: packages report both in the same way. */
export function errorPart(error: unknown): ErrorPart {
  const { name, text, value } = fieldsOf(error);
  if (name === "AI_JSONParseError" && typeof text === "string") {
    // Only what begins as an event does can have been one.
    return { unreadable: text, mayHoldCall: text.trimStart()[0] === "{" };
  }
  if (name !== "AI_TypeValidationError" || typeof value !== "object" || value === null) return { failure: error };
  const said = providerError(value as { readonly [field: string]: unknown }, undefined);
  if (said !== undefined) return { failure: said };
  const unreadable = JSON.stringify(value);
  return { unreadable, mayHoldCall: /tool|function|input_json/i.test(unreadable) };
}

function fieldsOf(error: unknown): { readonly name?: unknown; readonly text?: unknown; readonly value?: unknown } {
  return typeof error === "object" && error !== null ? error : {};
}
