import type { Outcome } from "../../src/loop/outcome.ts";
import { type Message, textOf } from "../../src/message/message.ts";
import type { ReplyObject } from "../../src/testing/script.ts";
import { type Letter, letters } from "./letters.ts";
import type { Look } from "./looks.ts";
import { decides, picks } from "./picks.ts";
import { denies, waitedOut, waitsOf } from "./questions.ts";
import { costPerReply, tokensPerReply } from "./setup.ts";
import type { Call, Story, Turn } from "./story.ts";

/** What the words of the table mean, read off a story. */

export const isCalm = (s: Story) => !abortInTime(s) && !deadlineInTime(s);

const never = Number.POSITIVE_INFINITY;

/**
 * When the outcome was known: when the loop closes the inbox. But a function that was picked runs behind that, and the
 * outcome comes with its record, unless it was interrupted.
 */
export function knownAt(s: Story): number {
  if (s.decisionAt < never) return s.signalAt < s.decidedAt ? never : s.decidedAt;
  return mayDecide(s) ? never : s.closingAt;
}

/** The last reply picked a function, so that the run is not over with the end of the inbox. */
export function mayDecide(s: Story): boolean {
  const last = lastOf(s);
  return last !== undefined && picks(last) && decides(s, last);
}

/** The abort came while no outcome was known. */
export const abortInTime = (s: Story) => s.abortAt < knownAt(s);

/** Where the first record behind the deadline stands, if it comes in time. */
export function firstLateAt(s: Story): number {
  const lateAt = mayDecide(s) ? Math.min(s.lateAt, s.lateCloseAt) : s.lateAt;
  return lateAt < knownAt(s) ? lateAt : never;
}
export const deadlineInTime = (s: Story) => firstLateAt(s) < never;

type Ending = "clean" | "length" | "refusal" | "error" | "pause";

/** How each reply of the alphabet ends. */
const endings = Object.fromEntries(
  Object.entries<ReplyObject>(letters).map(([letter, reply]): [string, Ending] => {
    if (letter === "error" || letter === "broken") return [letter, "error"];
    if (letter === "cut" || reply.cut !== undefined || reply.stopReason === "length") return [letter, "length"];
    const odd = reply.stopReason === "refusal" || reply.stopReason === "pause";
    return [letter, odd ? reply.stopReason : "clean"];
  }),
) as { readonly [L in Letter]: Ending };

/** How the reply ends, by what the model was told to do. */
export const ending = (turn: Turn): Ending => endings[turn.letter];

export const lastOf = (s: Story): Turn | undefined => s.turns.at(-1);
/** The looks of a turn's batch: behind a text there is none, and every look belongs to coming to rest. */
export function batchLooks(s: Story, turn: Turn): readonly Look[] {
  if (kind(turn) === "text") return [];
  if (!finishes(s, turn)) return turn.looks;
  const drain = turn.looks.findIndex(({ op }) => op === "drain");
  return drain < 0 ? turn.looks : turn.looks.slice(0, drain + 1);
}
/** The looks with which a run comes to rest behind this turn. */
export const restLooks = (s: Story, turn: Turn) => turn.looks.slice(batchLooks(s, turn).length);
export const drainsOf = (looks: readonly Look[]) => looks.filter(({ op }) => op === "drain");
export const limitOutcomes: readonly string[] = ["max_iterations", "max_tool_calls", "max_tokens", "max_cost"];

export const isClosing = (turn: Turn) => turn.label === "closing";
export const isReask = (turn: Turn) => turn.label === "reask";
export const hasCalls = (turn: Turn) => "calls" in letters[turn.letter];

/** Which rows speak of the reply. */
export function kind(turn: Turn): "failed" | "closing" | "dead calls" | "calls" | "pause" | "text" {
  if (ending(turn) === "error" || ending(turn) === "refusal") return "failed";
  if (isClosing(turn)) return "closing";
  if (hasCalls(turn)) return ending(turn) === "length" || turn.request.toolChoice === "none" ? "dead calls" : "calls";
  return ending(turn) === "pause" ? "pause" : "text";
}

/** The reply is text only in the sense of rows 11 to 13, and not paused. */
export function finishes(s: Story, turn: Turn): boolean {
  if (kind(turn) === "text") return true;
  const unasked = kind(turn) === "dead calls" && turn.request.toolChoice === "none" && ending(turn) !== "pause";
  return unasked && inARow(s, turn, isCutWithCalls) < 2;
}

export const nextOf = (s: Story, turn: Turn): Turn | undefined => s.turns[turn.index + 1];
export const takenIn = (looks: readonly Look[]) => looks.flatMap(({ taken }) => taken);

/** Rounds made when this turn is over. */
export const roundsAt = (s: Story, turn: Turn) =>
  s.turns.filter(({ index, label }) => index <= turn.index && typeof label === "number").length;

export const begunBefore = (s: Story, at: number) => s.begunAt.filter((index) => index < at).length;

/** Tokens of the requests until this turn, and of the runs inside that had ended by then. */
export function tokensAt(s: Story, turn: Turn, at = turn.to): number {
  const own = s.turns.slice(0, turn.index + 1).reduce((sum, { reply }) => sum + (reply?.usage.totalTokens ?? 0), 0);
  return s.inside.reduce((sum, { endAt, tokens }) => sum + (endAt < at ? tokens : 0), own);
}

export const capOf = (s: Story) => Math.max(1, Math.floor(s.trace.setup.options.maxIterations ?? 20));
/** How many calls run together at most, as docs/loop.md says. */
export const overlapBound = 8;
const callLimit = (s: Story) => s.trace.setup.options.limits?.toolCalls ?? Number.POSITIVE_INFINITY;
const tokenLimit = (s: Story) => s.trace.setup.options.limits?.totalTokens ?? Number.POSITIVE_INFINITY;
const costLimit = (s: Story) => s.trace.setup.options.limits?.cost ?? Number.POSITIVE_INFINITY;
export const stopsAtLimit = (s: Story) => s.trace.setup.options.atLimit === "stop";
export const callbacksOf = ({ trace: { setup } }: Story) => ("callbacks" in setup && setup.callbacks) || [];
export const wantedOf = ({ trace: { setup } }: Story) => ("wanted" in setup ? setup.wanted : undefined);
export const overlaps = (s: Story) => s.trace.setup.options.toolExecution === "overlap";

/** Nothing more is put in history behind this turn. */
export const restsAtLimit = (s: Story, turn: Turn) => stopsAtLimit(s) && limitsAt(s, turn).length > 0;

/** The limits that are reached when this turn is over. */
export function limitsAt(s: Story, turn: Turn): readonly Outcome[] {
  const reached: Outcome[] = [];
  if (roundsAt(s, turn) >= capOf(s)) reached.push("max_iterations");
  if (callsUsedUp(s, turn.to)) reached.push("max_tool_calls");
  if (tokensAt(s, turn) >= tokenLimit(s)) reached.push("max_tokens");
  if (costAt(s, turn) >= costLimit(s)) reached.push("max_cost");
  return reached;
}
export const callsUsedUp = (s: Story, at: number) => begunBefore(s, at) >= callLimit(s);
const costAt = (s: Story, turn: Turn, at = turn.to) => (tokensAt(s, turn, at) / tokensPerReply) * costPerReply;
/** Tokens or cost are used up. */
export const tokensUsedUp = (s: Story, turn: Turn, at = turn.to) =>
  tokensAt(s, turn, at) >= tokenLimit(s) || costAt(s, turn, at) >= costLimit(s);

/** So many turns in a row, this one the last, of which this holds. */
export function inARow(s: Story, turn: Turn, holds: (turn: Turn) => boolean): number {
  let count = 0;
  for (let index = turn.index; index >= 0 && holds(s.turns[index] as Turn); index--) count++;
  return count;
}
export const isCutWithCalls = (turn: Turn) => kind(turn) === "dead calls" && ending(turn) === "length";
export const isPause = (turn: Turn) => ending(turn) === "pause";

/**
 * How often an equal call had run and failed before this one, since a call that changes things has succeeded. With
 * `kind` a success of the equal call itself counts too: the table does not say.
 */
export function failuresBefore(s: Story, turn: Turn, call: Call, kind = false): number {
  let failures = 0;
  for (const earlier of s.turns.slice(0, turn.index + 1)) {
    for (const other of earlier.calls) {
      if (earlier === turn && other.index >= call.index) break;
      if (!other.ran || other.endAt > s.log.length) continue;
      if (other.letter === "throws") failures += other.key === call.key ? 1 : 0;
      else if (!other.readOnly || (kind && other.key === call.key)) failures = 0;
    }
  }
  return failures;
}

/** The choice that the caller forced, if any. */
export function forcedChoice(
  s: Story,
): { readonly names: readonly string[] | undefined; readonly sent: unknown } | undefined {
  const choice = s.trace.setup.options.toolChoice ?? "auto";
  if (choice === "auto" || choice === "none") return undefined;
  if (choice === "required") return { names: undefined, sent: "required" };
  const names = "name" in choice ? [choice.name] : choice;
  return { names, sent: { type: "function", names } };
}

/** Whether a reply before this turn picked what was forced. A cut reply may count or not: the table does not say. */
export function metBefore(s: Story, turn: Turn): "yes" | "no" | "maybe" {
  const forced = forcedChoice(s);
  let met: "no" | "maybe" = "no";
  for (const { index, calls, letter } of s.turns.slice(0, turn.index)) {
    const earlier = s.turns[index] as Turn;
    if (kind(earlier) === "failed") continue;
    const picked = calls.some(({ name }) => (forced?.names === undefined ? true : forced.names.includes(name)));
    if (!picked) continue;
    if (kind(earlier) === "calls" && letter !== "gone" && letter !== "invalid") return "yes";
    met = "maybe";
  }
  return met;
}

/**
 * Whether a step that the log shows behind a signal or deadline was begun together with those before it: in overlap mode
 * neighbours start one after the other, and what they do must not stop those that were begun with them.
 */
export function begunTogether(s: Story, endAt: number, index: number): boolean {
  if (!overlaps(s)) return false;
  const enters = s.log.slice(0, endAt).flatMap((entry, at) => (entry.type === "enter" ? [{ op: entry.op, at }] : []));
  const last = enters.at(-1);
  if (last?.op !== "step" || s.log.slice(last.at, endAt).some(({ type }) => type === "request")) return false;
  return !s.log.slice(endAt, index).some((entry) => entry.type === "enter" && entry.op !== "step");
}

/** The reply finished with text that is not what was wanted, and may be asked for again (row 12). */
export function isReaskDue(s: Story, turn: Turn): boolean {
  const wanted = wantedOf(s) ?? 0;
  if (!finishes(s, turn) || wasRepeated(s, turn) || turn.reply === undefined || decides(s, turn)) return false;
  const entered = takenIn([...batchLooks(s, turn), ...waitsOf(turn)]).length > 0 && !restsAtLimit(s, turn);
  if (entered || tokensUsedUp(s, turn)) return false;
  let asked = 0;
  for (const earlier of s.turns.slice(1, turn.index + 1)) {
    if (isReask(earlier)) asked++;
    else if (textsIn(s, addedBy(s.turns[earlier.index - 1] as Turn, earlier)).length > 0) asked = 0;
  }
  return asked < wanted;
}

/** The messages that a turn's end adds to what the next request sees. */
export function addedBy(turn: Turn, next: Turn): readonly Message[] {
  return next.request.messages.slice(turn.request.messages.length);
}
export const isSent = (s: Story, message: Message) =>
  message.role === "user" && [...s.sent, ...s.given].some(({ text }) => text === textOf(message));
/** User messages that nobody has sent: the loop's own notices. */
export const noticesIn = (s: Story, messages: readonly Message[]) =>
  messages.filter((message) => message.role === "user" && !isSent(s, message));
export const textsIn = (s: Story, messages: readonly Message[]) =>
  messages.filter((message) => isSent(s, message)).map(textOf);

/** The reply was answered with the notice that a choice is forced. */
export function wasRepeated(s: Story, turn: Turn): boolean {
  const next = nextOf(s, turn);
  return kind(turn) === "text" && typeof next?.label === "number" && noticesIn(s, addedBy(turn, next)).length > 0;
}

/** Every evidence that this open call need not be run, by row; none: it has to be. */
export function excusesOf(s: Story, turn: Turn, call: Call): readonly string[] {
  const { options } = s.trace.setup;
  const what = kind(turn);
  const looked = takenIn(turn.looks.filter(({ op }) => op !== "close"));
  const excuses: { readonly [row: string]: boolean } = {
    "row 2": !isCalm(s) && Math.min(s.signalAt, firstLateAt(s)) < turn.to,
    "row 3": what === "failed",
    "row 4": what === "closing",
    "row 5: cut": what === "dead calls" && ending(turn) === "length",
    "row 5: not allowed": what === "dead calls" && turn.request.toolChoice === "none",
    "row 7: message": looked.some(({ kind }) => kind === "now"),
    "row 7: calls": callsUsedUp(s, turn.to),
    "row 7: tokens": tokensUsedUp(s, turn),
    "row 8: denied": denies(call.approval?.letter) || waitedOut(s, turn, call),
    "row 8: spoilt": call.approval?.letter === "spoils",
    "row 9: problem": hasProblem(turn, call),
    "row 9: stuck": options.stuck !== false && failuresBefore(s, turn, call) >= 2,
    "row 9: only the first": options.parallelToolCalls === "strict" && call.index > 0,
  };
  return Object.keys(excuses).filter((row) => excuses[row]);
}

/** What the result of a call says that was not run for this row alone. */
export const reasons: { readonly [row: string]: RegExp } = {
  "row 5: cut": /cut off|the run ended \(length\)/,
  "row 5: not allowed": /did not allow/,
  "row 7: calls": /limit on the number of tool calls/,
  "row 7: tokens": /limit on the (number of tokens|cost)/,
  "row 8: denied": /denied/i,
  "row 8: spoilt": /\bn\b/,
  "row 9: problem": /gone|\bn\b/,
  "row 9: stuck": /failed twice/,
  "row 9: only the first": /only one call/,
};

/** Preparing the call has found something wrong. */
export const hasProblem = (turn: Turn, call: Call) =>
  call.name === "gone" || (turn.letter === "invalid" && call.index === 0);

/** How many calls, the last of this turn the last of them, were each like the one before, or before that in a `dance`. */
export function repeatedCalls(s: Story, turn: Turn, alike: (a: Call, b: Call) => boolean, dance: boolean): number {
  const calls = s.turns.slice(0, turn.index + 1).flatMap(({ calls }) => calls);
  let count = calls.length > 0 ? 1 : 0;
  for (let index = calls.length - 1; index > 0; index--) {
    const [one, other, before] = [calls[index], calls[index - 1], calls[index - 2]];
    if (!one || !other || !(alike(one, other) || (dance && before && alike(one, before)))) break;
    count++;
  }
  return count;
}

/** Calls of a turn that ran, in the groups in which they ran: no look into the inbox between the starts of a group. */
export function groupsOf(turn: Turn): readonly (readonly Call[])[] {
  const groups: Call[][] = [];
  for (const call of turn.calls.filter(({ ran }) => ran)) {
    const previous = groups.at(-1)?.at(-1);
    const apart = turn.looks.some(({ enterAt }) => previous && enterAt > previous.startAt && enterAt < call.startAt);
    if (previous === undefined || apart) groups.push([call]);
    else groups.at(-1)?.push(call);
  }
  return groups;
}
