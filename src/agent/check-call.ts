import type { LiveCall, NestedRun } from "../menu/call.ts";
import type { Json } from "../message/json.ts";
import { joined } from "./method-call.ts";
import type { Runtime } from "./runtime.ts";
import type { Inherited } from "./scope.ts";

/** The context of code that is asked about a call before that runs: its schema, its rule of approval. */
export class CheckCall implements LiveCall {
  last: NestedRun | undefined;
  begun = 0;
  readonly attempt = 1;
  readonly maxResultChars = Number.POSITIVE_INFINITY;
  readonly callId: string;
  readonly deadline?: number;
  readonly #run: Inherited;
  readonly #at: string;

  constructor(run: Inherited, at: string, callId: string) {
    this.#run = run;
    this.#at = at;
    this.callId = callId;
    if (run.deadlineAt !== undefined) this.deadline = run.deadlineAt;
  }

  // Made when they are asked for: nearly all schemas begin nothing.
  get path(): string {
    return joined(this.#run.emitter.path, `${this.#at}/check`);
  }

  get idempotencyKey(): string {
    return `${this.#run.rootId}/${this.path}`;
  }

  get signal(): AbortSignal {
    return this.#run.signal;
  }

  get stopped(): boolean {
    return this.#run.signal.aborted;
  }

  /** It is given up with its run only, and runs inside follow that as it is. */
  onStop(): () => void {
    return () => {};
  }

  get update(): (progress: Json) => void {
    return () => {};
  }

  get runtime(): Runtime {
    return this.#run.runtime;
  }
}
