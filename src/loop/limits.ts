import type { LimitOutcome } from "./outcome.ts";
import type { Budget, State } from "./state.ts";

const used = (left: number | undefined) => left !== undefined && left <= 0;

/** The limit on calls, tokens or cost that is used up, if any. */
export function spent({ budget }: State): Exclude<LimitOutcome, "max_iterations"> | undefined {
  if (used(budget.toolCalls)) return "max_tool_calls";
  if (used(budget.tokens)) return "max_tokens";
  return used(budget.cost) ? "max_cost" : undefined;
}

/** The limit that forbids another round, if any. */
export function limitReached(state: State): LimitOutcome | undefined {
  return state.rounds >= state.config.maxRounds ? "max_iterations" : spent(state);
}

/** What calls, tokens and cost may still be used: one for a root run and everything nested in it. */
export type Ledger = {
  readonly limits: Budget;
  readonly spent: { toolCalls: number; tokens: number; cost: number };
  /** The ledger of the run around this one, which is drawn on too. */
  readonly parent?: Ledger;
};

/** A ledger of its own limits that also draws on its parent; without limits of its own it is the parent's. */
export function openLedger(limits: Budget, parent?: Ledger): Ledger | undefined {
  if (limits.toolCalls === undefined && limits.tokens === undefined && limits.cost === undefined) return parent;
  return { limits, spent: { toolCalls: 0, tokens: 0, cost: 0 }, ...(parent && { parent }) };
}

/** Whether this ledger or one around it has a limit on cost. */
export function limitsCost(ledger: Ledger | undefined): boolean {
  return ledger !== undefined && (ledger.limits.cost !== undefined || limitsCost(ledger.parent));
}

export function draw(ledger: Ledger | undefined, what: keyof Budget, amount: number): void {
  for (let at = ledger; at; at = at.parent) at.spent[what] += amount;
}

/** What is left over the whole chain: the least of each. */
export function left(ledger: Ledger): Budget {
  const budget: { -readonly [K in keyof Budget]: Budget[K] } = {};
  for (let at: Ledger | undefined = ledger; at; at = at.parent) {
    for (const key of ["toolCalls", "tokens", "cost"] as const) {
      const limit = at.limits[key];
      if (limit !== undefined) budget[key] = Math.min(budget[key] ?? Infinity, limit - at.spent[key]);
    }
  }
  return budget;
}
