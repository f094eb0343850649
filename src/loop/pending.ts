import type { Msg } from "../host/host.ts";
import type { UserMessage } from "../message/message.ts";
import type { Pending, State } from "./state.ts";

/** Messages that were taken from the inbox. */
export function taken(s: State, messages: readonly Msg[]): State {
  if (messages.length === 0) return s;
  const abort = messages.some((message) => message.kind === "control");
  const ending = abort && s.ending === undefined ? { ...s, ending: "aborted" as const } : s;
  return queued(
    ending,
    pendingOf(messages),
    messages.some((message) => message.kind === "now"),
  );
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
