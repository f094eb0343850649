import type { Message, UserMessage } from "../message/message.ts";
import type { Usage } from "../message/usage.ts";

/** The limits of a run that end with an answer by default. */
export type LimitOutcome = "max_iterations" | "max_tool_calls" | "max_tokens" | "max_cost";

/** How a run can end. `stop` is the normal end: the model finished with text. */
export const outcomes = [
  "stop",
  "length",
  "empty",
  "undecided",
  "refusal",
  "error",
  "aborted",
  "timeout",
  "stuck",
  "max_iterations",
  "max_tool_calls",
  "max_tokens",
  "max_cost",
  "diverged",
] as const;

/** How a run can end; see `outcomes`. */
export type Outcome = (typeof outcomes)[number];

/** What the loop itself knows of its end. */
export type LoopResult = {
  readonly outcome: Outcome;
  /** Text of the last reply; `""` if it had none. */
  readonly text: string;
  /** Tokens of every request of the run, nested runs included. */
  readonly usage: Usage;
  /** What the run added to the history, its prompt first. */
  readonly messages: readonly Message[];
  /** Messages that were accepted and that no request has read. */
  readonly undelivered: readonly UserMessage[];
  /** Rounds made; the closing request and re-asks are not rounds. */
  readonly rounds: number;
  /** What went wrong, for outcomes that are failures. */
  readonly error?: Error;
};

/**
 * What a run comes to. `run.result` resolves to it in every case and never rejects. `value` is there when the outcome
 * yields one: the text, or what `choices` or `output` make of it; behind `stop` always, at a limit if there was an answer.
 */
export type RunResult<V = unknown> = Omit<LoopResult, "outcome"> &
  (
    | { readonly outcome: "stop"; readonly value: V }
    | { readonly outcome: LimitOutcome; readonly value?: V }
    | { readonly outcome: Exclude<Outcome, "stop" | LimitOutcome>; readonly value?: never }
  );
