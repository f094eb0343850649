import type { CallEnvironment, CallOutcome } from "../menu/call.ts";
import { Interrupts, type Stoppable } from "../menu/interrupts.ts";
import type { Prepared } from "../menu/prepare.ts";
import type { ProgressReport } from "../menu/progress.ts";
import type { Json } from "../message/json.ts";
import type { ToolCall } from "../message/message.ts";
import type { LoopRun } from "./run.ts";

/**
 * One call that was begun before its reply had ended. It is the environment of its own body, which ends with the run or
 * when the call is given up and of which nothing is told before the call counts. One object, and what few tools ask for
 * is made when they do: most reading calls are over before their reply is.
 */
export class EarlyCall implements Stoppable, CallEnvironment, ProgressReport {
  readonly call: ToolCall;
  readonly index: number;
  readonly prepared: Prepared;
  readonly #run: LoopRun;
  /** Told once the call counts. */
  #held: Json[] | undefined;
  #counts: boolean | undefined;
  #confirmed: Confirmed | undefined;
  #interrupts: Interrupts | undefined;
  #ending: EarlyEnding | undefined;
  #outcome!: CallOutcome | Promise<CallOutcome>;

  constructor(run: LoopRun, call: ToolCall, index: number, prepared: Prepared) {
    this.#run = run;
    this.call = call;
    this.index = index;
    this.prepared = prepared;
  }

  /** Returns a promise where the work goes on, which settles when it is over. */
  begin(start: () => CallOutcome | Promise<CallOutcome>): Promise<unknown> | undefined {
    const { interrupts } = this.#run;
    interrupts.add(this);
    this.#outcome = start();
    if (this.#outcome instanceof Promise) return this.#outcome.then(() => interrupts.delete(this));
    interrupts.delete(this);
    return undefined;
  }

  adopt(): CallOutcome | Promise<CallOutcome> {
    const held = this.#held;
    this.#held = undefined;
    this.#count(true);
    if (held) for (const progress of held) this.progress(this.call.id, progress);
    return this.#outcome;
  }

  drop(): void {
    this.#held = undefined;
    this.#count(false);
    this.#end(this.#run.interrupts.reason ?? dropped);
    this.#run.interrupts.delete(this);
  }

  /** The run was ended. */
  stop(): void {
    this.#end(this.#run.interrupts.reason ?? "aborted");
  }

  #count(counts: boolean): void {
    this.#counts = counts;
    this.#confirmed?.resolve(counts);
  }

  /** The time that what it began had to wait until the call counted. */
  get waited(): Promise<number> | undefined {
    return this.#confirmed?.waited;
  }

  #end(reason: unknown): void {
    this.#endingOf().end(reason);
  }

  #endingOf(): EarlyEnding {
    this.#ending ??= new EarlyEnding();
    return this.#ending;
  }

  get interrupts(): Interrupts {
    this.#interrupts ??= new Interrupts(this.#endingOf());
    return this.#interrupts;
  }

  get confirmed(): Promise<boolean> {
    this.#confirmed ??= confirmedBy(this.#counts);
    return this.#confirmed.promise;
  }

  get report(): ProgressReport {
    return this;
  }

  get active(): boolean {
    return this.#run.environment.report.active;
  }

  /** As far back as a reader that lags is told. */
  progress(callId: string, progress: Json): void {
    if (this.#counts) this.#run.environment.report.progress(callId, progress);
    else if (this.#counts === undefined && !this.#ending?.signal.aborted) {
      this.#held ??= [];
      if (this.#held.length >= mostHeld) this.#held.shift();
      this.#held.push(progress);
    }
  }

  get deadline() {
    return this.#run.environment.deadline;
  }

  get ambient() {
    return this.#run.environment.ambient;
  }

  get maxResultChars() {
    return this.#run.environment.maxResultChars;
  }

  get interruptedText() {
    return this.#run.environment.interruptedText;
  }

  get redact() {
    return this.#run.environment.redact;
  }

  get pages() {
    return this.#run.environment.pages;
  }

  get cache() {
    return this.#run.environment.cache;
  }
}

type Confirmed = {
  readonly promise: Promise<boolean>;
  readonly waited: Promise<number>;
  readonly resolve: (counts: boolean) => void;
};

function confirmedBy(counts: boolean | undefined): Confirmed {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const since = performance.now();
  const waited = promise.then(() => performance.now() - since);
  if (counts !== undefined) resolve(counts);
  return { promise, waited, resolve };
}

/** The end of one early call, in the place of a signal: one of those costs as much as a round. */
class EarlyEnding {
  readonly signal: { aborted: boolean; reason: unknown } = { aborted: false, reason: undefined };
  #waiting: Stoppable | undefined;

  whenSignalled(one: Stoppable): void {
    this.#waiting = one;
  }

  end(reason: unknown): void {
    if (this.signal.aborted) return;
    this.signal.aborted = true;
    this.signal.reason = reason;
    this.#waiting?.stop();
  }
}

const mostHeld = 100;
const dropped = "The reply that this call came in was cut, lost or sent again: the call does not count.";
