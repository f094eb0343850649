import { AsyncLocalStorage } from "node:async_hooks";
import type { Json } from "../message/json.ts";
import type { CallEnvironment, CallPlace, LiveCall, NestedRun } from "./call.ts";
import { ownGetter, type ToolContext } from "./context.ts";
import type { Stoppable } from "./interrupts.ts";
import { Progress } from "./progress.ts";

/** The context of one call. All that a tool is to see is its own: a copy with spread has it too. Nothing else is. */
export class CallContext implements LiveCall, Stoppable {
  readonly callId: string;
  readonly path: string;
  readonly attempt: number;
  readonly idempotencyKey: string;
  readonly maxResultChars: number;
  readonly update: (progress: Json) => void;
  readonly runtime: ToolContext["runtime"];
  declare readonly signal: AbortSignal;
  declare readonly deadline?: number;
  readonly #env: CallEnvironment;
  #last: NestedRun | undefined;
  #begun = 0;
  #control: AbortController | undefined;
  /** Runs the tool's listeners in the tool's own ambient context, whoever ends the call. */
  #inside: (<T>(body: () => T) => T) | undefined;
  #ended = false;
  #reason: unknown;
  #stops: Set<(reason: unknown) => void> | undefined;
  #progress: Progress | undefined;

  constructor(callId: string, { path, attempt, idempotencyKey }: CallPlace, max: number, env: CallEnvironment) {
    this.callId = callId;
    this.path = path;
    this.attempt = attempt;
    this.idempotencyKey = idempotencyKey;
    this.maxResultChars = max;
    this.update = (progress) => {
      if (this.#ended || !env.report.active) return;
      this.#progress ??= new Progress(callId, env.report);
      this.#progress.tell(progress);
    };
    this.runtime = env.ambient.runtime;
    this.#env = env;
    if (env.deadline !== undefined) this.deadline = env.deadline;
    ownGetter(this, "signal", CallContext.#signalOf);
  }

  /** Only made for tools that look at it: it costs as much as a call. */
  static readonly #signalOf = function (this: CallContext): AbortSignal {
    return this.#signal();
  };

  #signal(): AbortSignal {
    if (!this.#control) {
      this.#control = new AbortController();
      this.#inside = AsyncLocalStorage.snapshot();
      if (this.#reason !== undefined) this.#control.abort(this.#reason);
      else if (!this.#ended) this.#env.interrupts.add(this);
    }
    return this.#control.signal;
  }

  /** The run was ended: the signal fires at once, also while the tool has not yet returned its promise. */
  stop(): void {
    this.#abort(this.#env.interrupts.reason ?? "aborted");
  }

  get confirmed(): Promise<boolean> | undefined {
    return this.#env.confirmed;
  }

  get stopped(): boolean {
    return this.#reason !== undefined;
  }

  onStop(stop: (reason: unknown) => void): () => void {
    if (this.#reason !== undefined) stop(this.#reason);
    this.#stops ??= new Set();
    this.#stops.add(stop);
    return () => this.#stops?.delete(stop);
  }

  #abort(reason: unknown): void {
    this.#inside?.(() => this.#control?.abort(reason));
  }

  get last(): NestedRun | undefined {
    return this.#last;
  }

  set last(run: NestedRun | undefined) {
    this.#last = run;
  }

  get begun(): number {
    return this.#begun;
  }

  set begun(count: number) {
    this.#begun = count;
  }

  get over(): boolean {
    return this.#ended;
  }

  /** The call is over for the loop: what the tool still says is dropped. False if it was over before. */
  end(reason?: unknown): boolean {
    if (this.#ended) return false;
    this.#progress?.end();
    this.#ended = true;
    this.#reason = reason;
    if (this.#control) this.#env.interrupts.delete(this);
    if (reason !== undefined) {
      this.#abort(reason);
      for (const stop of this.#stops ?? []) stop(reason);
    }
    return true;
  }
}
