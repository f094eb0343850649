import { AsyncLocalStorage } from "node:async_hooks";
import type { Emitter } from "../loop/emitter.ts";
import type { RunAmbient } from "../loop/input.ts";
import type { Ledger } from "../loop/limits.ts";
import type { Outcome } from "../loop/outcome.ts";
import type { ToolContext } from "../menu/context.ts";
import type { ToolEntry } from "../menu/tool.ts";
import { addUsage, noUsage, type Usage } from "../message/usage.ts";
import type { Model } from "../model/model.ts";
import type { Approve } from "./options.ts";
import type { Runtime } from "./runtime.ts";

/** What a run hands on to the runs that are begun inside its tools. */
export type Inherited = {
  readonly runtime: Runtime;
  readonly model: Model;
  /** Id of the root run. */
  readonly rootId: string;
  readonly entries: readonly ToolEntry[] | "full" | "none";
  readonly source: string | undefined;
  readonly allow: readonly (readonly string[])[];
  readonly deny: readonly string[];
  readonly signal: AbortSignal;
  readonly deadlineAt: number | undefined;
  readonly ledger: Ledger | undefined;
  readonly approve: Approve | undefined;
  readonly emitter: Emitter;
  /** The run around. */
  readonly outer: RunScope | undefined;
};

/** A run as the code inside its tools sees it. */
export class RunScope implements RunAmbient {
  readonly inherited: Inherited;
  /** How the run ended, once it has. */
  ended: Outcome | undefined;
  #nested: Usage = noUsage;

  constructor(inherited: Inherited) {
    this.inherited = inherited;
  }

  get runtime(): Runtime {
    return this.inherited.runtime;
  }

  enter<T>(call: ToolContext, body: () => T): T {
    return storage.run({ run: this, call, begun: 0 }, body);
  }

  /** Counts what was used here to the run around. */
  reportUsage(usage: Usage): void {
    const { outer } = this.inherited;
    if (outer) outer.#nested = addUsage(outer.#nested, usage);
  }

  takeUsage(): Usage {
    const usage = this.#nested;
    this.#nested = noUsage;
    return usage;
  }
}

/** Where a piece of code runs: inside this call of this run. `begun` counts the runs that it has begun. */
export type Scope = { readonly run: RunScope; readonly call: ToolContext; begun: number };

const storage = new AsyncLocalStorage<Scope>();

/** The scope around the code that asks, if it runs inside a tool. */
export function currentScope(): Scope | undefined {
  return storage.getStore();
}
