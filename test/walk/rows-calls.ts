import * as is from "./facts.ts";
import { editedTo } from "./letters.ts";
import type { Look } from "./looks.ts";
import { must, same } from "./must.ts";
import { denies, waitedOut } from "./questions.ts";
import type { Rule, Story, Turn } from "./story.ts";

const never = Number.POSITIVE_INFINITY;
/** 6. A drain is due: before the first request; after each call that ran; when the batch is complete. */
export const row6: Rule = (s) => {
  const running = ["control", "now"];
  const resting = ["after_round", "control", "now"];
  const seen = (looks: Turn["looks"]) => looks.map(({ kinds }) => [...kinds].sort());
  const endAt = is.isCalm(s) ? never : Math.min(s.signalAt, is.firstLateAt(s));
  const compare = (looks: Turn["looks"], expected: readonly string[][], where: string) => {
    const before = looks.filter(({ enterAt }) => enterAt < endAt);
    const whole = before.length === looks.length && is.isCalm(s);
    same(seen(before), whole ? expected : expected.slice(0, before.length), `6: drains ${where}`);
  };
  compare(is.drainsOf(s.opening), [resting], "before the first request");
  mustAskBefore(s, s.opening);
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
    compare(is.drainsOf(is.batchLooks(s, turn)), expected, `behind reply ${turn.index + 1} (${what})`);
    mustAskBefore(s, is.batchLooks(s, turn));
  }
};

/** The steering callback is asked once at each drain point, before the inbox; nobody asks a callback that is not there. */
function mustAskBefore(s: Story, looks: readonly Look[]): void {
  const asks = is.callbacksOf(s).includes("steering");
  if (!asks) return;
  const endAt = is.isCalm(s) ? never : Math.min(s.signalAt, is.firstLateAt(s));
  for (const [index, { op, enterAt }] of looks.entries()) {
    if (enterAt >= endAt) return;
    const before = looks[index - 1]?.op;
    if (op === "drain") same(before, "steering", "6: the steering callback is asked before the inbox");
    if (op === "steering") must(before !== "steering", "6: the steering callback is asked once");
    must(op !== "followUps", "6: nobody asks for follow-ups at a drain point");
  }
}

/** 7. Open calls, and a `now` message is pending or calls, tokens or cost are used up: the others are skipped / not run. */
export const row7: Rule = (s) => {
  for (const turn of s.turns) {
    const nowAt = turn.looks.find(({ taken }) => taken.some(({ kind }) => kind === "now"))?.doneAt ?? never;
    for (const call of turn.calls) {
      if (call.ran) {
        must(call.startAt < nowAt, `7: ${call.id} does not run behind a message that is to be read now`);
        must(!is.callsUsedUp(s, call.startAt), `7: ${call.id} does not run when the calls are used up`);
        must(!is.tokensUsedUp(s, turn, call.startAt), `7: ${call.id} does not run when the tokens are used up`);
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
export const row8: Rule = (s) => {
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
      const given = call.letter && (approval.letter === "edits" ? editedTo : JSON.parse(call.key.slice(5)).n);
      if (call.ran) same(call.n, given, `8: the argument that ${call.id} runs with`);
      if (waitedOut(s, turn, call)) must(!call.ran, `8: the time to approve of ${call.id} was over`);
      if (approval.letter === "spoils") must(!call.ran, `8: the arguments of ${call.id} are no good any more`);
      if (denies(approval.letter)) must(!call.ran, `8: ${call.id} was denied`);
    }
  }
};

/** 9. Open calls: answer what is stopped, run the next; in overlap mode with its neighbours that may start. */
export const row9: Rule = (s) => {
  for (const turn of s.turns) {
    const ran = turn.calls.filter((call) => call.ran);
    for (const call of turn.calls) {
      const excuses = is.excusesOf(s, turn, call);
      if (!call.ran) must(excuses.length > 0, `9: ${call.id} has to run`);
      const [excuse = ""] = excuses;
      const told = is.reasons[excuse];
      if (!call.ran && excuses.length === 1 && told)
        must(told.test(call.text), `9: ${call.id} says why it was not run (${excuse})`);
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
      must(group.length <= is.overlapBound, `9: no more than ${is.overlapBound} calls run together`);
      const first = turn.calls.find(({ index }) => index === (group.at(-1)?.index ?? 0) + 1);
      const readOnly = group.every((call) => call.readOnly) && first?.readOnly === true;
      if (!is.overlaps(s) || !readOnly || first.ran === false || !is.isCalm(s)) continue;
      must(
        group.length >= is.overlapBound,
        `9: neighbours that may run together do, so ${first.id} starts with the others`,
      );
    }
  }
};
