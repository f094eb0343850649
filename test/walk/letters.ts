import type { ReplyObject } from "../../src/testing/script.ts";

/** The two tools of the walk: `look` changes nothing, `act` does; `sign` needs a person's word. */
export type ToolName = "look" | "act" | "sign";
/** The two functions that may be picked as a decision: the second needs a person's word. */
export type PickName = "pick" | "signed";

const call = (name: ToolName | "gone", n: number) => ({ name, arguments: { n } });

/**
 * The alphabet of replies, as data for the scripted stream. Stop reasons are deliberately at odds with the content in
 * some: the content decides. Refused, failed and closing replies carry a call, so that one that is run all the same shows.
 */
export const letters = {
  text: { text: "done" },
  oddText: { text: "done", stopReason: "tool_calls" },
  wrong: { text: "perhaps" },
  pick: { text: "pick" },
  signed: { text: "signed" },
  empty: {},
  one: { calls: [call("act", 1)], stopReason: "stop" },
  look: { calls: [call("look", 1)] },
  two: { text: "first", calls: [call("act", 1), call("look", 2)] },
  twoLooks: { calls: [call("look", 1), call("look", 2)] },
  twoActs: { calls: [call("act", 1), call("act", 2)], stopReason: "stop" },
  lookAct: { calls: [call("look", 1), call("act", 2)] },
  threeMixed: { calls: [call("look", 1), call("look", 2), call("act", 3)] },
  eightLooks: { calls: [1, 2, 3, 4, 5, 6, 7, 8].map((n) => call("look", n)) },
  nineLooks: { calls: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => call("look", n)) },
  sign: { calls: [call("sign", 1), call("act", 1)] },
  twoSigns: { calls: [call("sign", 1), call("sign", 2)] },
  lookSign: { calls: [call("look", 1), call("sign", 2), call("look", 3)] },
  gone: { calls: [call("gone", 1), call("act", 1)] },
  invalid: { calls: [{ name: "act", arguments: '{"n":"much"}' }, call("act", 1)] },
  cut: { text: "well", calls: [call("act", 1), { name: "look", arguments: '{"n', partial: true }] },
  cutLength: { calls: [call("act", 1)], stopReason: "length" },
  cutText: { text: "half a sen", stopReason: "length" },
  cutStream: { text: "half a sen", cut: 1 },
  refused: { text: "no", calls: [call("act", 1)], stopReason: "refusal" },
  paused: { text: "wait", stopReason: "pause" },
  pausedCall: { text: "wait", calls: [call("act", 1)], stopReason: "pause" },
  pausedEmpty: { stopReason: "pause" },
  error: { text: "so", calls: [call("act", 1)], error: { kind: "overloaded", message: "busy" } },
  broken: { text: "so", calls: [call("act", 1)], throwAfter: 2 },
} as const satisfies { readonly [name: string]: ReplyObject };

export type Letter = keyof typeof letters;

/**
 * What a tool does: returns, throws, does not return before everything else stands still, or waits for a run that it
 * begins inside itself.
 */
export const toolLetters = ["ok", "throws", "slow", "nests"] as const;
export type ToolLetter = (typeof toolLetters)[number];

/**
 * What comes from outside: a message of one of three kinds; an abort, or the same because the time of what is around is
 * up; the deadline, as the dates of records show it, or its timer too, or an abort behind it; the end of the host, which
 * rejects what it was asked, or throws; and the time in which an approval has to come is over.
 */
export const arrivals = [
  "now",
  "after_round",
  "at_end",
  "abort",
  "recall",
  "deadline",
  "alarm",
  "late abort",
  "fault",
  "sudden fault",
  "patience",
] as const;
export type Arrival = (typeof arrivals)[number];

/** Why a run is aborted, and why a call is refused. */
export const endReason = "enough of it";
export const refusal = "not today";

/**
 * What the approver does: agrees, refuses and says why, throws, or says nothing before everything else stands still;
 * agrees to other arguments, or to such as are no good; refuses without a word.
 */
export const approvalLetters = ["yes", "no", "throws", "late", "edits", "spoils", "wordless"] as const;
export type ApprovalLetter = (typeof approvalLetters)[number];
/** The argument that a person gives instead of the model's. */
export const editedTo = 77;

/** The caller's callbacks, and what one does: gives nothing, a message at once or late, or throws. */
export type Callback = "steering" | "followUps";
export const callbackLetters = ["nothing", "message", "late", "throws"] as const;
export type CallbackLetter = (typeof callbackLetters)[number];
