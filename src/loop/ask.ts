import type { Awaitable, Lost, Recorded } from "../host/host.ts";
import { type AssistantMessage, textOf } from "../message/message.ts";
import { collect } from "../model/collect.ts";
import type { ModelFailure } from "../model/model.ts";
import { added } from "./added.ts";
import { apply } from "./apply.ts";
import type { Replied } from "./prepare-reply.ts";
import { Reading } from "./reading.ts";
import { account, budgetOf, type LoopRun, labelOf } from "./run.ts";
import type { Ask, LoopRecord } from "./state.ts";
import { tellReplyEnd, tellReplyStart, tellRoundStart } from "./tell.ts";

const rerun = { onLost: "rerun" } as const;

/** Asks the model once: streams the reply, prepares its calls and records both; `replied` is to be given what comes of it. */
export function ask(run: LoopRun, step: Ask): Awaitable<Recorded<Replied> | Lost> {
  run.asked = step;
  run.results = none;
  run.prepared = none;
  run.early = undefined;
  const round = labelOf(run);
  tellRoundStart(run.input.emitter, round);
  tellReplyStart(run.input.emitter, round);
  const key = `${run.key}/${run.state.requests}`;
  return run.input.open.host.step<Replied>(key, rerun, () => new Reading(run, step).begin());
}

const none: readonly never[] = [];

/** Puts a reply into the state and the history. */
export function replied(run: LoopRun, step: Ask, recorded: Recorded<Replied> | Lost): void {
  const { emitter, history } = run.input;
  const { message, verdicts, judged, error } = "value" in recorded ? recorded.value : lost(run, recorded.lost.attempts);
  const round = labelOf(run);
  if (emitter.heard) emitter.text(unstreamed(run, message));
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

/** What the reply says behind the text that was streamed: models may send their text with the end alone. */
function unstreamed({ collector }: LoopRun, message: AssistantMessage): string {
  const streamed = collector ? textOf(collector.message("stop")) : "";
  const whole = textOf(message);
  return whole.startsWith(streamed) ? whole.slice(streamed.length) : "";
}

function lost(run: LoopRun, attempts: number): Replied {
  const message = collect(run.input.model.id).message("error");
  const error: ModelFailure = {
    kind: "unknown",
    message: `The request was lost ${attempts} times and is not sent again.`,
  };
  return { message, verdicts: none, judged: undefined, error };
}
