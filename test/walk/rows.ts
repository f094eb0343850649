import { textOf } from "../../src/message/message.ts";
import * as is from "./facts.ts";
import { must, same } from "./must.ts";
import type { Story, Turn } from "./story.ts";

/** What must hold of any trace because of one row of the loop's table. Throws a `Violation`. */
export type Rule = (s: Story) => void;

const never = Number.POSITIVE_INFINITY;
const limits = ["max_iterations", "max_tool_calls", "max_tokens", "max_cost"];
const lastOf = (s: Story): Turn | undefined => s.turns.at(-1);
/** Drains of a turn that the table asks for without a signal. */
const drainsOf = (turn: Turn) => turn.looks.filter(({ op }) => op === "drain");

/** 1. Outcome known: close the inbox, answer every open call; what is pending or queued becomes undelivered. */
const row1: Rule = (s) => {
  must(s.closedAt < never, "1: the inbox is closed");
  for (const [index, entry] of s.log.entries()) {
    if (index <= s.closingAt) continue;
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
    if (call.name === "gone" || call.key === 'act {"n":"much"}') continue;
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

/** 2. Abort or deadline recorded: that outcome, no closing request; a fired signal makes a drain of control due at once. */
const row2: Rule = (s) => {
  same(s.outcome === "aborted", is.abortInTime(s), "2: aborted exactly when an abort came before an outcome was known");
  same(s.outcome === "timeout", is.deadlineInTime(s), "2: timeout exactly when a record before the outcome is late");
  if (is.abortInTime(s)) {
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
const row3: Rule = (s) => {
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
  const last = lastOf(s);
  must(last !== undefined && is.kind(last) === "failed", `3: ${s.outcome} comes from the last reply`);
  must(s.outcome !== "error" || s.trace.result?.error !== undefined, "3: the result says what went wrong");
};

/** 4. That was the closing reply: outcome is the limit that closed; its calls never run; nothing more is drained. */
const row4: Rule = (s) => {
  const closing = s.turns.filter(is.isClosing);
  must(closing.length <= 1, "4: there is one closing request at most");
  for (const turn of closing) {
    must(
      turn.calls.every(({ ran }) => !ran),
      "4: calls of the closing reply never run",
    );
    must(is.nextOf(s, turn) === undefined, "4: nothing is asked behind the closing reply");
    if (!is.isCalm(s)) continue;
    same(
      turn.looks.map(({ op }) => op),
      ["close"],
      "4: nothing is drained behind the closing reply",
    );
    if (is.kind(turn) !== "failed") must(limits.includes(s.outcome ?? ""), "4: the outcome is the limit that closed");
  }
};

/** 5. Open calls of a cut reply, or of one that may have none: answered as not run; the second cut in a row: length. */
const row5: Rule = (s) => {
  for (const turn of s.turns) {
    if (is.kind(turn) !== "dead calls") continue;
    for (const call of turn.calls) {
      must(!call.ran, `5: ${call.id} is not run`);
      must(!call.text.startsWith("Skipped"), `5: ${call.id} is not run, which is not the same as skipped`);
    }
    if (is.inARow(s, turn, is.isCutWithCalls) < 2 || !is.isCalm(s)) continue;
    same(s.outcome, "length", "5: the second cut reply with calls in a row ends the run");
    must(is.nextOf(s, turn) === undefined, "5: nothing is asked behind it");
    same(drainsOf(turn), [], "5: nothing is drained behind it");
  }
};

/** 6. A drain is due: before the first request; after each call that ran; when the batch is complete. */
const row6: Rule = (s) => {
  const running = ["control", "now"];
  const resting = ["after_round", "control", "now"];
  const seen = (looks: Turn["looks"]) => looks.map(({ kinds }) => [...kinds].sort());
  const endAt = is.isCalm(s) ? never : Math.min(s.abortAt, is.firstLateAt(s));
  const compare = (looks: Turn["looks"], expected: readonly string[][], where: string) => {
    const before = looks.filter(({ enterAt }) => enterAt < endAt);
    const whole = before.length === looks.length && is.isCalm(s);
    same(seen(before), whole ? expected : expected.slice(0, before.length), `6: drains ${where}`);
  };
  compare(
    s.opening.filter(({ op }) => op === "drain"),
    [resting],
    "before the first request",
  );
  for (const turn of s.turns) {
    const expected: string[][] = [];
    const what = is.kind(turn);
    if (what === "calls") {
      let complete = false;
      for (const group of is.groupsOf(turn)) {
        complete = group.at(-1) === turn.calls.at(-1);
        expected.push(complete ? resting : running);
      }
      if (!complete) expected.push(resting);
    }
    if (what === "dead calls" && is.inARow(s, turn, is.isCutWithCalls) < 2) expected.push(resting);
    compare(drainsOf(turn), expected, `behind reply ${turn.index + 1} (${what})`);
  }
};

/** 7. Open calls, and a `now` message is pending or calls, tokens or cost are used up: the others are skipped / not run. */
const row7: Rule = (s) => {
  for (const turn of s.turns) {
    const nowAt = turn.looks.find(({ taken }) => taken.some(({ kind }) => kind === "now"))?.doneAt ?? never;
    for (const call of turn.calls) {
      if (call.ran) {
        must(call.startAt < nowAt, `7: ${call.id} does not run behind a message that is to be read now`);
        must(!is.callsUsedUp(s, call.startAt), `7: ${call.id} does not run when the calls are used up`);
        must(!is.tokensUsedUp(s, turn), `7: ${call.id} does not run when the tokens are used up`);
      }
      const skipped = call.text.startsWith("Skipped due to queued user message");
      if (skipped) must(nowAt < never, `7: ${call.id} is skipped only for a message`);
      const excuses = is.excusesOf(s, turn, call);
      if (!call.ran && excuses.length === 1 && excuses[0] === "row 7: message") {
        must(skipped, `7: ${call.id} says that it was skipped, not "${call.text}"`);
      }
    }
  }
};

/** 8. The next open call may need an approval and none is recorded: ask for it; abort, deadline and `now` end the waiting. */
const row8: Rule = (s) => {
  for (const turn of s.turns) {
    for (const call of turn.calls) {
      const { approval } = call;
      if (call.name !== "sign") {
        must(approval === undefined, `8: nobody is asked about ${call.id}`);
        continue;
      }
      const asked = s.log.filter((entry) => entry.type === "approve" && entry.callId === call.id).length;
      must(asked <= 1, `8: ${call.id} is asked about once`);
      if (call.ran)
        must(approval !== undefined && approval.at < call.startAt, `8: ${call.id} is asked about before it runs`);
      if (approval === undefined) continue;
      const earlier = turn.calls.slice(0, call.index);
      must(
        earlier.every(({ ran, endAt }) => !ran || endAt < approval.at),
        `8: ${call.id} is asked about when its turn has come`,
      );
      must(is.kind(turn) === "calls", `8: nobody is asked about calls that cannot run`);
      must(!is.callsUsedUp(s, approval.at), `8: nobody is asked when the calls are used up`);
      const late =
        approval.letter === "late" &&
        s.sent.find(({ at, kind }) => kind === "now" && at > approval.at && at < approval.endAt);
      if (late) must(!call.ran, `8: a message to be read now ends the waiting for ${call.id}`);
      if (approval.letter === "no" || approval.letter === "throws") must(!call.ran, `8: ${call.id} was denied`);
    }
  }
};

/** 9. Open calls: answer what is stopped, run the next; in overlap mode with its neighbours that may start. */
const row9: Rule = (s) => {
  for (const turn of s.turns) {
    const ran = turn.calls.filter((call) => call.ran);
    for (const call of turn.calls) {
      const excuses = is.excusesOf(s, turn, call);
      if (!call.ran) must(excuses.length > 0, `9: ${call.id} has to run`);
      const stopped = is.hasProblem(turn, call) || excuses.includes("row 9: only the first");
      const stuck = excuses.includes("row 9: stuck") && is.failuresBefore(s, turn, call, true) >= 2;
      must(!call.ran || (!stopped && !stuck), `9: ${call.id} must not run`);
    }
    for (const [index, call] of ran.entries()) {
      const next = ran[index + 1];
      if (next === undefined) continue;
      must(call.startAt < next.startAt, `9: calls start in order`);
      const alone = !is.overlaps(s) || !call.readOnly || !next.readOnly || next.index !== call.index + 1;
      if (alone) must(call.endAt < next.startAt, `9: ${next.id} starts when ${call.id} has ended`);
    }
    for (const group of is.groupsOf(turn)) {
      const first = turn.calls.find(({ index }) => index === (group.at(-1)?.index ?? 0) + 1);
      const readOnly = group.every((call) => call.readOnly) && first?.readOnly === true;
      if (!is.overlaps(s) || !readOnly || first.ran === false || !is.isCalm(s)) continue;
      must(group.length >= 4, `9: neighbours that may run together do, so ${first.id} starts with the others`);
    }
  }
};

/** 10. Pending messages (but at a limit with atLimit "stop"): in history behind the batch's results. */
const row10: Rule = (s) => {
  const check = (looks: Turn["looks"], before: Turn | undefined, next: Turn | undefined) => {
    const taken = is.takenIn(looks.filter(({ op }) => op !== "close")).map(({ text }) => text);
    if (next === undefined) {
      const left = before !== undefined && is.stopsAtLimit(s) && is.limitsAt(s, before).length > 0;
      const read = is.textsIn(s, s.messages).filter((text) => taken.includes(text));
      if (is.isCalm(s))
        same(read, left ? [] : taken, "10: pending messages are put in history, unless it ends at a limit");
      return;
    }
    const added = before ? is.addedBy(before, next) : next.request.messages;
    same(is.textsIn(s, added), taken, `10: request ${next.index + 1} holds what was pending, in order`);
    const from = added.findIndex((message) => is.isSent(s, message));
    const behind = from < 0 ? [] : added.slice(from);
    must(
      behind.every(({ role }) => role === "user"),
      "10: messages stand behind the results",
    );
    for (const { text, receipt } of s.sent) {
      if (!taken.includes(text)) continue;
      same(receipt.status, "delivered", `10: the receipt of ${text}`);
      if (typeof next.label === "number") same(receipt.round, next.label, `10: the round that read ${text}`);
    }
  };
  check(s.opening, undefined, s.turns[0]);
  for (const turn of s.turns) check(turn.looks, turn, is.nextOf(s, turn));
};

/** 11. Text only, a forced choice never met and not yet repeated, no limit reached: the notice, and 15 asks again. */
const row11: Rule = (s) => {
  const forced = is.forcedChoice(s);
  const once = s.trace.setup.options.toolChoiceScope !== "round";
  let repeated = false;
  for (const turn of s.turns) {
    const next = is.nextOf(s, turn);
    const due =
      forced !== undefined && once && !repeated && is.kind(turn) === "text" && is.limitsAt(s, turn).length === 0;
    const met = is.metBefore(s, turn);
    const seen = is.wasRepeated(s, turn);
    if (seen) {
      must(due && met !== "yes", "11: the notice comes once, where a forced choice was not met");
      const added = next ? is.addedBy(turn, next) : [];
      must(
        next !== undefined && is.noticesIn(s, added).length === 1 && is.textsIn(s, added).length === 0,
        "11: one notice",
      );
      same(typeof next?.label, "number", "11: asking again is a round");
      same(
        drainsOf(turn).length + turn.looks.filter(({ op }) => op === "takeOrClose").length,
        0,
        "11: nothing is taken",
      );
      repeated = true;
    } else if (due && met === "no" && is.isCalm(s)) must(false, "11: the forced choice is asked for once more");
    const accepted = forced !== undefined && once && repeated && !seen && is.kind(turn) === "text" && met === "no";
    const warned = s.trace.events.some(({ type }) => type === "warning");
    if (accepted && is.isCalm(s)) must(warned, "11: accepting a text where a call was forced gives a warning");
  }
};

/** 12. A decision or output is wanted: nothing asks for one in the walk, so nothing is ever re-asked. */
const row12: Rule = (s) => {
  must(
    s.turns.every(({ label }) => label !== "reask"),
    "12: no re-ask without a wanted value",
  );
  must(s.outcome !== "undecided", "12: not undecided without a wanted value");
};

/** 13. Text only, not paused: take or close the inbox; at a limit with atLimit "stop" close it without taking. */
const row13: Rule = (s) => {
  for (const turn of s.turns) {
    const takes = turn.looks.filter(({ op }) => op === "takeOrClose");
    if (!is.finishes(s, turn) || is.wasRepeated(s, turn)) {
      same(takes.length, 0, `13: the inbox is not taken behind reply ${turn.index + 1}`);
      continue;
    }
    if (!is.isCalm(s)) continue;
    const read = is.takenIn(drainsOf(turn)).length > 0;
    const closes = is.stopsAtLimit(s) && is.limitsAt(s, turn).length > 0;
    if (closes || read) same(takes.length, 0, "13: the inbox is not taken");
    else same(takes.length, 1, "13: the inbox is taken or closed once");
    const ends = closes || (!read && takes[0]?.closed === true);
    if (!ends) must(is.nextOf(s, turn) !== undefined || s.outcome === "stuck", "13: a message keeps the run alive");
    else same(s.outcome, restOf(turn), "13: the outcome of a text");
    if (ends) must(is.nextOf(s, turn) === undefined, "13: nothing is asked behind the end");
  }
  for (const look of [...s.opening, ...s.turns.flatMap(({ looks }) => looks)]) {
    const kinds = look.taken.map(({ kind }) => kind);
    if (look.op === "close") continue;
    must(
      !kinds.includes("at_end") || look.op === "takeOrClose",
      "13: follow-ups are taken only when the run would rest",
    );
    must(!kinds.includes("at_end") || kinds.every((kind) => kind === "at_end"), "13: steering goes before follow-ups");
  }
  const last = lastOf(s);
  if (s.outcome === "stop" || s.outcome === "empty") {
    must(last !== undefined && ["text", "dead calls"].includes(is.kind(last)), `13: ${s.outcome} comes from a text`);
  }
};

function restOf(turn: Turn): string {
  if (is.ending(turn) === "length") return "length";
  return turn.reply && textOf(turn.reply) !== "" ? "stop" : "empty";
}

/** 14. stuck.endAfter is reached, or a limit: outcome stuck; by atLimit one closing request, or the end. */
const row14: Rule = (s) => {
  const last = lastOf(s);
  for (const turn of s.turns) {
    const reached = is.limitsAt(s, turn);
    const next = is.nextOf(s, turn);
    if (next === undefined || is.isClosing(turn)) continue;
    if (is.isClosing(next)) {
      must(reached.length > 0 && !is.stopsAtLimit(s), "14: the closing request comes at a limit");
      if (is.isCalm(s) && is.kind(next) !== "failed")
        must(reached.includes(s.outcome ?? "stop"), "14: the outcome is the limit");
      same(next.request.toolChoice, "none", "14: the closing request allows no call");
      const end = next.request.messages.at(-1);
      must(end?.role === "user" && !is.isSent(s, end) && textOf(end) !== "go", "14: a notice is the last message");
    } else same(reached, [], `14: no round behind a limit (request ${next.index + 1})`);
  }
  mustEndWhenStuck(s);
  if (last === undefined || !limits.includes(s.outcome ?? "")) return;
  if (is.isClosing(last)) return;
  must(is.stopsAtLimit(s) && is.limitsAt(s, last).includes(s.outcome ?? "stop"), `14: ${s.outcome} without closing`);
};

function mustEndWhenStuck(s: Story): void {
  const { stuck } = s.trace.setup.options;
  const endAfter = typeof stuck === "object" ? stuck.endAfter : never;
  for (const turn of s.turns) {
    if (is.kind(turn) !== "calls") continue;
    const surely = is.repeatedCalls(s, turn, (a, b) => a.key === b.key && a.ran && b.ran && a.text === b.text, false);
    if (surely < endAfter || !is.isCalm(s)) continue;
    same(s.outcome, "stuck", `14: the run ends when ${endAfter} calls in a row were equal`);
    must(is.nextOf(s, turn) === undefined, "14: nothing is asked behind that");
  }
  if (s.outcome !== "stuck") return;
  const last = lastOf(s);
  must(
    last !== undefined && is.repeatedCalls(s, last, (a, b) => a.key === b.key, true) >= endAfter,
    "14: stuck only by equal calls",
  );
}

/** 15. Otherwise ask the model; it counts as a round; behind a pause nothing is added; the eleventh in a row: length. */
const row15: Rule = (s) => {
  const rounds = s.turns.filter(({ label }) => typeof label === "number");
  same(
    rounds.map(({ label }) => label),
    rounds.map((_, index) => index + 1),
    "15: rounds are counted from 1",
  );
  if (is.isCalm(s)) same(s.trace.result?.rounds, rounds.length, "15: the result counts the rounds");
  must(rounds.length <= is.capOf(s), "15: no more rounds than allowed");
  const forced = is.forcedChoice(s);
  for (const turn of s.turns) {
    const { request } = turn;
    same(request.tools, s.turns[0]?.request.tools, "15: every request declares the same tools");
    if (typeof turn.label === "number") {
      const free = s.trace.setup.options.toolChoice === "none" ? "none" : "auto";
      const met = forced === undefined ? "yes" : is.metBefore(s, turn);
      const holds = forced !== undefined && s.trace.setup.options.toolChoiceScope === "round";
      if (holds || met === "no")
        same(request.toolChoice, forced?.sent, `15: the forced choice of request ${turn.index + 1}`);
      else if (met === "yes") same(request.toolChoice, free, `15: the choice of request ${turn.index + 1}`);
    }
    mustGoOn(s, turn);
  }
  must(s.turns.length > 0 || !is.isCalm(s), "15: the model is asked");
};

/** Each request holds the one before, the reply and its results; the last reply is one that ends the run. */
function mustGoOn(s: Story, turn: Turn): void {
  const next = is.nextOf(s, turn);
  const pauses = is.inARow(s, turn, is.isPause);
  if (next !== undefined) {
    const spoken = is.takenIn(turn.looks).length > 0;
    must(pauses < 11 || spoken, "15: no request behind the eleventh pause in a row");
    const { messages } = turn.request;
    must(
      messages.every((message, index) => message === next.request.messages[index]),
      `15: request ${next.index + 1} begins like the one before`,
    );
    const recorded = turn.reply && turn.reply.content.length > 0 ? [turn.reply] : [];
    const expected = [...recorded, ...turn.calls.flatMap(({ results }) => results)];
    const added = is.addedBy(turn, next);
    same(
      added.slice(0, expected.length),
      expected,
      `15: request ${next.index + 1} goes on with the reply and its results`,
    );
    const notices = is.noticesIn(s, added).length;
    same(
      notices,
      is.isClosing(next) || is.wasRepeated(s, turn) ? 1 : 0,
      "15: nothing is added but messages and notices",
    );
    return;
  }
  if (!is.isCalm(s) || is.isClosing(turn) || is.kind(turn) === "failed" || is.limitsAt(s, turn).length > 0) return;
  const over = is.finishes(s, turn) || is.inARow(s, turn, is.isCutWithCalls) >= 2 || s.outcome === "stuck";
  if (!over) must(pauses >= 11, `15: the model is asked again behind reply ${turn.index + 1}`);
  if (pauses >= 11) same(s.outcome, "length", "15: the eleventh pause in a row ends the run");
}

export const rows: { readonly [name: string]: Rule } = {
  row1,
  row2,
  row3,
  row4,
  row5,
  row6,
  row7,
  row8,
  row9,
  row10,
  row11,
  row12,
  row13,
  row14,
  row15,
};
