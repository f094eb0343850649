import { RondoError } from "../error.ts";
import type { RunResult } from "../loop/outcome.ts";
import { isRecord } from "./check-options.ts";

/** What `exec` rejects with when its run ended without an answer: `code` is the outcome, `result` all that the run came to. */
export type RunError = RondoError<RunResult> & { readonly result: RunResult };

/**
 * True for an error of a run that had begun, which brings its result with it; false for a caller mistake, which is told
 * before the first request.
 *
 * @example
 * ```ts
 * try {
 *   await exec("Summarise this file.", { timeoutMs: 60_000 });
 * } catch (error) {
 *   if (!isRunError(error)) throw error;
 *   console.log(error.code, error.result.usage.totalTokens, error.result.messages.length);
 * }
 * ```
 */
export function isRunError(value: unknown): value is RunError {
  return RondoError.isInstance(value) && isRecord(value.result) && typeof value.result.outcome === "string";
}
