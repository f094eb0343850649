import type { LiveCall, NestedRun } from "../menu/call.ts";
import { ownGetter } from "../menu/context.ts";
import type { Json } from "../message/json.ts";
import type { Runtime } from "./runtime.ts";
import type { Scope } from "./scope.ts";

/** The context of a method that is called as code: what the call around it has, under a path of its own. */
export class MethodCall implements LiveCall {
  readonly callId: string;
  readonly path: string;
  readonly attempt = 1;
  /** What a method returns to code is not cut. */
  readonly maxResultChars = Number.POSITIVE_INFINITY;
  readonly idempotencyKey: string;
  readonly update: (progress: Json) => void;
  declare readonly signal: AbortSignal;
  declare readonly runtime: Runtime;
  declare readonly deadline?: number;
  #begun = 0;
  readonly #around: Scope | undefined;
  readonly #home: { runtime(): Runtime };
  readonly #signal: AbortSignal | undefined;

  /** `signal`: its own; else that of the call around. */
  constructor(around: Scope | undefined, home: { runtime(): Runtime }, signal?: AbortSignal) {
    this.#around = around;
    this.#home = home;
    this.#signal = signal;
    const call = around?.call;
    const ordinal = around?.run && around.call.begun++;
    this.callId = call?.callId ?? "";
    this.path = call && ordinal !== undefined ? joined(call.path, ordinal) : "";
    this.idempotencyKey = call && ordinal !== undefined ? `${call.idempotencyKey}/${ordinal}` : "";
    this.update = call?.update ?? ignored;
    const deadline = call?.deadline;
    if (deadline !== undefined) this.deadline = deadline;
    ownGetter(this, "signal", MethodCall.#signalOf);
    ownGetter(this, "runtime", MethodCall.#runtimeOf);
  }

  static readonly #signalOf = function (this: MethodCall): AbortSignal {
    return this.#signal ?? this.#around?.call.signal ?? neverAborted;
  };

  static readonly #runtimeOf = function (this: MethodCall): Runtime {
    return this.#home.runtime();
  };

  get begun(): number {
    return this.#begun;
  }

  set begun(count: number) {
    this.#begun = count;
  }

  get last(): NestedRun | undefined {
    return undefined;
  }

  /** A run that is begun in code is one of the call that the code belongs to; what has a signal of its own answers for itself. */
  set last(run: NestedRun | undefined) {
    if (this.#around && !this.#signal) this.#around.call.last = run;
  }

  get confirmed(): Promise<boolean> | undefined {
    return this.#around?.call.confirmed;
  }

  get stopped(): boolean {
    return this.#signal ? this.#signal.aborted : this.#around?.call.stopped === true;
  }

  /** With a signal of its own it is that of the scope, which runs inside follow as it is. */
  onStop(stop: (reason: unknown) => void): () => void {
    return (this.#signal ? undefined : this.#around?.call.onStop(stop)) ?? ignored;
  }
}

/** A path one step longer. */
export function joined(path: string, step: number | string): string {
  return path === "" ? String(step) : `${path}/${step}`;
}

const neverAborted = new AbortController().signal;
const ignored = () => {};
