import type { Message, UserMessage } from "../message/message.ts";
import type { Usage } from "../message/usage.ts";

/** The limits of a run that end with an answer by default. */
export type LimitOutcome = "max_iterations" | "max_tool_calls" | "max_tokens" | "max_cost";

/** How a run can end. `stop` is the normal end: the model finished with text. */
export type Outcome =
  | "stop"
  | "length"
  | "empty"
  | "undecided"
  | "refusal"
  | "error"
  | "aborted"
  | "timeout"
  | "stuck"
  | LimitOutcome
  | "diverged";

/** What a run comes to. `run.result` resolves to it in every case and never rejects. */
export type RunResult = {
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
