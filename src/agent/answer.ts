import { RondoError, type RondoErrorCode } from "../error.ts";
import type { Outcome, RunResult } from "../loop/outcome.ts";
import type { LoopRun } from "../loop/run.ts";

const why: Record<Exclude<Outcome, "stop">, string> = {
  length: "The reply was cut by its length limit before it was finished; raise maxOutputTokens or ask for less.",
  empty: "The model finished without any text.",
  undecided: "The model gave no valid decision or output.",
  refusal: "The model refused to answer, or a content filter stopped it.",
  error: "The run failed.",
  aborted: "The run was aborted.",
  timeout: "The run's time was up; raise timeoutMs or ask for less.",
  stuck: "The model kept repeating the same calls.",
  max_iterations: "The limit on rounds was reached without an answer; raise maxIterations.",
  max_tool_calls: "The limit on tool calls was reached without an answer; raise limits.toolCalls.",
  max_tokens: "The limit on tokens was reached without an answer; raise limits.totalTokens.",
  max_cost: "The limit on cost was reached without an answer; raise limits.cost.",
  diverged: "The recorded run and the code do not fit together.",
};

/** What `exec` comes to: the value of a run that has one, else an error whose code is the outcome. */
export function answerOf<V>(result: RunResult, { pick, input }: LoopRun): V {
  const { outcome, text, error } = result;
  const { atLimit, wanted } = input.config;
  if ("value" in result) return result.value as V;
  // Who asks to stop at the limit gets the last text, even if there is none.
  if (atLimit === "stop" && wanted === undefined && outcome.startsWith("max_")) return text as V;
  // What a picked function threw is not ours to wrap.
  if (outcome === "error" && pick?.ended && "thrown" in pick.ended) throw pick.ended.thrown;
  throw new RondoError(outcome as RondoErrorCode, error?.message ?? why[outcome as keyof typeof why], {
    result,
    ...(error && { cause: error }),
  });
}
