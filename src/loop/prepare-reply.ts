import { type Prepared, type Preparing, prepareCall, unprepared, type Within } from "../menu/prepare.ts";
import type { Verdict } from "../menu/verdict.ts";
import type { AssistantMessage, StopReason, ToolCall } from "../message/message.ts";
import { callsOf } from "../message/message.ts";
import { thrownMessage } from "../message/thrown-text.ts";
import type { ModelFailure } from "../model/model.ts";
import { each } from "./each.ts";
import type { EarlyStarts } from "./early.ts";
import type { Judgement } from "./input.ts";
import { mended } from "./mend.ts";
import { type LoopRun, warn } from "./run.ts";
import type { Ask, Judged } from "./state.ts";

/** What asking the model comes to: what is recorded of it. */
export type Replied = {
  readonly message: AssistantMessage;
  readonly verdicts: readonly Verdict[];
  readonly judged: Judged | undefined;
  readonly error: ModelFailure | undefined;
};

/** The reply of a run that was ended while its calls were being prepared: none of them will run. */
export function withoutCalls(run: LoopRun, streamed: AssistantMessage, error: ModelFailure | undefined): Replied {
  const message = mended(run, streamed);
  run.early?.keepOnly([]);
  run.prepared = callsOf(message).map((call) => unprepared(call, { menu: run.input.menu, choice: "auto" }));
  return repliedWith(run, message, run.prepared, undefined, error);
}

/** Makes the reply fit for history and finds out what is to be known of its calls: all of it inside the model's step. */
export function prepareReply(
  run: LoopRun,
  step: Ask,
  streamed: AssistantMessage,
  error: ModelFailure | undefined,
): Replied | Promise<Replied> {
  const { menu, approve, judge, config, ambient } = run.input;
  const message = mended(run, streamed);
  const calls = callsOf(message);
  const { stopReason: stop } = message;
  const mayRun = step.choice !== "none" && (stop === "stop" || stop === "tool_calls" || stop === "pause");
  const at = (call: ToolCall) => `${run.state.requests}/${calls.indexOf(call)}`;
  const within: Within | undefined =
    calls.length === 0 ? undefined : (call, body) => ambient.check(at(call), call.id, body);
  const preparing: Preparing = {
    menu,
    choice: config.toolChoice,
    canApprove: approve !== undefined,
    policy: ambient.policy,
    within,
  };
  const { early } = run;
  early?.keepOnly(mayRun ? calls : []);
  const prepared = prepareAll(calls, mayRun, preparing, early);
  if (judge && ended(stop) && (step.choice === "none" || calls.length === 0)) {
    const judged =
      stop === "length" ? cutShort(config.wanted) : ambient.check(String(run.state.requests), "", () => judge(message));
    return Promise.all([prepared, judged]).then(([all, said]) =>
      repliedWith(run, message, all, judgement(run, said), error),
    );
  }
  if (prepared instanceof Promise) return prepared.then((all) => repliedWith(run, message, all, undefined, error));
  return repliedWith(run, message, prepared, undefined, error);
}

function repliedWith(
  run: LoopRun,
  message: AssistantMessage,
  prepared: readonly Prepared[],
  judged: Judged | undefined,
  error: ModelFailure | undefined,
): Replied {
  run.prepared = prepared;
  for (const { tool, broken } of prepared) if (broken) warn(run, "approval", ruleThrew(tool!.name, broken.thrown));
  return { message, verdicts: each(prepared, verdictOf), judged, error };
}

/** Whether a reply came to an end of its own; what failed or was refused decides nothing. */
const ended = (stop: StopReason) => stop === "stop" || stop === "tool_calls" || stop === "length";

/** What is read out of a cut reply may be half of what was meant. */
function cutShort(wanted: string | undefined): Judgement {
  const reason = ["it was cut off before its end; make it shorter.", wanted].filter(Boolean).join("\n\n");
  return { judged: { valid: false, reason } };
}

function judgement(run: LoopRun, { judged, prepared }: Judgement): Judged {
  run.pick = prepared && { prepared };
  return judged;
}

const ruleThrew = (name: string, thrown: unknown) =>
  `requiresApproval of "${name}" failed, which denies the call: ${thrownMessage(thrown)}`;

const verdictOf = ({ verdict }: Prepared) => verdict;

function prepareAll(
  calls: readonly ToolCall[],
  mayRun: boolean,
  preparing: Preparing,
  early: EarlyStarts | undefined,
): readonly Prepared[] | Promise<readonly Prepared[]> {
  let waits = false;
  const all = each(calls, (call, i) => {
    const known = early?.preparedOf(call, i);
    const prepared = known ?? (mayRun ? prepareCall(call, preparing) : unprepared(call, preparing));
    waits ||= prepared instanceof Promise;
    return prepared;
  });
  return waits ? Promise.all(all) : (all as readonly Prepared[]);
}
