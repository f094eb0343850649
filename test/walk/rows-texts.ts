import { textOf } from "../../src/message/message.ts";
import * as is from "./facts.ts";
import type { Look } from "./looks.ts";
import { must, same } from "./must.ts";
import { decides, pickedBy } from "./picks.ts";
import { waitsOf } from "./questions.ts";
import type { Rule, Story, Turn } from "./story.ts";

/** 10. Pending messages (but at a limit with atLimit "stop"): in history behind the batch's results. */
export const row10: Rule = (s) => {
  const check = (looks: Turn["looks"], before: Turn | undefined, next: Turn | undefined) => {
    const taken = is.takenIn(looks.filter(({ op }) => op !== "close")).map(({ text }) => text);
    const left = before !== undefined && is.restsAtLimit(s, before);
    if (next === undefined) {
      const read = is.textsIn(s, s.messages).filter((text) => taken.includes(text));
      if (is.isCalm(s))
        same(read, left ? [] : taken, "10: pending messages are put in history, unless it ends at a limit");
      return;
    }
    const added = before ? is.addedBy(before, next) : next.request.messages;
    same(is.textsIn(s, added), left ? [] : taken, `10: request ${next.index + 1} holds what was pending, in order`);
    const from = added.findIndex((message) => is.isSent(s, message));
    const behind = from < 0 ? [] : added.slice(from);
    must(
      behind.every(({ role }) => role === "user"),
      "10: messages stand behind the results",
    );
    for (const { text, receipt } of s.sent) {
      if (left || !taken.includes(text)) continue;
      same(receipt.status, "delivered", `10: the receipt of ${text}`);
      if (typeof next.label === "number") same(receipt.round, next.label, `10: the round that read ${text}`);
    }
  };
  check(s.opening, undefined, s.turns[0]);
  for (const turn of s.turns) check(turn.looks, turn, is.nextOf(s, turn));
};

/** 11. Text only, a forced choice never met and not yet repeated, no limit reached: the notice, and 15 asks again. */
export const row11: Rule = (s) => {
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
      same(turn.looks.length, 0, "11: nothing is taken, and nobody asked");
      repeated = true;
    } else if (due && met === "no" && is.isCalm(s)) must(false, "11: the forced choice is asked for once more");
    const ends = is.kind(turn) === "text" && !seen && !is.isReaskDue(s, turn);
    const rests = turn.looks.some(({ op }) => op === "takeOrClose" || op === "close");
    const accepted = forced !== undefined && once && repeated && ends && rests && met === "no";
    const warned = s.trace.events.some(({ type }) => type === "warning");
    if (accepted && is.isCalm(s)) must(warned, "11: accepting a text where a call was forced gives a warning");
  }
};

/** 12. Text only, a decision is wanted and not valid, re-asks left: the reason, and a request without choice; no round. */
export const row12: Rule = (s) => {
  for (const turn of s.turns) {
    const next = is.nextOf(s, turn);
    const due = is.isReaskDue(s, turn);
    if (due && is.isCalm(s)) must(next !== undefined && is.isReask(next), "12: what is wanted is asked for again");
    if (next === undefined || !is.isReask(next)) continue;
    must(due, "12: asked again only while something is wanted and not there");
    same(next.request.toolChoice, "none", "12: a re-ask allows no call");
    const added = is.addedBy(turn, next);
    const end = added.at(-1);
    must(end?.role === "user" && !is.isSent(s, end), "12: the reason is the last message");
    same(is.textsIn(s, added), [], "12: nothing else is put in history");
    same(
      turn.looks.filter(({ op }) => op === "takeOrClose"),
      [],
      "12: the inbox is not taken before a re-ask",
    );
  }
  const last = is.lastOf(s);
  if (s.outcome !== "undecided") return;
  must(is.wantedOf(s) !== undefined && last !== undefined && is.finishes(s, last), "12: undecided behind a text");
};

/** 13. Text only, not paused: take or close the inbox; at a limit with atLimit "stop" close it without taking. */
export const row13: Rule = (s) => {
  for (const turn of s.turns) {
    const takes = turn.looks.filter(({ op }) => op === "takeOrClose" || op === "followUps");
    if (!is.finishes(s, turn) || is.wasRepeated(s, turn) || is.isReaskDue(s, turn)) {
      same(takes.length, 0, `13: the inbox is not taken behind reply ${turn.index + 1}`);
      continue;
    }
    if (!is.isCalm(s)) continue;
    const read = is.takenIn([...is.batchLooks(s, turn), ...waitsOf(turn)]).length > 0;
    const closes = is.restsAtLimit(s, turn);
    const looks = is.restLooks(s, turn).filter(({ op }) => op !== "close" && op !== "wait");
    same(
      looks.map(({ op }) => op),
      closes || read ? [] : restOrder(s, looks),
      "13: steering is asked for, then follow-ups, and the inbox is taken when there were none; nobody is asked for more",
    );
    const ends = closes || (!read && takes.at(-1)?.closed === true);
    if (!ends) must(is.nextOf(s, turn) !== undefined || s.outcome === "stuck", "13: a message keeps the run alive");
    else same(s.outcome, restOf(s, turn), "13: the outcome of a text");
    if (ends) must(is.nextOf(s, turn) === undefined, "13: nothing is asked behind the end");
  }
  for (const look of [...s.opening, ...s.turns.flatMap(({ looks }) => looks)]) {
    const kinds = look.taken.map(({ kind }) => kind);
    if (look.op === "close") continue;
    must(
      !kinds.includes("at_end") || look.op === "takeOrClose" || look.op === "followUps",
      "13: follow-ups are taken only when the run would rest",
    );
    must(!kinds.includes("at_end") || kinds.every((kind) => kind === "at_end"), "13: steering goes before follow-ups");
  }
  const last = is.lastOf(s);
  if (s.outcome === "stop" || s.outcome === "empty") {
    must(last !== undefined && ["text", "dead calls"].includes(is.kind(last)), `13: ${s.outcome} comes from a text`);
  }
};

/**
 * In which order a run that comes to rest asks: both callbacks before the inbox, steering of either kind before
 * follow-ups of either kind, and no further when something was given.
 */
function restOrder(s: Story, looks: readonly Look[]): readonly string[] {
  const asks = is.callbacksOf(s);
  const all = [
    ...(asks.includes("steering") ? ["steering"] : []),
    ...(asks.includes("followUps") ? ["drain", "followUps"] : []),
    "takeOrClose",
  ];
  const gave = looks.findIndex(({ taken }) => taken.length > 0);
  return gave < 0 ? all : all.slice(0, gave + 1);
}

function restOf(s: Story, turn: Turn): string {
  const text = turn.reply ? textOf(turn.reply) : "";
  const picked = pickedBy(s, turn);
  if (picked) return picked.letter === "throws" ? "error" : "stop";
  if (is.ending(turn) === "length") return "length";
  if (text === "") return "empty";
  return is.wantedOf(s) === undefined || decides(s, turn) ? "stop" : "undecided";
}
