import { AsyncLocalStorage } from "node:async_hooks";
import type { Emitter } from "../loop/emitter.ts";
import type { Ledger } from "../loop/limits.ts";
import type { Outcome } from "../loop/outcome.ts";
import type { ToolContext } from "../menu/context.ts";
import type { ToolEntry } from "../menu/tool.ts";
import { addUsage, noUsage, type Usage } from "../message/usage.ts";
import type { Model } from "../model/model.ts";
import type { Approve } from "./options.ts";
import type { Runtime } from "./runtime.ts";

/** What a run hands on to the runs that are begun inside its tools. */
export type RunScope = {
  readonly runtime: Runtime;
  /** Id of the root run. */
  readonly rootId: string;
  readonly model: Model;
  readonly entries: readonly ToolEntry[] | "full" | "none";
  readonly source: string | undefined;
  readonly allow: readonly (readonly string[])[];
  readonly deny: readonly string[];
  readonly signal: AbortSignal;
  readonly deadlineAt?: number;
  readonly ledger?: Ledger;
  readonly approve?: Approve;
  readonly emitter: Emitter;
  /** How the run ended, once it has. */
  ended?: Outcome;
  /** Usage of nested runs that the run has not counted yet. */
  nested: Usage;
};

/** Where a piece of code runs: inside this call of this run. `begun` counts the runs that it has begun. */
export type Scope = { readonly run: RunScope; readonly call: ToolContext; begun: number };

const storage = new AsyncLocalStorage<Scope>();

/** The scope around the code that asks, if it runs inside a tool. */
export function currentScope(): Scope | undefined {
  return storage.getStore();
}

export function inScope<T>(run: RunScope, call: ToolContext, body: () => T): T {
  return storage.run({ run, call, begun: 0 }, body);
}

/** Counts what a nested run has used to the run around it. */
export function reportUsage(run: RunScope, usage: Usage): void {
  run.nested = addUsage(run.nested, usage);
}

export function takeUsage(run: RunScope): Usage {
  const { nested } = run;
  run.nested = noUsage;
  return nested;
}
