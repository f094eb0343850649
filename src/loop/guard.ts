import { canonicalArguments } from "../message/json.ts";
import type { ToolCall, ToolResultMessage } from "../message/message.ts";
import type { Failure, Guard, PreparedCall, Ran } from "./state.ts";

export const freshGuard: Guard = { failures: undefined, last: undefined, before: undefined, equal: 0, alternating: 0 };

/** So many different calls that failed are remembered, those that failed last. */
const mostFailures = 64;

/** Equal calls have equal keys. */
const callKey = ({ name, arguments: raw }: ToolCall): string => `${name} ${canonicalArguments(raw)}`;

/** An equal call has failed twice since the last call that may have changed something. */
export function isStuck({ failures }: Guard, call: ToolCall): boolean {
  if (!failures?.some(({ times }) => times >= 2)) return false;
  const key = callKey(call);
  return failures.some((failure) => failure.times >= 2 && failure.key === key);
}

/** So many calls in a row were equal, or came so often in an alternation between two. */
export function wasRepeated({ equal, alternating }: Guard, times: number): boolean {
  return equal >= times || (alternating + 1) >> 1 >= times;
}

/** The guard behind a call that ran. */
export function afterResult(guard: Guard, prepared: PreparedCall, result: ToolResultMessage): Guard {
  const { call, verdict } = prepared;
  const next = afterCall(guard, prepared, result);
  if (result.isError) return verdict.repeatable ? next : { ...next, failures: failedAgain(next.failures, call) };
  if (next.failures === undefined) return next;
  if (!verdict.readOnly) return { ...next, failures: undefined };
  const key = callKey(call);
  return { ...next, failures: next.failures.filter((failure) => failure.key !== key) };
}

/** The failures with one more of this call, which is the newest then. */
function failedAgain(failures: readonly Failure[] = [], call: ToolCall): readonly Failure[] {
  const key = callKey(call);
  const times = failures.find((failure) => failure.key === key)?.times ?? 0;
  const others = failures.filter((failure) => failure.key !== key);
  return [...others.slice(1 - mostFailures), { key, times: times + 1 }];
}

/**
 * The guard behind a call that ran, or was answered without being run (then there is no result). A call whose tool may
 * be repeated is in no row with those before it.
 */
export function afterCall(guard: Guard, { call, verdict }: PreparedCall, result: ToolResultMessage | undefined): Guard {
  const { failures, last, before, equal, alternating } = guard;
  if (verdict.repeatable) return failures === undefined ? freshGuard : { ...freshGuard, failures };
  const ran: Ran = { call, result, weight: weight(call.arguments) };
  if (same(last, ran)) return { failures, last: ran, before: last, equal: equal + 1, alternating: 1 };
  const goesOn = same(before, ran);
  return { failures, last: ran, before: last, equal: 1, alternating: goesOn ? alternating + 1 : last ? 2 : 1 };
}

/** Equal name and arguments, and results that do not differ where both have one. */
function same(a: Ran | undefined, b: Ran): boolean {
  // What is cheap comes first: to compare long results costs more than all else that a round does.
  if (!a || a.weight !== b.weight || a.call.name !== b.call.name) return false;
  return sameResult(a.result, b.result) && sameArguments(a.call.arguments, b.call.arguments);
}

function sameResult(a: ToolResultMessage | undefined, b: ToolResultMessage | undefined): boolean {
  if (!a || !b) return true;
  const [one, two] = [a.content, b.content];
  const [first, second] = [one[0], two[0]];
  if (one.length === 1 && two.length === 1 && first?.type === "text" && second?.type === "text") {
    return first.text === second.text;
  }
  return JSON.stringify(one) === JSON.stringify(two);
}

/**
 * Whether arguments are the same but for order and spacing. They are only parsed if they are made of the same characters:
 * nearly always other arguments are told apart by that.
 */
export function sameArguments(a: string, b: string): boolean {
  return a === b || (weight(a) === weight(b) && canonicalArguments(a) === canonicalArguments(b));
}

/** The same for texts of the same characters, blanks aside. */
function weight(text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 32) sum += code;
  }
  return sum;
}
