import { restOutcome } from "./rest.ts";
import type { Decided, LoopRecord, State } from "./state.ts";

type Given = { readonly approved: boolean; readonly reason?: string | undefined };

/** Silence is a no. */
export const waitedOut: Given = { approved: false, reason: "nobody answered in time" };

/** What a person said of the function that was picked as the decision: a no makes the pick invalid. */
export function pickApproved(
  s: State,
  { at, edited }: Extract<LoopRecord, { type: "approval" }>,
  given: Given | undefined,
): State {
  const picked = edited ?? s.picked!;
  if (given?.approved && picked.verdict.problem === undefined) {
    return { ...s, since: at, picked: { ...picked, verdict: { ...picked.verdict, approval: false } } };
  }
  // Nothing is drained behind the closing reply, so a message there ends the asking.
  if (!given && s.closing === undefined) return s;
  const why = given?.approved ? picked.verdict.problem! : denial(picked.call.name, given?.reason);
  return { ...s, since: at, picked: undefined, reply: { ...s.reply!, judged: { valid: false, reason: why } } };
}

const denial = (name: string, reason: string | undefined) => `"${name}" was denied${reason ? `: ${reason}` : ""}.`;

/** The run behind its picked function. */
export function decided(s: State, how: Decided): State {
  const done: State = { ...s, picked: undefined };
  if (how === "interrupted") return { ...done, ending: s.ending ?? "aborted" };
  return { ...done, outcome: how === "threw" ? "error" : (s.closing ?? restOutcome(s.reply!)) };
}
