import type { AssistantMessage, ToolCall, ToolResultMessage } from "../message/message.ts";
import type { Emitter } from "./emitter.ts";
import type { MessageUpdate, RoundLabel } from "./events.ts";

/*
 * The events of every round. Each is written out whole, where it stands: adding its position to a body afterwards costs
 * more than all the rest of an event.
 */

export function tellRoundStart(to: Emitter, round: RoundLabel): void {
  if (to.active) to.pass({ type: "round_start", runId: to.runId, path: to.path, seq: to.next(), round });
}

export function tellReplyStart(to: Emitter, round: RoundLabel): void {
  if (!to.active) return;
  to.pass({ type: "message_start", runId: to.runId, path: to.path, seq: to.next(), role: "assistant", round });
}

export function tellUpdate(to: Emitter, update: MessageUpdate): void {
  if (to.active) to.pass({ type: "message_update", runId: to.runId, path: to.path, seq: to.next(), update });
}

export function tellReplyEnd(to: Emitter, round: RoundLabel, message: AssistantMessage): void {
  if (to.active) to.pass({ type: "message_end", runId: to.runId, path: to.path, seq: to.next(), message, round });
}

export function tellToolStart(to: Emitter, call: ToolCall, edited?: string): void {
  if (!to.active) return;
  const event = { type: "tool_start", runId: to.runId, path: to.path, seq: to.next(), call } as const;
  to.pass(edited === undefined ? event : { ...event, arguments: edited });
}

export function tellToolEnd(to: Emitter, call: ToolCall, result: ToolResultMessage): void {
  if (to.active) to.pass({ type: "tool_end", runId: to.runId, path: to.path, seq: to.next(), call, result });
}

export function tellRoundEnd(
  to: Emitter,
  round: RoundLabel,
  message: AssistantMessage,
  toolResults: readonly ToolResultMessage[],
): void {
  if (!to.active) return;
  to.pass({ type: "round_end", runId: to.runId, path: to.path, seq: to.next(), round, message, toolResults });
}
