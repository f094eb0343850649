import type { Msg } from "../host/host.ts";
import type { UserMessage } from "../message/message.ts";
import type { Pending, State } from "./state.ts";

/** Messages that were taken from the inbox. */
export function taken(s: State, messages: readonly Msg[]): State {
  if (messages.length === 0) return s;
  const control = messages.find((message) => message.kind === "control")?.control;
  const ending = control?.type === "timeout" ? "timeout" : "aborted";
  return queued(
    control && s.ending === undefined ? { ...s, ending, abortReason: control.reason } : s,
    pendingOf(messages),
    messages.some((message) => message.kind === "now"),
  );
}

/** Which of the drains that may be due this was: the look at `control`, the one at a drain point, the one before rest. */
export function drained(s: State, since: number): State {
  if (s.signalled) return { ...s, since, signalled: false };
  return s.drain === undefined ? { ...s, since, rest: "followUps" } : { ...s, since, drain: undefined };
}

/** Adds messages to those that are to enter the history. */
export function queued(s: State, messages: readonly Pending[], now: boolean): State {
  if (messages.length === 0) return s;
  return { ...s, pending: [...s.pending, ...messages], pendingNow: s.pendingNow || now };
}

/** The messages among what came out of the inbox. */
export function pendingOf(messages: readonly Msg[]): Pending[] {
  return messages.flatMap((m) => ("message" in m ? [{ id: m.id, message: m.message }] : []));
}

export const userMessages = (pending: readonly Pending[]): UserMessage[] => pending.map(({ message }) => message);

/** Messages that came from a callback and not through the inbox. */
export const unsent = (messages: readonly UserMessage[]): Pending[] => messages.map((message) => ({ message }));
