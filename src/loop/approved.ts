import { taken } from "./pending.ts";
import { inQuestion, type LoopRecord, type State } from "./state.ts";

type Record = Extract<LoopRecord, { type: "approval" }>;
type Given = { readonly approved: boolean; readonly reason?: string | undefined };

/** Silence is a no. */
const waitedOut: Given = { approved: false, reason: "nobody answered in time" };

const silence = ({ granted, waitedOut: late }: Record): Given | undefined =>
  granted ? { approved: true } : late ? waitedOut : undefined;

/** What a person said of the function that was picked as the decision: a no makes the pick invalid. */
function pickApproved(s: State, { at, edited }: Record, given: Given | undefined): State {
  const picked = edited ?? s.picked!;
  if (given?.approved && picked.verdict.problem === undefined) {
    return { ...s, since: at, picked: { ...picked, verdict: { ...picked.verdict, approval: false } } };
  }
  if (!given) return s;
  const why = given.approved
    ? "the arguments that a person gave for it do not fit."
    : denial(picked.option ?? picked.call.name, given.reason);
  const reason = [why, s.config.wanted].filter((part) => part !== undefined).join("\n\n");
  return { ...s, since: at, picked: undefined, reply: { ...s.reply!, judged: { valid: false, reason } } };
}

const denial = (name: string, reason: string | undefined) => `"${name}" was denied${reason ? `: ${reason}` : ""}.`;

/** The run behind what a person said, or did not say, of the next call or of the picked function. */
export function approved(s: State, record: Record): State {
  const { call } = inQuestion(s);
  const next = taken(s, record.messages);
  const answer = record.messages.find((m) => m.kind === "approval" && m.approval.callId === call.id);
  const given = answer?.kind === "approval" ? answer.approval : silence(record);
  if (s.picked) return pickApproved(next, record, given);
  if (!given) return next;
  const calls = record.edited ? s.calls.with(s.next, record.edited) : s.calls;
  return { ...next, since: record.at, calls, approval: { approved: given.approved === true, reason: given.reason } };
}
