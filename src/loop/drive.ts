import { RondoError } from "../error.ts";
import type { Lost, Recorded } from "../host/host.ts";
import { type ToolCall, textOf } from "../message/message.ts";
import { withoutSecrets } from "../message/redact.ts";
import { isError, thrownMessage } from "../message/thrown-text.ts";
import { addedByStep } from "./added.ts";
import { begun } from "./apply.ts";
import { ask, replied } from "./ask.ts";
import { decide, isForced } from "./decide.ts";
import { wasRepeated } from "./guard.ts";
import type { LoopResult } from "./outcome.ts";
import { type Ran, resultOf, runCalls, settle } from "./picks.ts";
import type { Replied } from "./prepare-reply.ts";
import { approval, callback, close, delivered, drain, take } from "./queues.ts";
import { account, closeRound, enter, enterResult, type LoopRun, warn } from "./run.ts";
import { endDecision, runPick } from "./run-pick.ts";
import type { State, Step } from "./state.ts";
import { endedText, interruptedText, undecidedText } from "./texts.ts";
import { toldError } from "./told-error.ts";
import { turnDue } from "./turns.ts";

/**
 * Runs the loop to its end: asks `decide` for the next step, performs it through the host, folds what came of it into
 * the state. Never rejects; a host that fails ends the run with the outcome `error`.
 */
export function drive(run: LoopRun): Promise<LoopResult> {
  const { emitter, prompt, warnings } = run.input;
  run.begun = true;
  emitter.emit({ type: "agent_start" });
  for (const { code, message } of warnings) warn(run, code, message);
  enter(run, [prompt]);
  return new Promise((resolve) => new Driver(run, resolve).advance());
}

/**
 * Takes step after step. An object that is called back where there is something to wait for, and not an async function:
 * that would hold all its variables while it waits, for each of many runs, and waiting is what runs do most.
 */
class Driver {
  readonly #run: LoopRun;
  readonly #resolve: (result: LoopResult | Promise<LoopResult>) => void;
  /** The step that is waited for. */
  #step: Step | undefined;

  constructor(run: LoopRun, resolve: (result: LoopResult | Promise<LoopResult>) => void) {
    this.#run = run;
    this.#resolve = resolve;
  }

  advance(): void {
    const run = this.#run;
    try {
      for (;;) {
        look(run);
        const step = decide(run.state);
        if (step.do === "rest") break;
        const turn = step.do === "ask" || step.do === "run" ? turnDue() : undefined;
        if (turn) {
          // Nothing has been begun: the run may have been aborted when it comes back.
          turn.then(() => this.advance());
          return;
        }
        const before = run.state;
        run.state = begun(before, step);
        const came = perform(run, before, step);
        if (came instanceof Promise) {
          this.#step = step;
          came.then(this.#onward, this.#failed);
          return;
        }
        performed(run, step, came);
      }
      this.#end(undefined);
    } catch (thrown) {
      this.#failed(thrown);
    }
  }

  readonly #onward = (came: unknown): void => {
    try {
      performed(this.#run, this.#step!, came);
      this.advance();
    } catch (thrown) {
      this.#failed(thrown);
    }
  };

  readonly #failed = (failure: unknown): void => {
    try {
      abandon(this.#run);
      // Undefined is no failure, but may be what was thrown.
      this.#end(failure === undefined ? "undefined" : failure);
    } catch (thrown) {
      this.#resolve(Promise.reject(thrown));
    }
  };

  #end(failure: unknown): void {
    // What waits inside a call that never came to count would be waited for.
    this.#run.early?.keepOnly([]);
    // What was told to end with it, or before, ends first: its own end is the last that is told.
    const inside = this.#run.input.ambient.ending();
    if (inside) {
      inside.then(() => this.#end(failure));
      return;
    }
    try {
      this.#resolve(finish(this.#run, failure));
    } catch (thrown) {
      this.#resolve(Promise.reject(thrown));
    }
  }
}

/** A signal that has fired makes a look into the inbox due, once. */
function look(run: LoopRun): void {
  if (run.signalSeen || !run.input.open.host.signal.aborted) return;
  run.signalSeen = true;
  run.state = { ...run.state, signalled: true };
}

/**
 * Performs a step; returns a promise only where there is something to wait for. What asking the model and running one call
 * come to is for `performed`; the others see to that themselves.
 */
function perform(run: LoopRun, before: State, step: Step): unknown {
  switch (step.do) {
    case "ask":
      if (step.notice !== undefined)
        enter(run, addedByStep(before, step), step.kind === "closing" ? "closing" : "reask");
      return ask(run, step);
    case "run":
      return runCalls(run, before.next, step.to);
    case "answer":
      answer(run, before, step);
      return undefined;
    case "finish":
      answer(run, before, step);
      closeRound(run);
      return close(run);
    case "enter":
      enter(run, addedByStep(before, step));
      return delivered(run, before.pending);
    case "notice":
      enter(run, addedByStep(before, step));
      return undefined;
    case "drain":
      return drain(run, step.kinds);
    case "steering":
    case "followUps":
      return callback(run, step.do);
    case "approve":
      return approval(run);
    case "take":
      return take(run);
    case "close":
      return close(run);
    case "decide":
      return runPick(run);
    default:
      return undefined;
  }
}

/** Behind a step: takes in what came, ends the round if that was its last call, says what a caller should hear about. */
function performed(run: LoopRun, step: Step, came: unknown): void {
  if (came && step.do === "ask") replied(run, step, came as Recorded<Replied> | Lost);
  else if (came && step.do === "run") settle(run, run.state.next, came as Ran);
  closeRound(run);
  const { state } = run;
  switch (step.do) {
    case "ask":
      if (step.limit) warn(run, "limit", `The run has reached its limit: ${step.limit}.`);
      return;
    case "end":
      if (step.outcome.startsWith("max_") && state.closing === undefined) {
        warn(run, "limit", `The run has reached its limit: ${step.outcome}.`);
      }
      return;
    case "run":
    case "answer":
      warnOfRepeats(run);
      return;
    case "take":
    case "close":
      if (isForced(state) && !state.choiceMet && !run.choiceWarned) {
        run.choiceWarned = true;
        warn(run, "tool_choice", "A tool call was required and the model answered with text.");
      }
  }
}

const repeats = 5;

function warnOfRepeats(run: LoopRun): void {
  const { guard } = run.state;
  const before = run.repeated;
  run.repeated = wasRepeated(guard, repeats);
  if (before || !run.repeated) return;
  const what = guard.last?.call.name;
  warn(run, "repeated", `The same call came ${repeats} times in a row, or in an alternation of two: ${what}.`);
}

/** Answers calls that are not run. */
function answer(run: LoopRun, before: State, step: Step): void {
  addedByStep(before, step).forEach((result, i) => {
    if (result.role === "tool") enterResult(run, before.calls[before.next + i]!.call, result, false);
  });
}

const unknownResult = (call: ToolCall) =>
  resultOf(call, { content: [{ type: "text", text: interruptedText }], isError: true });

/** Leaves a valid history behind a host that failed: nothing is asked of it any more. */
function abandon(run: LoopRun): void {
  const before = { ...run.state, outcome: "error" as const };
  const { calls, next } = before;
  const unknown = run.started.map(unknownResult);
  const rest = { ...before, next: next + unknown.length };
  for (const [i, result] of unknown.entries()) enterResult(run, calls[next + i]!.call, result, true);
  if (run.decision && !run.decision.result) endDecision(run, unknownResult(run.decision.call));
  run.started = [];
  run.state = { ...begun(rest, { do: "finish" }), finished: true };
  answer(run, rest, { do: "finish" });
  closeRound(run);
}

function finish(run: LoopRun, failure: unknown): LoopResult {
  const { history, emitter } = run.input;
  const { outcome = "error", undelivered, rounds, pending } = run.state;
  run.asking?.control.abort();
  run.collector = undefined;
  account(run, run.input.ambient.takeUsage(), true);
  const result: LoopResult = {
    outcome,
    text: run.lastReply ? textOf(run.lastReply) : "",
    usage: run.usage,
    messages: history.slice(run.start),
    undelivered: failure === undefined ? undelivered : [...undelivered, ...pending.map(({ message }) => message)],
    rounds,
    ...errorOf(run, failure),
  };
  const { error, ...told } = result;
  const failed = error && { error: toldError(error) };
  run.end = emitter.end({ type: "agent_end", ...told, ...failed });
  return result;
}

/** What a picked function threw, as it is if it is an error. */
function errorLike(thrown: unknown): Error {
  if (isError(thrown)) return thrown;
  return new RondoError("error", `The picked function threw ${thrownMessage(thrown)}`, { cause: thrown });
}

function errorOf({ state, failure: model, thrown, pick, lastReply }: LoopRun, failure: unknown): { error?: Error } {
  const { outcome, abortReason } = state;
  if (failure !== undefined) {
    if (RondoError.isInstance(failure)) return { error: failure };
    const message = withoutSecrets(`The host of the run failed: ${thrownMessage(failure)}`);
    return { error: new RondoError("host", message, { cause: failure }) };
  }
  if ((outcome === "aborted" || outcome === "timeout") && abortReason) {
    return { error: new RondoError(outcome, endedText(outcome, abortReason)) };
  }
  if (outcome === "undecided") return { error: new RondoError("undecided", undecidedText(state, lastReply)) };
  if (outcome !== "error" && outcome !== "refusal") return {};
  if (pick?.ended && "thrown" in pick.ended) return { error: errorLike(pick.ended.thrown) };
  if (pick?.ended && "failed" in pick.ended) return { error: new RondoError("error", pick.ended.failed) };
  if (!model) return outcome === "error" ? { error: new RondoError("error", "The model's reply failed.") } : {};
  const where = model.status === undefined ? model.kind : `${model.kind}, HTTP ${model.status}`;
  return {
    error: new RondoError(outcome, withoutSecrets(`The model's request failed (${where}): ${model.message}`), {
      cause: thrown,
    }),
  };
}
