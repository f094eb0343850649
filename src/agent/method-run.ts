import type { Receipt } from "../host/host.ts";
import type { AgentEvent } from "../loop/events.ts";
import type { RunResult } from "../loop/outcome.ts";
import type { Content } from "./content.ts";
import type { SendOptions } from "./options.ts";

/** Options of a method's `run`. */
export type MethodRunOptions = {
  /** Aborts it. */
  readonly signal?: AbortSignal;
};

/**
 * One invocation of a method, to watch and steer: it may hold no run of the loop, one or many. Not a promise: await
 * `result`.
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
  /** Ends everything inside; the outcome is `aborted`. */
  abort(reason?: string): void;
}
