import { isError, thrownMessage } from "./thrown-text.ts";

/** True for why a call or a run was ended whose time was up. */
export const isTimeout = (reason: unknown): reason is DOMException =>
  isError(reason) && reason instanceof DOMException && reason.name === "TimeoutError";

/** What the platform and we say where nobody has given a reason. */
const unsaid: readonly string[] = ["This operation was aborted", "The run was aborted."];

/** A reason in words, where there is one. */
export function said(reason: unknown): string | undefined {
  const text = isError(reason) ? thrownMessage(reason) : reason;
  return typeof text === "string" && !unsaid.includes(text) ? text : undefined;
}
