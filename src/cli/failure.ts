import type { RunResult } from "../loop/outcome.ts";
import type { Redact } from "../message/redact.ts";
import { thrownMessage } from "../message/thrown-text.ts";
import { oneLine } from "./terminal-text.ts";

/** An error as one line: its message, without secrets, stack, headers or control characters. */
export function errorLine(error: unknown, redact: Redact): string {
  return oneLine(redact(thrownMessage(error)), 1000) || "unknown error";
}

/** What went wrong in a run, for machines: no more than code and message. */
export function errorRecord(result: RunResult, redact: Redact): { code: string; message: string } | undefined {
  const { error } = result;
  if (error === undefined) return undefined;
  const code = "code" in error && typeof error.code === "string" ? error.code : result.outcome;
  return { code, message: errorLine(error, redact) };
}
