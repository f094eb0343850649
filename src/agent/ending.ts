import type { OpenRun } from "../host/host.ts";
import { isTimeout, said } from "../message/abort-reason.ts";

/** Calls back when the signal fires, at once if it has; returns how to undo that. */
export function cancelOn(signal: AbortSignal, end: (reason: unknown) => void): (() => void) | undefined {
  const cancel = () => end(signal.reason);
  if (signal.aborted) {
    cancel();
    return undefined;
  }
  signal.addEventListener("abort", cancel, { once: true });
  return () => signal.removeEventListener("abort", cancel);
}

/** Ends a run with what is around it: as late if the time of either is up, else as aborted. */
export function cancelFor(reason: unknown, open: OpenRun, deadlineAt: number | undefined): void {
  if (deadlineAt !== undefined && Date.now() >= deadlineAt) open.interrupt(reason);
  else open.cancel(said(reason), isTimeout(reason) ? "timeout" : "abort");
}

/** Fires the signal once the clock of records has reached the deadline; timers may come a little early. */
export function deadlineTimer(open: OpenRun, deadlineAt: number | undefined): (() => void) | undefined {
  if (deadlineAt === undefined) return undefined;
  let timer: NodeJS.Timeout;
  const wait = () => {
    const ms = deadlineAt - Date.now();
    if (ms <= 0) open.interrupt(new DOMException("The run's time is up.", "TimeoutError"));
    else timer = setTimeout(wait, Math.min(ms, 2 ** 31 - 1));
  };
  wait();
  return () => clearTimeout(timer);
}
