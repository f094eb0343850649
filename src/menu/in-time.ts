import { clearTimer, setTimer } from "./timer.ts";
import { defaultTimeoutMs } from "./tool-timeout.ts";

/** What code that is asked about a call and never answers comes to. */
export const noAnswer = `it gave no answer within ${defaultTimeoutMs / 1000} s`;

/**
 * What the work comes to; rejects when that takes longer than a tool may by default. For code of the caller's that is
 * asked about a call: a promise of its own that is never settled must not hold the run for ever.
 */
export function inTime<T>(work: PromiseLike<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimer(defaultTimeoutMs, () => reject(new Error(noAnswer)));
    const clear = () => clearTimer(timer);
    work.then(resolve, reject);
    work.then(clear, clear);
  });
}
