import { callsOf, textOf } from "../message/message.ts";
import { approved } from "./approved.ts";
import { firstDrain, firstRest } from "./begin.ts";
import { each } from "./each.ts";
import { afterCall, afterResult } from "./guard.ts";
import { drained, pendingOf, queued, taken, unsent, userMessages } from "./pending.ts";
import { restOutcome } from "./rest.ts";
import type { Ask, Budget, LastReply, LoopRecord, State, Step } from "./state.ts";

/** The state once a step is begun: what is certain before its record is there. Not journaled, a resume derives it again. */
export function begun(s: State, step: Step): State {
  switch (step.do) {
    case "end":
      return { ...s, outcome: step.outcome };
    case "finish":
      return { ...s, next: s.calls.length };
    case "answer":
      return answered(s, step.to);
    case "run":
      return s.budget.toolCalls === undefined ? s : { ...s, budget: without(s.budget, step.to - s.next) };
    case "enter":
      return { ...s, pending: [], pendingNow: false, replyIsLast: false, reasked: 0 };
    case "notice":
      return { ...s, replyIsLast: false, choiceRepeated: true };
    case "ask": {
      const requests = s.requests + 1;
      if (step.kind === "round") return { ...s, requests, replyIsLast: false, rounds: s.rounds + 1 };
      if (step.limit) return { ...s, requests, replyIsLast: false, closing: step.limit };
      return { ...s, requests, replyIsLast: false, reasked: s.reasked + 1 };
    }
    default:
      return s;
  }
}

function answered(s: State, to: number): State {
  let { guard } = s;
  for (let i = s.next; i < to; i++) guard = afterCall(guard, s.calls[i]!, undefined);
  const drain = to === s.calls.length ? firstDrain(s.config) : s.drain;
  return { ...s, next: to, guard, approval: undefined, drain };
}

const without = (budget: Budget, calls: number): Budget => ({ ...budget, toolCalls: budget.toolCalls! - calls });

/** The state behind a record. `asked` is the request that a reply answers. */
export function apply(before: State, record: LoopRecord, asked?: Ask): State {
  const { deadlineAt } = before.config;
  const late = deadlineAt !== undefined && record.at >= deadlineAt && before.ending === undefined;
  const s: State = late ? { ...before, ending: "timeout" } : before;
  switch (record.type) {
    case "reply":
      return replied(s, record, asked!);
    case "result":
      return ran(s, record);
    case "drained":
      return taken(drained(s, record.at), record.messages);
    case "steered": {
      const messages = unsent(record.messages);
      if (s.drain === "callback") return queued({ ...s, drain: "inbox" }, messages, true);
      return queued({ ...s, rest: s.config.asksFollowUps ? "inbox" : "take" }, messages, true);
    }
    case "followed":
      return queued({ ...s, rest: "take" }, unsent(record.messages), false);
    case "approval":
      return approved(s, record);
    case "taken":
      return taken(s, record.messages);
    case "closed": {
      const undelivered = [...s.undelivered, ...userMessages([...s.pending, ...pendingOf(record.messages)])];
      const done: State = { ...s, pending: [], pendingNow: false, undelivered };
      if (s.outcome !== undefined) return { ...done, finished: true };
      return s.picked ? { ...done, closed: true } : { ...done, outcome: restOutcome(s.reply!) };
    }
    case "decided":
      return decided(s, record);
  }
}

function replied(
  s: State,
  { at, message, verdicts, judged, budget }: Extract<LoopRecord, { type: "reply" }>,
  asked: Ask,
): State {
  const calls = each(callsOf(message), (call, i) => ({ call, verdict: verdicts[i]! }));
  const allowed = asked.choice !== "none";
  const reply: LastReply = {
    kind: asked.kind,
    stop: message.stopReason,
    allowed,
    textOnly: !allowed || calls.length === 0,
    hasText: textOf(message).trim() !== "",
    judged,
  };
  return {
    ...s,
    since: at,
    reply,
    replyIsLast: true,
    calls,
    next: 0,
    rest: firstRest(s.config),
    picked: judged?.valid ? judged.picked : undefined,
    choiceMet: s.choiceMet || (allowed && calls.some(({ verdict }) => verdict.satisfies)),
    cuts: reply.stop === "length" && calls.length > 0 ? s.cuts + 1 : 0,
    pauses: reply.stop === "pause" ? s.pauses + 1 : 0,
    budget: budget ?? s.budget,
  };
}

function ran(s: State, { message, budget = s.budget }: Extract<LoopRecord, { type: "result" }>): State {
  const guard = afterResult(s.guard, s.calls[s.next]!, message);
  return { ...s, guard, next: s.next + 1, approval: undefined, drain: firstDrain(s.config), budget };
}

/** The run behind the function that it picked as its decision. */
function decided(s: State, { how, ending = "aborted", reason }: Extract<LoopRecord, { type: "decided" }>): State {
  const done: State = { ...s, picked: undefined };
  if (how === "interrupted") return s.ending ? done : { ...done, ending, abortReason: reason };
  return { ...done, outcome: how === "threw" ? "error" : (s.closing ?? restOutcome(s.reply!)) };
}
