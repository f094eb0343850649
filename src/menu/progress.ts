import type { Json } from "../message/json.ts";
import { progressJson } from "../message/progress-json.ts";
import { clearTimer, setTimer, type Timer } from "./timer.ts";

/** Who hears of the progress of calls. `active`: somebody does. */
export type ProgressReport = { readonly active: boolean; progress(callId: string, progress: Json): void };

/** So many updates of a call are told at once within so many milliseconds; of more, the newest when those are over. */
const mostAtOnce = 32;
const windowMs = 100;

/**
 * The updates of one call on their way out. A tool at a usual pace has each told at once, as it is then. Of one that
 * floods only the newest is held, as a reference, and told when the time is up or the call ends: work for some 330
 * updates a second, however many there are, and no memory. (A tool that never lets the event loop turn has no timer
 * fire, here as anywhere.)
 */
export class Progress {
  readonly #callId: string;
  readonly #report: ProgressReport;
  #count = 0;
  #began = 0;
  #newest: { readonly progress: unknown } | undefined;
  #timer: Timer | undefined;

  constructor(callId: string, report: ProgressReport) {
    this.#callId = callId;
    this.#report = report;
  }

  tell(progress: unknown): void {
    if (this.#timer) {
      this.#newest = { progress };
      return;
    }
    // The clock is only asked at the ends of a window: it costs as much as a good part of an update.
    if (this.#count === mostAtOnce) {
      const left = this.#began + windowMs - performance.now();
      if (left > 0) {
        this.#newest = { progress };
        this.#timer = setTimer(Math.ceil(left), () => this.#over());
        return;
      }
      this.#count = 0;
    }
    if (this.#count++ === 0) this.#began = performance.now();
    this.#pass(progress);
  }

  /** The call is over: what is held is told now or never. */
  end(): void {
    if (!this.#timer) return;
    clearTimer(this.#timer);
    this.#over();
  }

  #over(): void {
    const held = this.#newest;
    this.#timer = this.#newest = undefined;
    this.#count = 0;
    if (held) this.tell(held.progress);
  }

  #pass(progress: unknown): void {
    this.#report.progress(this.#callId, progressJson(progress));
  }
}
