import type { ExecOptions } from "../../src/agent/options.ts";
import type { ApprovalLetter, Arrival, Callback, Letter, ToolLetter } from "./letters.ts";

/** What is walked: the options of the run, and what may happen in it. */
export type Setup = {
  readonly name: string;
  /** So many requests are answered with a reply of the alphabet; those behind them with text. */
  readonly rounds: number;
  readonly letters: readonly Letter[];
  readonly tools: readonly ToolLetter[];
  /** So many arrivals in one trace, at most. */
  readonly arrivals: number;
  readonly kinds: readonly Arrival[];
  /**
   * Where arrivals happen. `all`: before and behind every call of the host, at every delta, in every tool. `distinct`:
   * the same for aborts and deadlines; messages only right before the inbox is looked at, because a message lies in the
   * inbox unseen until then, wherever it came; and a tool is only slow where something can happen meanwhile. What
   * `distinct` leaves out is walked by the smaller setups with `all`. `few`: as `distinct`, but in a reply's stream only
   * before its first event; where in a stream an abort comes is walked by the setups with one arrival.
   */
  readonly points: "all" | "distinct" | "few";
  /** The host answers on a later microtask, not at once. */
  readonly lateHost?: boolean;
  /** The callbacks that the caller gives; each message of theirs, and each time that one throws, is one of the arrivals. */
  readonly callbacks?: readonly Callback[];
  /** What the approver may do; without it all but editing. */
  readonly approvals?: readonly ApprovalLetter[];
  /** How long an approval may take, in milliseconds. */
  readonly approvalMs?: number;
  /** The run that a tool begins which `nests`. */
  readonly inner?: Inner;
  /** A decision is wanted: replies whose text is "done" hold it, for others the model is asked again so many times. */
  readonly wanted?: number;
  readonly options: Pick<
    ExecOptions,
    | "maxIterations"
    | "atLimit"
    | "limits"
    | "toolExecution"
    | "toolChoice"
    | "toolChoiceScope"
    | "parallelToolCalls"
    | "stuck"
    | "timeoutMs"
  >;
};

/** A run inside a tool: what may happen in it. Its arrivals are taken from those of the run around it. */
export type Inner = Pick<Setup, "name" | "rounds" | "letters" | "tools" | "kinds" | "points" | "options">;

/** Tokens and cost of every reply in the walk. */
export const tokensPerReply = 10;
export const costPerReply = 1;
