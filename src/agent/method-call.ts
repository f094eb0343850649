import type { LiveCall, NestedRun } from "../menu/call.ts";
import type { Json } from "../message/json.ts";
import type { Runtime } from "./runtime.ts";
import type { Scope } from "./scope.ts";

/** The context of a method that is called as code: what the call around it has, under a path of its own. */
export class MethodCall implements LiveCall {
  last: NestedRun | undefined;
  begun = 0;
  readonly attempt = 1;
  readonly deadline?: number;
  readonly #around: Scope | undefined;
  readonly #ordinal: number;
  readonly #home: { runtime(): Runtime };
  readonly #signal: AbortSignal | undefined;

  /** `signal`: its own; else that of the call around. */
  constructor(around: Scope | undefined, home: { runtime(): Runtime }, signal?: AbortSignal) {
    this.#around = around;
    this.#home = home;
    this.#signal = signal;
    this.#ordinal = around?.run ? around.call.begun++ : 0;
    const deadline = around?.call.deadline;
    if (deadline !== undefined) this.deadline = deadline;
  }

  get signal(): AbortSignal {
    return this.#signal ?? this.#around?.call.signal ?? neverAborted;
  }

  get stopped(): boolean {
    return this.#signal ? this.#signal.aborted : this.#around?.call.stopped === true;
  }

  /** With a signal of its own it is that of the scope, which runs inside follow as it is. */
  onStop(stop: (reason: unknown) => void): () => void {
    return (this.#signal ? undefined : this.#around?.call.onStop(stop)) ?? ignored;
  }

  get callId(): string {
    return this.#around?.call.callId ?? "";
  }

  get path(): string {
    return this.#around?.run ? joined(this.#around.call.path, this.#ordinal) : "";
  }

  get idempotencyKey(): string {
    return this.#around?.run ? `${this.#around.call.idempotencyKey}/${this.#ordinal}` : "";
  }

  get update(): (progress: Json) => void {
    return this.#around?.call.update ?? ignored;
  }

  get runtime(): Runtime {
    return this.#home.runtime();
  }
}

/** A path one step longer. */
export function joined(path: string, step: number | string): string {
  return path === "" ? String(step) : `${path}/${step}`;
}

const neverAborted = new AbortController().signal;
const ignored = () => {};
