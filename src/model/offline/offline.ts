import type { AssistantContent, AssistantMessage, StopReason } from "../../message/message.ts";
import { noUsage } from "../../message/usage.ts";
import type { Model, ModelEvent, ModelRequest } from "../model.ts";
import { type Situation, situationOf } from "./history.ts";
import { planOf } from "./plan.ts";
import { menuOf } from "./profile.ts";
import { reportOf } from "./report.ts";
import { waitingIn } from "./waiting.ts";

const id = "offline";

/**
 * The embedded model for when nothing is configured: no network, no weights, the same answer every time. It ranks the
 * tools of the request against what the user wrote, one clause at a time, fills arguments from the text guided by the
 * schemas, hands results on to later clauses, and ends with a report. It is not a language model, and says so.
 *
 * Usage is zero: nothing is tokenised and nothing is billed, so a limit on tokens never ends a run of it.
 *
 * @example
 * ```ts
 * await exec("Find the longest source file under src, then read its first lines.", { model: "offline" });
 * ```
 */
export function offline(): Model {
  return { id, supports: { tools: true, toolChoice: true, parallelToolCalls: false, images: false }, stream };
}

async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  if (signal.aborted) return yield end([], "aborted");
  const told = situationOf(request.messages, id);
  const waiting = waitingIn(told, request);
  const situation = settled(waiting?.situation ?? told, request);
  const tools = waiting?.tools ?? request.tools;
  const plan = planOf(situation, menuOf(tools), request.toolChoice);
  if (plan.next) yield* call(freshId(situation), plan.next.name, JSON.stringify(plan.next.arguments), signal);
  else if (waiting?.search) yield* call(freshId(situation), "tool_search", JSON.stringify(waiting.search), signal);
  else yield* say(reportOf(plan.entries, situation.stretches.slice(0, -1), tools), signal);
}

/**
 * A last request in which nothing may be picked comes with a message that nobody wrote as a task: then the work so far
 * is what there is to report.
 */
function settled(situation: Situation, request: ModelRequest): Situation {
  const { stretches } = situation;
  const rest = stretches.slice(0, -1);
  const closing =
    request.toolChoice === "none" && stretches.at(-1)?.done.length === 0 && rest.some(({ done }) => done.length > 0);
  return closing ? { ...situation, stretches: rest } : situation;
}

async function* call(callId: string, name: string, json: string, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  yield { type: "call_start", id: callId, name };
  for (const delta of pieces(json)) {
    if (signal.aborted) return yield end([], "aborted");
    yield { type: "call_delta", id: callId, delta };
  }
  if (signal.aborted) return yield end([], "aborted");
  yield { type: "call_end", id: callId };
  yield end([{ type: "tool_call", id: callId, name, arguments: json }], "tool_calls");
}

async function* say(text: string, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  let said = "";
  for (const delta of pieces(text)) {
    if (signal.aborted) return yield end(said === "" ? [] : [{ type: "text", text: said }], "aborted");
    said += delta;
    yield { type: "text", delta };
  }
  yield end([{ type: "text", text }], "stop");
}

/** A text in words, white space and all. */
function pieces(text: string): readonly string[] {
  return text.match(/\s*\S{1,32}\s*/gu) ?? [];
}

function end(content: readonly AssistantContent[], stopReason: StopReason): ModelEvent {
  const message: AssistantMessage = { role: "assistant", content, model: id, usage: noUsage, stopReason };
  return { type: "end", message };
}

function freshId({ ids }: Situation): string {
  let number = ids.size + 1;
  while (ids.has(`offline_${number}`)) number += 1;
  return `offline_${number}`;
}
