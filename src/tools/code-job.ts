/** Code to run, and its bounds. */
export type Job = {
  readonly code: string;
  /** Milliseconds. */
  readonly timeMs: number;
  /** Bytes that the code may hold at once. */
  readonly memoryBytes: number;
  /** Characters of the answer: what was printed, and the value, which gets half of them at most. */
  readonly maxText: number;
  /** Characters that may be printed before the code is stopped. */
  readonly maxPrinted: number;
};

/** What running code came to. `text` is the value, absent for undefined; or what went wrong, in words. */
export type Ran =
  | { readonly printed: string; readonly ok: true; readonly text?: string }
  | { readonly printed: string; readonly ok: false; readonly text: string };

/** What a thread says: that it can be used; text that a job printed, so that it is known should the thread be ended; the end of a job. */
export type Told = "ready" | { readonly begun: string } | Ran;

export const timeIsUp = (ms: number): string => `Stopped after ${ms / 1000} s, which is the limit.`;
