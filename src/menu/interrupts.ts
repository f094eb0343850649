/** Somebody who waits, and can be told to stop. */
export type Stoppable = { stop(): void };

/** What ends a run. `whenSignalled`: stops one once the signal has fired, for less than a listener costs. */
export type Ending =
  | { readonly signal: AbortSignal; whenSignalled?(one: Stoppable): void }
  | { readonly signal: Pick<AbortSignal, "aborted" | "reason">; whenSignalled(one: Stoppable): void };

/**
 * Those who stop waiting when a run is ended. One listener on the run's signal serves them all: a listener for each call
 * would cost more than the call. There are few at a time, nearly always one, so a list behind the first will do.
 */
export class Interrupts implements Stoppable {
  readonly #ending: Ending;
  #first: Stoppable | undefined;
  #others: Stoppable[] | undefined;
  #listening = false;

  constructor(ending: Ending) {
    this.#ending = ending;
  }

  get reason(): unknown {
    return this.#ending.signal.reason;
  }

  /** Has it stopped when the run is ended, or at once if it has been. */
  add(one: Stoppable): void {
    if (this.#ending.signal.aborted) {
      one.stop();
      return;
    }
    if (this.#first === undefined) this.#first = one;
    else if (this.#others === undefined) this.#others = [one];
    else this.#others.push(one);
    if (this.#listening) return;
    this.#listening = true;
    const ending = this.#ending;
    if (ending.whenSignalled) ending.whenSignalled(this);
    else (ending.signal as AbortSignal).addEventListener("abort", () => this.stop(), { once: true });
  }

  delete(one: Stoppable): void {
    if (this.#first === one) {
      this.#first = undefined;
      return;
    }
    const place = this.#others?.lastIndexOf(one) ?? -1;
    if (place >= 0) this.#others?.splice(place, 1);
  }

  /** The run was ended: nobody waits any more. */
  stop(): void {
    const [first, others] = [this.#first, this.#others];
    this.#first = this.#others = undefined;
    first?.stop();
    if (others) for (const one of others) one.stop();
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
