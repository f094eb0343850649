import { RondoError, type RondoErrorCode } from "../error.ts";
import type { Outcome } from "../loop/outcome.ts";

/** The command was called wrongly: nothing was run. */
export const usageExitCode = 2;

/** Somebody stopped the command: 128 + SIGINT, as shells say it. */
export const interruptedExitCode = 130;

/** The run failed, or its answer could not be written. */
export const failedExitCode = 1;

const limitReached = 3;

const codes: { readonly [O in Outcome]: number } = {
  stop: 0,
  max_iterations: limitReached,
  max_tool_calls: limitReached,
  max_tokens: limitReached,
  max_cost: limitReached,
  timeout: limitReached,
  length: limitReached,
  stuck: limitReached,
  undecided: limitReached,
  aborted: interruptedExitCode,
  empty: failedExitCode,
  refusal: failedExitCode,
  error: failedExitCode,
  diverged: failedExitCode,
};

/** The exit code of a run that ended with this outcome. */
export function exitCodeOf(outcome: Outcome): number {
  return codes[outcome];
}

const mistakes: ReadonlySet<RondoErrorCode> = new Set([
  "invalid_option",
  "invalid_tool",
  "invalid_history",
  "unknown_tool",
  "unknown_model",
  "not_yet",
]);

/** The exit code for what was thrown before a run began: 2 for a mistake of the caller, else {@link failedExitCode}. */
export function exitCodeOfError(error: unknown): number {
  return RondoError.isInstance(error) && mistakes.has(error.code) ? usageExitCode : failedExitCode;
}
