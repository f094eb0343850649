import { canonicalJson, type Json } from "../message/json.ts";
import type { ToolCall, ToolResultMessage } from "../message/message.ts";
import type { Guard, Ran } from "./state.ts";

export const freshGuard: Guard = { failures: undefined, last: undefined, before: undefined, equal: 0, alternating: 0 };

/** Equal calls have equal keys: the name and the arguments, whatever the order of their fields. */
export function callKey({ name, arguments: raw }: ToolCall): string {
  let canonical = raw.trim();
  try {
    canonical = canonicalJson(JSON.parse(raw) as Json);
  } catch {
    // Arguments that are no JSON are equal when their text is.
  }
  return `${name} ${canonical}`;
}

/** An equal call has failed twice since the last call that may have changed something. */
export function isStuck({ failures }: Guard, call: ToolCall): boolean {
  return failures !== undefined && (failures[callKey(call)] ?? 0) >= 2;
}

/** So many calls in a row were equal, or came so often in an alternation between two. */
export function wasRepeated({ equal, alternating }: Guard, times: number): boolean {
  return equal >= times || (alternating + 1) >> 1 >= times;
}

/** The guard behind a call that ran. */
export function afterResult(guard: Guard, call: ToolCall, result: ToolResultMessage, readOnly: boolean): Guard {
  const next = afterCall(guard, { call, result });
  if (result.isError) {
    const key = callKey(call);
    return { ...next, failures: { ...next.failures, [key]: (next.failures?.[key] ?? 0) + 1 } };
  }
  if (next.failures === undefined) return next;
  if (!readOnly) return { ...next, failures: undefined };
  const { [callKey(call)]: _, ...failures } = next.failures;
  return { ...next, failures };
}

/** The guard behind a call that was answered without being run, or ran. */
export function afterCall({ failures, last, before, equal, alternating }: Guard, ran: Ran): Guard {
  if (same(last, ran)) return { failures, last: ran, before: last, equal: equal + 1, alternating: 1 };
  const goesOn = same(before, ran);
  return { failures, last: ran, before: last, equal: 1, alternating: goesOn ? alternating + 1 : last ? 2 : 1 };
}

/** Equal name and arguments, and results that do not differ where both have one. */
function same(a: Ran | undefined, b: Ran): boolean {
  if (!a || a.call.name !== b.call.name || a.call.arguments !== b.call.arguments) return false;
  if (!a.result || !b.result) return true;
  const [one, two] = [a.result.content, b.result.content];
  const [first, second] = [one[0], two[0]];
  if (one.length === 1 && two.length === 1 && first?.type === "text" && second?.type === "text") {
    return first.text === second.text;
  }
  return JSON.stringify(one) === JSON.stringify(two);
}
