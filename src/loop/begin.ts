import { freshGuard } from "./guard.ts";
import type { Budget, LoopConfig, State } from "./state.ts";

/** What is asked first at a drain point. */
export const firstDrain = (config: LoopConfig): "callback" | "inbox" => (config.asksSteering ? "callback" : "inbox");

/** What is asked first when the run would rest. */
export const firstRest = (config: LoopConfig): State["rest"] =>
  config.asksSteering ? "steering" : config.asksFollowUps ? "inbox" : "take";

/** A run before its first step. */
export function begin(config: LoopConfig, budget: Budget): State {
  return {
    config,
    budget,
    outcome: undefined,
    finished: false,
    ending: undefined,
    abortReason: undefined,
    signalled: false,
    rounds: 0,
    requests: 0,
    closing: undefined,
    reply: undefined,
    replyIsLast: false,
    calls: [],
    next: 0,
    approval: undefined,
    since: 0,
    drain: firstDrain(config),
    rest: firstRest(config),
    pending: [],
    pendingNow: false,
    choiceMet: false,
    choiceRepeated: false,
    reasked: 0,
    cuts: 0,
    pauses: 0,
    guard: freshGuard,
    picked: undefined,
    closed: false,
    undelivered: [],
  };
}
