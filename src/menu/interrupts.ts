/** Somebody who waits, and can be told to stop. */
export type Stoppable = { stop(): void };

/**
 * Those who stop waiting when a run is ended. One listener on the run's signal serves them all: a listener for each call
 * would cost more than the call. There are few at a time, so a list will do.
 */
export class Interrupts {
  readonly #signal: AbortSignal;
  readonly #waiting: Stoppable[] = [];
  #listening = false;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  get reason(): unknown {
    return this.#signal.reason;
  }

  /** Has it stopped when the run is ended, or at once if it has been. */
  add(one: Stoppable): void {
    if (this.#signal.aborted) one.stop();
    else this.#waiting.push(one);
    if (this.#listening || this.#signal.aborted) return;
    this.#listening = true;
    this.#signal.addEventListener("abort", () => this.#fire(), { once: true });
  }

  delete(one: Stoppable): void {
    const place = this.#waiting.lastIndexOf(one);
    if (place >= 0) this.#waiting.splice(place, 1);
  }

  #fire(): void {
    for (const one of this.#waiting.splice(0)) one.stop();
  }
}

/** What the work comes to, or undefined if the run is ended first: what it comes to then is dropped. */
export function unlessInterrupted<T>(interrupts: Interrupts, work: Promise<T> | T): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const waiting: Stoppable = { stop: () => resolve(undefined) };
    interrupts.add(waiting);
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => interrupts.delete(waiting));
  });
}
