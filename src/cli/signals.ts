/** Two signals within this time are one key press: a package runner passes on what the terminal sent already. */
const samePressMs = 100;

/**
 * What a signal does: the first aborts, a later one kills. `now` is the clock in milliseconds.
 */
export function interrupts(
  abort: (signal: string) => void,
  kill: () => void,
  now: () => number,
): (signal: string) => void {
  let first: number | undefined;
  return (signal) => {
    if (first === undefined) {
      first = now();
      abort(signal);
    } else if (now() - first > samePressMs) {
      kill();
    }
  };
}

/** Listens to Ctrl-C, SIGTERM and a closing terminal for as long as the process lives. */
export function listenToSignals(onSignal: (signal: string) => void): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
}
