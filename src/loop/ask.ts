import { unlessInterrupted } from "../menu/interrupts.ts";
import { type Prepared, type Preparing, prepareCall, unprepared } from "../menu/prepare.ts";
import type { Verdict } from "../menu/verdict.ts";
import type { AssistantMessage, ToolCall } from "../message/message.ts";
import { callsOf } from "../message/message.ts";
import { collect } from "../model/collect.ts";
import type { ModelEvent, ModelFailure, ModelRequest } from "../model/model.ts";
import { added } from "./added.ts";
import { apply } from "./apply.ts";
import { mended } from "./mend.ts";
import { account, budgetOf, type LoopRun, labelOf, warn } from "./run.ts";
import type { Judged, LoopRecord, Step } from "./state.ts";
import { tellReplyEnd, tellReplyStart, tellRoundStart, tellUpdate } from "./tell.ts";

type Ask = Extract<Step, { do: "ask" }>;
type Replied = {
  readonly message: AssistantMessage;
  readonly verdicts: readonly Verdict[];
  readonly judged: Judged | undefined;
  readonly error: ModelFailure | undefined;
};

const rerun = { onLost: "rerun" } as const;

/** Asks the model once: streams the reply, prepares its calls, records both, and puts the reply into the history. */
export async function ask(run: LoopRun, step: Ask): Promise<void> {
  const { open, emitter, history } = run.input;
  run.asked = step;
  run.results = [];
  const round = labelOf(run);
  tellRoundStart(emitter, round);
  tellReplyStart(emitter, round);
  const recorded = await open.host.step<Replied>(`${run.key}/${run.state.requests}`, rerun, () => stream(run, step));
  const { message, verdicts, judged, error } = "value" in recorded ? recorded.value : lost(run, recorded.lost.attempts);
  run.collector = undefined;
  run.lastReply = message;
  run.failure = error;
  account(run, message.usage);
  const record: LoopRecord = { at: recorded.at, type: "reply", message, verdicts, judged, budget: budgetOf(run) };
  run.state = apply(run.state, record, step);
  for (const { call } of run.state.calls) run.callIds.add(call.id);
  for (const entry of added(record)) history.push(entry);
  tellReplyEnd(emitter, round, message);
}

function lost(run: LoopRun, attempts: number): Replied {
  const message = collect(run.input.model.id).message("error");
  const error: ModelFailure = {
    kind: "unknown",
    message: `The request was lost ${attempts} times and is not sent again.`,
  };
  return { message, verdicts: [], judged: undefined, error };
}

/**
 * Reads the reply to its end and prepares its calls. Does not wait for a model that ignores the signal, and takes a
 * throw as a failure and a stream that just ends as a cut reply.
 */
function stream(run: LoopRun, step: Ask): Promise<Replied> {
  const { model, menu, history, request, open } = run.input;
  const { signal } = open.host;
  const collector = collect(model.id);
  run.collector = collector;
  const asked: ModelRequest = { ...request, messages: history, tools: menu.declared, toolChoice: step.choice };
  return new Promise((resolve, reject) => {
    let over = false;
    const end = (message: AssistantMessage, error?: ModelFailure) => {
      if (over) return;
      over = true;
      run.interrupts.delete(abort);
      try {
        const replied = prepare(run, step, message, error);
        if (!(replied instanceof Promise)) return resolve(replied);
        unlessInterrupted(run.interrupts, replied).then(
          (ready) => resolve(ready ?? withoutCalls(run, message, error)),
          reject,
        );
      } catch (thrown) {
        reject(thrown);
      }
    };
    const abort = () => end(collector.message("aborted"), { kind: "aborted", message: "The request was aborted." });
    const read = async () => {
      for await (const event of model.stream(asked, signal)) {
        if (over) return;
        if (event.type === "end") return end(event.message, event.error);
        collector.push(event);
        tell(run, event);
      }
      end(collector.message("length"));
    };
    run.interrupts.add(abort);
    if (over) return;
    read().catch((thrown: unknown) => {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      run.thrown = thrown;
      end(collector.message("error"), { kind: "unknown", message });
    });
  });
}

/** The reply of a run that was ended while its calls were being prepared: none of them will run. */
function withoutCalls(run: LoopRun, streamed: AssistantMessage, error: ModelFailure | undefined): Replied {
  const message = mended(run, streamed);
  run.prepared = callsOf(message).map((call) =>
    unprepared(call, { menu: run.input.menu, choice: "auto", canApprove: false }),
  );
  return { message, verdicts: run.prepared.map(({ verdict }) => verdict), judged: undefined, error };
}

function tell(run: LoopRun, event: Exclude<ModelEvent, { type: "end" }>): void {
  const { emitter, onRetry } = run.input;
  if (event.type === "text") emitter.text(event.delta);
  else if (event.type === "retry" && onRetry) {
    try {
      onRetry(event);
    } catch (thrown) {
      warn(run, "on_retry", `onRetry threw: ${String(thrown)}`);
    }
  }
  if (event.type === "retry" || event.type === "warning") emitter.emit(event);
  else tellUpdate(emitter, event);
}

/** Makes the reply fit for history and finds out what is to be known of its calls: all of it inside the model's step. */
function prepare(
  run: LoopRun,
  step: Ask,
  streamed: AssistantMessage,
  error: ModelFailure | undefined,
): Replied | Promise<Replied> {
  const { menu, approve, judge, config } = run.input;
  const message = mended(run, streamed);
  const calls = callsOf(message);
  const { stopReason: stop } = message;
  const mayRun = step.choice !== "none" && (stop === "stop" || stop === "tool_calls" || stop === "pause");
  const preparing: Preparing = { menu, choice: config.toolChoice, canApprove: approve !== undefined };
  const prepared = prepareAll(calls, mayRun, preparing);
  const finish = (ready: readonly Prepared[], judged: Judged | undefined): Replied => {
    run.prepared = ready;
    return { message, verdicts: ready.map(({ verdict }) => verdict), judged, error };
  };
  if (judge && (step.choice === "none" || calls.length === 0)) {
    return Promise.all([prepared, judge(message)]).then(([ready, judged]) => finish(ready, judged));
  }
  return prepared instanceof Promise ? prepared.then((ready) => finish(ready, undefined)) : finish(prepared, undefined);
}

function prepareAll(
  calls: readonly ToolCall[],
  mayRun: boolean,
  preparing: Preparing,
): readonly Prepared[] | Promise<readonly Prepared[]> {
  let waits = false;
  const all = calls.map((call) => {
    const prepared = mayRun ? prepareCall(call, preparing) : unprepared(call, preparing);
    waits ||= prepared instanceof Promise;
    return prepared;
  });
  return waits ? Promise.all(all) : (all as readonly Prepared[]);
}
