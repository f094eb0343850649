import * as is from "./facts.ts";
import { endReason } from "./letters.ts";
import type { Entry } from "./log.ts";
import { must, same } from "./must.ts";
import { pickedBy } from "./picks.ts";
import { isDecision, type Rule, type Story } from "./story.ts";

const never = Number.POSITIVE_INFINITY;
/** 1. Outcome known: close the inbox, answer every open call; what is pending or queued becomes undelivered. */
export const row1: Rule = (s) => {
  must(s.closedAt < never, "1: the inbox is closed");
  for (const [index, entry] of s.log.entries()) {
    if (index <= s.closingAt || isDecision(entry) || isLookBehind(s, entry)) continue;
    const works = ["request", "tool_start", "approve"].includes(entry.type);
    must(!works, `1: nothing is begun behind the outcome, but there is a ${entry.type}`);
    must(
      entry.type !== "enter" || ["close", "settle"].includes(entry.op),
      "1: behind the outcome the host only closes",
    );
  }
  for (const call of s.turns.flatMap(({ calls }) => calls)) {
    if (call.ran) continue;
    must(call.results[0]?.isError === true, `1: ${call.id} did not run, so its result is an error`);
    if (call.approval?.letter === "spoils" || call.name === "gone" || call.key === 'act {"n":"much"}') continue;
    must(/No work was done|Interrupted/.test(call.text), `1: the result of ${call.id} says that no work was done`);
  }
  for (const message of s.sent) {
    const known = message.accepted && message.inHistory === 0;
    must(
      message.inUndelivered === (known ? 1 : 0),
      `1: ${message.text} is undelivered if it was accepted and not read`,
    );
  }
};

/** A signal that fires before a picked function has run makes a look at `control` due, though the inbox is closed. */
const isLookBehind = (s: Story, entry: Entry) =>
  entry.type === "enter" && entry.op === "drain" && s.signalAt < is.knownAt(s) && is.mayDecide(s);

/** 2. Abort or deadline recorded: that outcome, no closing request; a fired signal makes a drain of control due at once. */
export const row2: Rule = (s) => {
  const [aborted, late] = [is.abortInTime(s), is.deadlineInTime(s)];
  same(
    s.outcome === "aborted",
    aborted && !late && s.abortedAs === "aborted",
    "2: aborted exactly when an abort came before an outcome was known",
  );
  same(
    s.outcome === "timeout",
    late || (aborted && s.abortedAs === "timeout"),
    "2: timeout exactly when a record before the outcome is late, or what is around is out of time",
  );
  if (aborted && !late)
    must(s.trace.result?.error?.message.endsWith(`: ${endReason}`) === true, "2: the error says why it was aborted");
  if (s.signalAt > s.closingAt) {
    const works = s.log.some((entry, index) => index > s.signalAt && entry.type === "tool_start");
    must(!works, "2: a picked function does not begin behind the signal");
  } else if (aborted) {
    const readAt = s.log.findIndex((entry) => entry.type === "done" && entry.control);
    must(readAt >= 0, "2: the abort is read from the inbox");
    const done = s.log.findIndex((entry, index) => index > s.abortAt && entry.type === "done");
    for (const [index, entry] of s.log.entries()) {
      if (index <= done || is.begunTogether(s, s.abortAt, index)) continue;
      must(!["request", "tool_start", "approve"].includes(entry.type), `2: no ${entry.type} behind the signal`);
      if (entry.type !== "enter" || entry.op === "settle") continue;
      const read = index > readAt;
      if (read) same(entry.op, "close", "2: behind the abort only the inbox is closed");
      else must(["drain", "takeOrClose", "wait"].includes(entry.op), "2: a fired signal makes a drain due at once");
    }
  }
  if (!is.deadlineInTime(s)) return;
  const lateAt = is.firstLateAt(s);
  for (const [index, entry] of s.log.entries()) {
    if (index <= lateAt || is.begunTogether(s, lateAt, index)) continue;
    must(!["request", "tool_start", "approve"].includes(entry.type), `2: no ${entry.type} behind the deadline`);
    must(
      entry.type !== "enter" || ["close", "settle"].includes(entry.op),
      "2: behind the deadline only the inbox is closed",
    );
  }
};

/** 3. Reply ended error, aborted or refusal: outcome of that name; its calls never run. */
export const row3: Rule = (s) => {
  for (const turn of s.turns) {
    if (is.kind(turn) !== "failed") continue;
    must(
      turn.calls.every(({ ran }) => !ran),
      "3: calls of a failed reply never run",
    );
    must(
      turn.calls.every(({ partial }) => !partial),
      "3: calls whose arguments had not ended are not recorded",
    );
    must(is.nextOf(s, turn) === undefined, "3: nothing is asked behind a failed reply");
    if (is.isCalm(s)) same(s.outcome, is.ending(turn), "3: the outcome is how the reply ended");
  }
  if (s.outcome !== "error" && s.outcome !== "refusal") return;
  const last = is.lastOf(s);
  if (last && pickedBy(s, last)?.letter === "throws") return;
  must(last !== undefined && is.kind(last) === "failed", `3: ${s.outcome} comes from the last reply`);
  must(s.outcome !== "error" || s.trace.result?.error !== undefined, "3: the result says what went wrong");
};

/** 4. That was the closing reply: outcome is the limit that closed; its calls never run; nothing more is drained. */
export const row4: Rule = (s) => {
  const closing = s.turns.filter(is.isClosing);
  must(closing.length <= 1, "4: there is one closing request at most");
  for (const turn of closing) {
    must(
      turn.calls.every(({ ran }) => !ran),
      "4: calls of the closing reply never run",
    );
    must(is.nextOf(s, turn) === undefined, "4: nothing is asked behind the closing reply");
    if (!is.isCalm(s)) continue;
    const allowed = turn.letter === "signed" ? ["wait", "close"] : ["close"];
    must(
      turn.looks.every(({ op }) => allowed.includes(op)),
      "4: nothing is drained behind the closing reply",
    );
    const threw = pickedBy(s, turn)?.letter === "throws";
    if (is.kind(turn) !== "failed" && !threw)
      must(is.limitOutcomes.includes(s.outcome ?? ""), "4: the outcome is the limit that closed");
  }
};

/** 5. Open calls of a cut reply, or of one that may have none: answered as not run; the second cut in a row: length. */
export const row5: Rule = (s) => {
  for (const turn of s.turns) {
    if (is.kind(turn) !== "dead calls") continue;
    for (const call of turn.calls) {
      must(!call.ran, `5: ${call.id} is not run`);
      must(!call.text.startsWith("Skipped"), `5: ${call.id} is not run, which is not the same as skipped`);
    }
    if (is.inARow(s, turn, is.isCutWithCalls) < 2 || !is.isCalm(s)) continue;
    same(s.outcome, "length", "5: the second cut reply with calls in a row ends the run");
    must(is.nextOf(s, turn) === undefined, "5: nothing is asked behind it");
    same(is.drainsOf(turn.looks), [], "5: nothing is drained behind it");
  }
};
