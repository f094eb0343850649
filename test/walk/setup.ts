import type { ExecOptions } from "../../src/agent/options.ts";
import type { Arrival, Letter, ToolLetter } from "./letters.ts";

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

/** Tokens and cost of every reply in the walk. */
export const tokensPerReply = 10;
export const costPerReply = 1;
