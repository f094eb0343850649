import { type Prepared, prepareCall, unprepared } from "../menu/prepare.ts";
import type { AssistantContent, AssistantMessage } from "../message/message.ts";
import { callsOf } from "../message/message.ts";
import { collect } from "../model/collect.ts";
import type { ModelEvent, ModelFailure, ModelRequest } from "../model/model.ts";
import { account, budgetOf, labelOf, type LoopRun, warn } from "./run.ts";
import { apply } from "./apply.ts";
import { added } from "./added.ts";
import type { Judged, LoopRecord, Step } from "./state.ts";
import type { Verdict } from "../menu/verdict.ts";

type Ask = Extract<Step, { do: "ask" }>;
type Streamed = { readonly message: AssistantMessage; readonly error?: ModelFailure };
type Replied = Streamed & { readonly verdicts: readonly Verdict[]; readonly judged?: Judged };

/** Asks the model once: streams the reply, prepares its calls, records both, and puts the reply into the history. */
export async function ask(run: LoopRun, step: Ask): Promise<void> {
  const { open, emitter, path, runId } = run.input;
  run.asked = step;
  run.results = [];
  const round = labelOf(run);
  if (emitter.active) {
    emitter.emit({ type: "round_start", round });
    emitter.emit({ type: "message_start", role: "assistant", round });
  }
  const key = `${path || runId}/${run.state.requests}`;
  const recorded = await open.host.step<Replied>(key, { onLost: "rerun" }, async () => {
    const streamed = await stream(run, step);
    return prepare(run, step, streamed);
  });
  const { message, verdicts, judged, error } = "value" in recorded ? recorded.value : lost(run, recorded.lost.attempts);
  for (const { id } of callsOf(message)) run.callIds.add(id);
  run.collector = undefined;
  run.lastReply = message;
  run.failure = error;
  account(run, message.usage);
  const record: LoopRecord = {
    at: recorded.at, type: "reply", message, verdicts, ...(judged && { judged }), ...budgetOf(run),
  };
  run.state = apply(run.state, record, step);
  for (const entry of added(record)) run.input.history.push(entry);
  if (emitter.active) emitter.emit({ type: "message_end", message, round });
}

function lost(run: LoopRun, attempts: number): Replied {
  const message = `The request was lost ${attempts} times and is not sent again.`;
  const empty: AssistantMessage = { ...collect(run.input.model.id).message("error"), stopReason: "error" };
  return { message: empty, verdicts: [], error: { kind: "unknown", message } };
}

/**
 * Reads the reply to its end. Does not wait for a model that ignores the signal, and takes a throw as a failure and a
 * stream that just ends as a cut reply.
 */
function stream(run: LoopRun, step: Ask): Promise<Streamed> {
  const { model, menu, history, request, open } = run.input;
  const { signal } = open.host;
  const collector = collect(model.id);
  run.collector = collector;
  const asked: ModelRequest = { ...request, messages: history, tools: menu.declared, toolChoice: step.choice };
  return new Promise((resolve) => {
    let over = false;
    const end = (streamed: Streamed) => {
      if (over) return;
      over = true;
      run.interrupts.delete(abort);
      resolve(streamed);
    };
    const abort = () =>
      end({ message: collector.message("aborted"), error: { kind: "aborted", message: "The request was aborted." } });
    const read = async () => {
      for await (const event of model.stream(asked, signal)) {
        if (over) return;
        collector.push(event);
        if (event.type === "end") return end(event);
        tell(run, event);
      }
      end({ message: collector.message("length") });
    };
    run.interrupts.add(abort);
    if (over) return;
    read().catch((thrown: unknown) => {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      end({ message: collector.message("error"), error: { kind: "unknown", message } });
    });
  });
}

function tell(run: LoopRun, event: Exclude<ModelEvent, { type: "end" }>): void {
  const { emitter, onRetry } = run.input;
  if (event.type === "text") emitter.text(event.delta);
  if (event.type === "retry") {
    try {
      onRetry?.(event);
    } catch (thrown) {
      warn(run, "on_retry", `onRetry threw: ${String(thrown)}`);
    }
  }
  if (!emitter.active) return;
  if (event.type === "retry" || event.type === "warning") emitter.emit({ ...event });
  else emitter.emit({ type: "message_update", update: event });
}

/** Makes the reply fit for history and finds out what is to be known of its calls: all of it inside the model's step. */
async function prepare(run: LoopRun, step: Ask, { message: streamed, error }: Streamed): Promise<Replied> {
  const { menu, approve, judge, costOf, config } = run.input;
  const message = withCost(mended(run, streamed), costOf);
  const calls = message.content.length === 0 ? [] : callsOf(message);
  const mayRun = step.choice !== "none" && (message.stopReason === "stop" || message.stopReason === "tool_calls" || message.stopReason === "pause");
  const preparing = { menu, choice: config.toolChoice, canApprove: approve !== undefined };
  const prepared: Prepared[] = [];
  for (const call of calls) {
    const one = mayRun ? prepareCall(call, preparing) : unprepared(call, preparing);
    prepared.push(one instanceof Promise ? await one : one);
  }
  run.prepared = prepared;
  const textOnly = step.choice === "none" || calls.length === 0;
  const judged = judge && textOnly ? await judge(message) : undefined;
  return {
    message,
    verdicts: prepared.map(({ verdict }) => verdict),
    ...(judged && { judged }),
    ...(error && { error }),
  };
}

function withCost(message: AssistantMessage, costOf: LoopRun["input"]["costOf"]): AssistantMessage {
  if (!costOf || message.usage.cost !== undefined) return message;
  return { ...message, usage: { ...message.usage, cost: costOf(message.usage) } };
}

/** The same message if nothing is wrong with it: ids that are missing or taken, missing names, broken text. */
function mended(run: LoopRun, message: AssistantMessage): AssistantMessage {
  const dropPartial = message.stopReason === "aborted" || message.stopReason === "error" || message.stopReason === "refusal";
  let content: AssistantContent[] | undefined;
  const seen = new Set<string>();
  message.content.forEach((part, i) => {
    const good = mendedPart(run, part, i, seen);
    if (dropPartial && part.type === "tool_call" && part.partial) content ??= message.content.slice(0, i);
    else if (content) content.push(good);
    else if (good !== part) content = [...message.content.slice(0, i), good];
  });
  return content ? { ...message, content } : message;
}

function mendedPart(run: LoopRun, part: AssistantContent, index: number, seen: Set<string>): AssistantContent {
  if (part.type !== "tool_call") return part.text.isWellFormed() ? part : { ...part, text: part.text.toWellFormed() };
  let { id } = part;
  for (let n = 0; id === "" || seen.has(id) || run.callIds.has(id); n++) {
    id = `call_${run.state.requests}_${index}${n > 0 ? `_${n}` : ""}`;
  }
  seen.add(id);
  const name = part.name === "" ? "unnamed" : part.name;
  const raw = part.arguments.toWellFormed();
  return id === part.id && name === part.name && raw === part.arguments ? part : { ...part, id, name, arguments: raw };
}
