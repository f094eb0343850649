import type { ToolContext } from "../menu/context.ts";
import type { Job } from "./code-job.ts";
import { runInThread } from "./code-threads.ts";
import { maxChars } from "./limits.ts";
import { showCount } from "./show-size.ts";

/** Arguments of `run_code`. */
export type RunCodeArguments = { readonly code: string };

/** Source code is not data: what is longer is a mistake. */
const maxCode = 1_000_000;

const bounds: Omit<Job, "code"> = {
  timeMs: 10_000,
  memoryBytes: 64 * 1024 * 1024,
  maxText: maxChars - 200,
  maxPrinted: 20_000_000,
};

/** The body of `run_code`. `given` replaces single bounds. */
export async function runCode(
  { code }: RunCodeArguments,
  ctx: ToolContext,
  given: Partial<Omit<Job, "code">> = {},
): Promise<string> {
  if (code.length > maxCode) {
    throw new Error(
      `The code is ${showCount(code.length)} characters long; ${showCount(maxCode)} are the most. Nothing was run.`,
    );
  }
  const { printed, ok, text } = await runInThread({ ...bounds, ...given, code }, ctx.signal);
  const shown = printed.replace(/\n$/, "");
  if (!ok) throw new Error(shown === "" ? text : `${shown}\n\n${text}`);
  if (text === undefined) return shown === "" ? "[Nothing was printed, and the value is undefined.]" : shown;
  return printed === "" ? text : `${shown}\n=> ${text}`;
}
