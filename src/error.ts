/**
 * Every way in which Rondo says no. Outcomes of a run that did not answer come first; the rest are mistakes of the
 * caller, which throw before the first request and are never retried.
 */
export type RondoErrorCode =
  | "length"
  | "empty"
  | "undecided"
  | "refusal"
  | "error"
  | "aborted"
  | "timeout"
  | "stuck"
  | "max_iterations"
  | "max_tool_calls"
  | "max_tokens"
  | "max_cost"
  | "diverged"
  | "invalid_option"
  | "invalid_tool"
  | "invalid_arguments"
  | "recursion"
  | "invalid_history"
  | "unknown_tool"
  | "unknown_model"
  | "missing_package"
  | "not_yet"
  | "host";

const marker = Symbol.for("rondo.error");

/**
 * The one error class of Rondo: tell errors apart by `code`.
 *
 * @example
 * ```ts
 * try {
 *   await exec("Summarise this file.", { maxIterations: 3 });
 * } catch (error) {
 *   if (RondoError.isInstance(error) && error.code === "timeout") console.log("too slow");
 * }
 * ```
 */
export class RondoError<R = unknown> extends Error {
  override readonly name = "RondoError";
  readonly code: RondoErrorCode;
  /** The whole result of the run, when a run ended without an answer. */
  readonly result?: R;
  readonly [marker] = true;

  constructor(code: RondoErrorCode, message: string, details: { cause?: unknown; result?: R } = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    if (details.result !== undefined) this.result = details.result;
  }

  /** True for errors of any copy of this package, unlike `instanceof`. */
  static isInstance(value: unknown): value is RondoError {
    try {
      return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[marker] === true;
    } catch {
      // A proxy that was revoked, say: anything may be thrown, and asked about here.
      return false;
    }
  }
}
