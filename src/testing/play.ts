import type { AssistantContent, AssistantMessage, StopReason } from "../message/message.ts";
import { noUsage, type Usage } from "../message/usage.ts";
import type { ModelEvent } from "../model/model.ts";
import type { ReplyObject } from "./script.ts";
import { pause } from "./unless-aborted.ts";

/** Streams one scripted reply as request number `index` (from 0) of the model `model`. */
export async function* play(
  reply: ReplyObject,
  index: number,
  model: string,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
  const events = eventsOf(reply, index);
  const sent: ModelEvent[] = [];
  const end = (stopReason: StopReason, usage: Usage = noUsage): ModelEvent => ({
    type: "end",
    message: messageOf(sent, model, stopReason, usage),
  });
  const aborted = (): ModelEvent => ({
    ...(end("aborted") as Extract<ModelEvent, { type: "end" }>),
    error: { kind: "aborted", message: "The request was aborted." },
  });
  const { delayMs = 0, deltaDelayMs = 0 } = reply;

  if (delayMs > 0) await pause(delayMs, signal);
  for (let count = 0; ; count++) {
    if (signal.aborted) return yield aborted();
    if (count === reply.cut) return;
    if (count === reply.throwAfter) throw new Error(`The scripted stream breaks after ${count} events.`);
    const event = events[count];
    if (event === undefined) break;
    if (deltaDelayMs > 0) await pause(deltaDelayMs, signal);
    if (signal.aborted) return yield aborted();
    sent.push(event);
    yield event;
    if (event.type === "end") return;
  }
  if (reply.hang) {
    await pause(Number.POSITIVE_INFINITY, signal);
    return yield aborted();
  }
  if (reply.error !== undefined) {
    yield { ...(end("error", reply.usage) as Extract<ModelEvent, { type: "end" }>), error: reply.error };
    return;
  }
  yield end(reply.stopReason ?? usualStopReason(sent), reply.usage);
}

/** Returns the reply; throws when it says what cannot be played. */
export function checkReply(reply: ReplyObject, index: number): ReplyObject {
  const where = `Reply ${index + 1} of the script`;
  if (reply.chunk !== undefined && !(reply.chunk >= 1)) {
    throw new RangeError(`${where} has chunk ${reply.chunk}; a chunk holds at least 1 character.`);
  }
  const breaks = reply.cut ?? reply.throwAfter ?? 0;
  const { length } = eventsOf(reply, index);
  if (!(breaks >= 0 && breaks <= length)) {
    throw new RangeError(
      `${where} breaks after ${breaks} events, but it has ${length}; say a number from 0 to ${length}.`,
    );
  }
  return reply;
}

function eventsOf(reply: ReplyObject, index: number): readonly ModelEvent[] {
  if (reply.deltas !== undefined) {
    return reply.deltas.map((piece) => (typeof piece === "string" ? { type: "text", delta: piece } : piece));
  }
  const events: ModelEvent[] = [];
  for (const delta of pieces(reply.reasoning ?? "", reply.chunk)) events.push({ type: "reasoning", delta });
  for (const delta of pieces(reply.text ?? "", reply.chunk)) events.push({ type: "text", delta });
  for (const [position, call] of (reply.calls ?? []).entries()) {
    const id = call.id ?? `call_${index + 1}_${position + 1}`;
    const args = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments ?? {});
    events.push({ type: "call_start", id, name: call.name });
    for (const delta of pieces(args, reply.chunk)) events.push({ type: "call_delta", id, delta });
    if (call.partial === undefined) events.push({ type: "call_end", id });
  }
  return events;
}

/** Cuts between characters, never inside one, so that no delta holds half a surrogate pair. */
function pieces(text: string, chunk: number | undefined): readonly string[] {
  if (text === "") return [];
  if (chunk === undefined) return [text];
  const characters = Array.from(text);
  const cut: string[] = [];
  for (let from = 0; from < characters.length; from += chunk) cut.push(characters.slice(from, from + chunk).join(""));
  return cut;
}

type Draft =
  | { type: "text" | "reasoning"; text: string }
  | { type: "call"; id: string; name: string; args: string; ended: boolean };

/** The message that these events add up to; a call without its end is partial. */
function messageOf(
  events: readonly ModelEvent[],
  model: string,
  stopReason: StopReason,
  usage: Usage,
): AssistantMessage {
  const drafts: Draft[] = [];
  const calls = new Map<string, Extract<Draft, { type: "call" }>>();
  for (const event of events) {
    if (event.type === "text" || event.type === "reasoning") {
      const last = drafts.at(-1);
      if (last?.type === event.type) last.text += event.delta;
      else drafts.push({ type: event.type, text: event.delta });
    } else if (event.type === "call_start") {
      const call = { type: "call" as const, id: event.id, name: event.name, args: "", ended: false };
      calls.set(event.id, call);
      drafts.push(call);
    } else if (event.type === "call_delta") {
      const call = calls.get(event.id);
      if (call) call.args += event.delta;
    } else if (event.type === "call_end") {
      const call = calls.get(event.id);
      if (call) call.ended = true;
    }
  }
  return { role: "assistant", content: drafts.map(partOf), model, usage, stopReason };
}

function partOf(draft: Draft): AssistantContent {
  if (draft.type !== "call") return { type: draft.type, text: draft.text };
  const call = { type: "tool_call", id: draft.id, name: draft.name, arguments: draft.args } as const;
  return draft.ended ? call : { ...call, partial: true };
}

function usualStopReason(events: readonly ModelEvent[]): StopReason {
  const started = events.filter((event) => event.type === "call_start").length;
  if (started > events.filter((event) => event.type === "call_end").length) return "length";
  return started > 0 ? "tool_calls" : "stop";
}
