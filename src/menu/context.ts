import type { Runtime } from "../agent/runtime.ts";
import type { Json } from "../message/json.ts";

/** What a tool's `execute` gets beside its arguments. */
export type ToolContext = {
  /** Fires when the call is to end: the run was aborted, its deadline came, or the tool's own timeout. Made when first read. */
  readonly signal: AbortSignal;
  /** When the run's deadline comes, in milliseconds since 1970; absent without one. */
  readonly deadline?: number;
  /** The id of the call in the history. */
  readonly callId: string;
  /** Where the call stands: path of the run, round and index in the batch, joined by `/`. */
  readonly path: string;
  /** 1, or more when the step is done again after a crash. */
  readonly attempt: number;
  /** The same for every attempt at this call, different for every other call: hand it to services that know idempotency keys. */
  readonly idempotencyKey: string;
  /** Characters (UTF-16 units) of a result that are passed on whole; of a longer one the middle is left out. */
  readonly maxResultChars: number;
  /**
   * Reports progress: shows up as a `tool_update` event and nowhere else. Costs next to nothing while nobody reads. Of
   * a text over 20,000 characters the end is shown, behind a line that says how much was left out. 32 updates within
   * 100 ms are shown at once; of more, the newest when those are over or the call ends. So report how things stand, not
   * pieces to be joined.
   */
  update(progress: Json): void;
  /** The runtime of the run; its `workspace` is that of the runtime whose menu the tool is from. `ctx.runtime.exec` nests: it inherits menu, denials, deadline, budget and approver. */
  readonly runtime: Runtime;
};

// The cheapest way by far to an accessor that a copy with spread knows of.
const defineGetter = Reflect.get(Object.prototype, "__defineGetter__") as (name: string, getter: () => unknown) => void;

/** Gives an object a property of its own that is made when it is read. One getter for all objects of a kind, or each costs more. */
export function ownGetter(object: object, name: string, getter: () => unknown): void {
  defineGetter.call(object, name, getter);
}
