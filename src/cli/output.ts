import { type Redact, redactor, valueRedactor } from "../message/redact.ts";
import { claimStdout } from "./claim-stdout.ts";
import { type Paint, painter, wantsColor } from "./color.ts";

/** Where the command writes: the answer or events on standard output, everything else on standard error. */
export type Output = {
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  readonly paint: Paint;
  readonly redact: Redact;
  /** Leaves what only looks like a key: for somebody who is to judge the text. */
  readonly redactValues: Redact;
  stdout(text: string): void;
  stderr(text: string): void;
  /** Standard output could not take what was written, for another reason than that nobody reads it. */
  readonly failed: boolean;
  /** Called once when nobody reads standard output any more. */
  onClosed(listener: () => void): void;
  flush(): Promise<void>;
};

/** The output of this process. From here on only `stdout` writes to standard output. */
export function processOutput(allowColor: boolean): Output {
  const { env, stdout, stderr } = process;
  const claimed = claimStdout(stdout, stderr);
  const listeners: (() => void)[] = [];
  let closed = false;
  let failed = false;
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (closed) return;
    closed = true;
    failed = error.code !== "EPIPE";
    if (failed) stderr.write(`rondo: cannot write to standard output: ${error.message}\n`);
    for (const listener of listeners) listener();
  });
  // Progress that nobody reads is no reason to end.
  stderr.on("error", () => {});
  return {
    stdoutIsTerminal: stdout.isTTY === true,
    stderrIsTerminal: stderr.isTTY === true,
    paint: painter(wantsColor(allowColor, env, stderr.isTTY === true)),
    redact: redactor(env),
    redactValues: valueRedactor(env),
    get failed() {
      return failed;
    },
    stdout: claimed.write,
    stderr: (text) => void (stderr.writable && stderr.write(text)),
    onClosed: (listener) => {
      if (closed) listener();
      else listeners.push(listener);
    },
    flush: claimed.flush,
  };
}
