import type { Receipt } from "../host/host.ts";
import type { AgentEvent } from "../loop/events.ts";
import type { RunResult } from "../loop/outcome.ts";
import { checkNames, isRecord, mistake, shown } from "./check-options.ts";
import type { Content } from "./content.ts";
import type { SendOptions } from "./options.ts";

/** Options of a method's `run`. */
export type MethodRunOptions = {
  /** Aborts it; if it has fired already the body does not start. */
  readonly signal?: AbortSignal;
};

/** Throws `invalid_option` for options that do not exist or hold what they cannot hold. */
export function checkMethodRun(options: MethodRunOptions): void {
  if (!isRecord(options)) throw mistake(`The options of a method's run must be an object, not ${shown(options)}.`);
  checkNames(options, { signal: true } satisfies Record<keyof MethodRunOptions, true>, "option of a method's run");
  const { signal } = options;
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw mistake('"signal" must be an AbortSignal.');
}

/**
 * One invocation of a method, to watch and steer: it may hold no run of the loop, one or many. Those that its body begins
 * are directly in it, also in methods that it calls as code. Not a promise: await `result`.
 */
export interface MethodRun<V = unknown> extends AsyncIterable<AgentEvent> {
  readonly id: string;
  /**
   * What it comes to; never rejects. `value` is what the method returned and `usage` the sum of everything inside;
   * `text`, `messages` and `rounds` are those of the run that was begun last directly in it. `outcome` is `stop`, or the
   * code of what the method threw (`error` for what is no `RondoError`).
   */
  readonly result: Promise<RunResult<V>>;
  /** Text deltas of the runs that are begun directly in the method. */
  readonly text: AsyncIterable<string>;
  /**
   * Queues a message: for the run directly inside that is going on, else for the next one. If the method ends first it is
   * `undelivered`. `to` names a run anywhere inside by its path.
   */
  send(content: Content, options?: SendOptions): Receipt;
  /**
   * Ends everything inside and fires `ctx.signal`. The outcome is `aborted`, unless the body catches that and returns a
   * value at once; one that goes on is given up.
   */
  abort(reason?: string): void;
}
