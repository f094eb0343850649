import { AsyncLocalStorage } from "node:async_hooks";
import type { Outgoing, Receipt } from "../host/host.ts";
import type { Emitter } from "../loop/emitter.ts";
import type { RunAmbient } from "../loop/input.ts";
import type { Ledger } from "../loop/limits.ts";
import type { LoopResult, Outcome } from "../loop/outcome.ts";
import type { RunView } from "../loop/reader.ts";
import type { LiveCall } from "../menu/call.ts";
import { KeptResults } from "../menu/kept-results.ts";
import type { Registry } from "../menu/registry.ts";
import type { ToolEntry } from "../menu/tool.ts";
import { addUsage, noUsage, type Usage } from "../message/usage.ts";
import type { Model } from "../model/model.ts";
import { CheckCall } from "./check-call.ts";
import type { Frame } from "./frame.ts";
import type { Approve } from "./options.ts";
import type { Grants, Policy } from "./policy.ts";
import type { Runtime } from "./runtime.ts";
import type { Ready } from "./start.ts";

/** What a run hands on to the runs that are begun inside its tools. */
export type Inherited = {
  /** That of the run, in the workspace of the one whose menu it has. */
  readonly runtime: Runtime;
  /** Absent for a method's scope that no run is around. */
  readonly model: Model | undefined;
  /** Id of the root run. */
  readonly rootId: string;
  /** Tools, their names resolved; `"full"`: everything in `registry`. */
  readonly entries: readonly ToolEntry[] | "full" | "none" | undefined;
  readonly registry: Registry | undefined;
  /** Where its request comes from, and those of the runs around it. */
  readonly sources: readonly string[];
  readonly allow: readonly (readonly string[])[];
  readonly deny: readonly string[];
  /** Names that a user has disabled, in any spelling. */
  readonly disabled: readonly string[];
  /** Names of tools whose calls need approval. */
  readonly asks: readonly string[];
  /** Absent for a method's scope that no run is around. */
  readonly policy: Policy | undefined;
  /** What was agreed to for the root. */
  readonly grants: Grants;
  /** Its model reads results without the secrets of the process; absent for a method's scope that no run is around. */
  readonly redact?: boolean;
  readonly signal: AbortSignal;
  readonly deadlineAt: number | undefined;
  readonly ledger: Ledger | undefined;
  /** `"own"`: each run asks the approver of its own runtime. */
  readonly approve: Approve | "own" | undefined;
  readonly emitter: Emitter;
  /** The method that it was begun in. */
  readonly frame: Frame | undefined;
  /** The run around. */
  readonly outer: RunScope | undefined;
};

/** A run as the code inside its tools sees it. */
export class RunScope implements RunAmbient {
  readonly inherited: Inherited;
  /** How the run ended, once it has, and whether it had what was asked for. */
  ended: Outcome | undefined;
  answered = false;
  /** Who reads its messages. */
  recipient: Recipient | undefined;
  /** What readers of the runs around are told from, where they have missed its events. */
  view: RunView | undefined;
  /** Of a root: what goes on inside it, by path; what has ended holds nothing. */
  runs: Map<string, RunScope | undefined> | undefined;
  /** Of a root: what was cut of results; see `kept`. */
  #kept: KeptResults | undefined;
  #nested: Usage = noUsage;
  /** What goes on inside, and when it has ended. */
  #inside: Map<RunScope, Promise<unknown>> | undefined;

  constructor(inherited: Inherited) {
    this.inherited = inherited;
  }

  get runtime(): Runtime {
    return this.inherited.runtime;
  }

  /** That of a run; only methods have none. */
  get policy(): Policy {
    return this.inherited.policy!;
  }

  enter<T>(call: LiveCall, body: () => T): T {
    const { frame } = this.inherited;
    return storage.run({ run: this, call, picked: false, frame, watch: undefined, base: undefined }, body);
  }

  check<T>(at: string, callId: string, body: () => T): T {
    return this.enter(new CheckCall(this.inherited, at, callId), body);
  }

  kept(): KeptResults {
    const root = rootOf(this);
    root.#kept ??= new KeptResults();
    return root.#kept;
  }

  /** A root run has ended: nobody reads on in what was cut. */
  forgetKept(): void {
    this.#kept = undefined;
  }

  /** Keeps in mind that something goes on inside, until it is done. */
  holds(one: RunScope, done: Promise<unknown>): void {
    this.#inside ??= new Map();
    this.#inside.set(one, done);
    const release = () => this.#inside?.delete(one);
    done.then(release, release);
  }

  ending(): Promise<unknown> | undefined {
    if (!this.#inside?.size) return undefined;
    const told = [...this.#inside].filter(([one]) => one.inherited.signal.aborted);
    return told.length > 0 ? Promise.allSettled(told.map(([, done]) => done)) : undefined;
  }

  /** What goes on inside, at any depth, in the order in which it was begun. */
  inside(): readonly RunView[] {
    const { path } = this.inherited.emitter;
    const views: RunView[] = [];
    for (const [at, one] of rootOf(this).runs ?? []) {
      if (one?.view && (path === "" || at.startsWith(`${path}/`))) views.push(one.view);
    }
    return views;
  }

  /** Counts what was used here to the run around. */
  reportUsage(usage: Usage): void {
    this.inherited.outer?.receiveUsage(usage);
  }

  /** Takes what a run inside has used; it is counted when its call ends. */
  receiveUsage(usage: Usage): void {
    // Behind its own end nobody takes it here any more.
    if (this.ended !== undefined) this.reportUsage(usage);
    else this.#nested = addUsage(this.#nested, usage);
  }

  takeUsage(): Usage {
    const usage = this.#nested;
    this.#nested = noUsage;
    return usage;
  }
}

/** The root that a run is inside of, or is. */
export function rootOf(run: RunScope): RunScope {
  let at = run;
  while (at.inherited.outer) at = at.inherited.outer;
  return at;
}

/** A run, or a method that is watched, as whoever sends to it knows it. */
export type Recipient = { send(message: Outgoing): Receipt };

/** What goes on inside the root that a run is inside of, by path. */
export function runsOf(run: RunScope): Map<string, RunScope | undefined> {
  const root = rootOf(run);
  root.runs ??= new Map();
  return root.runs;
}

/** Where a piece of code runs. */
export type Scope = {
  /** The run around; absent in a method that is called as code outside of any run. */
  readonly run: RunScope | undefined;
  /** The call that it is the body of, whoever calls. */
  readonly call: LiveCall;
  /** The call is that of a method. */
  picked: boolean;
  /** The innermost method. */
  readonly frame: Frame | undefined;
  /** Told of the runs that are begun directly in it. */
  readonly watch: Watch | undefined;
  /** The runtime of the outermost method, where there is no run. */
  readonly base: Runtime | undefined;
};

/** Somebody who follows the runs that are begun directly in a scope. */
export type Watch = {
  began(run: Ready): void;
  ended(run: Ready, result: LoopResult): void;
};

const storage = new AsyncLocalStorage<Scope>();

/** Runs a function in a scope. */
export function inScope<T>(scope: Scope, body: () => T): T {
  return storage.run(scope, body);
}

/** The scope around the code that asks, if it runs inside a tool. */
export function currentScope(): Scope | undefined {
  return storage.getStore();
}

/** The runtime of the run around the code that asks, or of the method around it where there is no run. */
export function runtimeAround(): Runtime | undefined {
  const scope = storage.getStore();
  return scope?.run?.runtime ?? scope?.base;
}
