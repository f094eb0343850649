/**
 * Those who stop waiting when a run is ended. One listener on the run's signal serves them all: a listener for each call
 * would cost more than the call.
 */
export type Interrupts = {
  readonly aborted: boolean;
  readonly reason: unknown;
  add(stop: () => void): void;
  delete(stop: () => void): void;
};

export function interruptsOf(signal: AbortSignal): Interrupts {
  const waiting = new Set<() => void>();
  let listening = false;
  return {
    get aborted() {
      return signal.aborted;
    },
    get reason() {
      return signal.reason;
    },
    add(stop) {
      if (signal.aborted) return stop();
      waiting.add(stop);
      if (listening) return;
      listening = true;
      signal.addEventListener(
        "abort",
        () => {
          for (const one of [...waiting]) one();
          waiting.clear();
        },
        { once: true },
      );
    },
    delete(stop) {
      waiting.delete(stop);
    },
  };
}

/** What the work comes to, or undefined if the run is ended first: what it comes to then is dropped. */
export function unlessInterrupted<T>(interrupts: Interrupts, work: Promise<T> | T): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(undefined);
    interrupts.add(stop);
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => interrupts.delete(stop));
  });
}
