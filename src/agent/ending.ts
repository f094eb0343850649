import type { OpenRun } from "../host/host.ts";

/** Ends the run when the signal fires: as late if its deadline has come, else as aborted. */
export function cancelOn(
  signal: AbortSignal | undefined,
  open: OpenRun,
  deadlineAt: number | undefined,
): (() => void) | undefined {
  if (!signal) return undefined;
  const cancel = () => cancelFor(signal.reason, open, deadlineAt);
  if (signal.aborted) {
    cancel();
    return undefined;
  }
  signal.addEventListener("abort", cancel, { once: true });
  return () => signal.removeEventListener("abort", cancel);
}

/** Ends the run: as late if its deadline has come, else as aborted. */
export function cancelFor(reason: unknown, open: OpenRun, deadlineAt: number | undefined): void {
  if (deadlineAt !== undefined && Date.now() >= deadlineAt) open.interrupt(reason);
  else open.cancel(said(reason));
}

/** What the platform and we say where nobody has given a reason. */
const unsaid: readonly string[] = ["This operation was aborted", "The run was aborted."];

/** A reason in words, where there is one. */
export function said(reason: unknown): string | undefined {
  const text = reason instanceof Error ? reason.message : reason;
  return typeof text === "string" && !unsaid.includes(text) ? text : undefined;
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
