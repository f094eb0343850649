import { isStuck, wasRepeated } from "./guard.ts";
import { limitReached, spent } from "./limits.ts";
import type { NotRun, State, Step } from "./state.ts";
import { closingNotice, reaskNotice } from "./texts.ts";

type Row = (s: State) => Step | undefined;

const everything = ["control", "now", "after_round"] as const;
const urgent = ["control", "now"] as const;
const control = ["control"] as const;

const open = (s: State) => s.next < s.calls.length;
const all = (s: State, why: NotRun): Step => ({ do: "answer", to: s.calls.length, why });
const one = (s: State, why: NotRun): Step => ({ do: "answer", to: s.next + 1, why });
/** The last reply, while nothing but its own results has come behind it. */
const last = (s: State) => (s.replyIsLast ? s.reply : undefined);
/** The last reply, if it finished with text: nothing may be added behind a pause, so a pause is not that. */
const finished = (s: State) => {
  const reply = last(s);
  return reply?.textOnly && reply.stop !== "pause" ? reply : undefined;
};
/** The caller forced a choice. */
export const isForced = (s: State) => typeof s.config.toolChoice === "object" || s.config.toolChoice === "required";
/** The limit that is reached ends the run at once. */
export const stopsAtLimit = (s: State) => s.config.atLimit === "stop" && limitReached(s) !== undefined;

/** Row 1: the outcome is known. */
const known: Row = (s) => (s.outcome === undefined ? undefined : { do: "finish" });

/** Row 2: an abort or deadline is on record; a fired signal makes a look at `control` due at once. */
const ended: Row = (s) => {
  if (s.ending) return { do: "end", outcome: s.ending };
  return s.signalled ? { do: "drain", kinds: control } : undefined;
};

/** Row 3: the reply failed, was aborted or refused. */
const failed: Row = (s) => {
  const stop = last(s)?.stop;
  return stop === "error" || stop === "aborted" || stop === "refusal" ? { do: "end", outcome: stop } : undefined;
};

/** Row 4: that was the closing reply; a function that it picked as its decision runs before the end. */
const closed: Row = (s) => {
  if (last(s)?.kind !== "closing" || !s.closing) return undefined;
  if (!s.picked) return { do: "end", outcome: s.closing };
  return asked(s) ?? (s.closed ? { do: "decide" } : { do: "close" });
};

/** A picked function whose approval is still to be asked for. */
const asked = (s: State): Step | undefined => (s.picked?.verdict.approval ? { do: "approve" } : undefined);

/** Row 5: calls of a cut reply, or of one that might not call. */
const unusable: Row = (s) => {
  const reply = last(s);
  if (!reply || !open(s)) return undefined;
  if (reply.stop === "length") return s.cuts >= 2 ? { do: "end", outcome: "length" } : all(s, "cut");
  return reply.allowed ? undefined : all(s, "not_allowed");
};

/** Row 6: a drain is due. */
const drain: Row = (s) => {
  if (s.drain === "callback") return { do: "steering" };
  return s.drain === "inbox" ? { do: "drain", kinds: open(s) ? urgent : everything } : undefined;
};

/** Row 7: a message to be read now, or a limit, stands before the open calls. */
const skipped: Row = (s) => {
  if (!open(s)) return undefined;
  if (s.pendingNow) return all(s, "skipped");
  const limit = spent(s);
  return limit && all(s, limit);
};

/** Row 8: the next call needs an approval. */
const approve: Row = (s) => {
  const next = s.calls[s.next];
  return next && needsApproval(s, s.next) && !s.approval ? { do: "approve" } : undefined;
};

const needsApproval = (s: State, index: number) => s.calls[index]!.verdict.approval && notRun(s, index) === undefined;

/** Why this call may not run, its approval aside. */
function notRun(s: State, index: number): NotRun | undefined {
  const { call, verdict } = s.calls[index]!;
  if (s.config.firstCallOnly && index > 0) return "only_first";
  if (verdict.problem !== undefined) return "problem";
  return s.config.guard && !verdict.repeatable && isStuck(s.guard, call) ? "repeated" : undefined;
}

/** Row 9: the next call, or several that may run together. */
const run: Row = (s) => {
  if (!open(s)) return undefined;
  const why = notRun(s, s.next);
  if (why) return one(s, why);
  if (s.approval && !s.approval.approved) return one(s, "denied");
  let to = s.next + 1;
  const most = Math.min(s.calls.length, s.next + Math.min(s.config.overlap, s.budget.toolCalls ?? Infinity));
  if (s.calls[s.next]!.verdict.readOnly) while (to < most && mayJoin(s, to)) to++;
  return { do: "run", to };
};

const mayJoin = (s: State, index: number) =>
  s.calls[index]!.verdict.readOnly && !s.calls[index]!.verdict.approval && notRun(s, index) === undefined;

/** Row 10: pending messages enter the history, behind the results of the batch. */
const enter: Row = (s) => (s.pending.length > 0 && !stopsAtLimit(s) ? { do: "enter" } : undefined);

/** Row 11: text where a choice was forced: asked for once more. */
const insist: Row = (s) => {
  if (!finished(s) || !isForced(s) || s.choiceMet || s.choiceRepeated) return undefined;
  return s.config.toolChoiceScope === "once" && limitReached(s) === undefined ? { do: "notice" } : undefined;
};

/** Row 12: text without the decision or output that was wanted; a denied function is none. */
const reask: Row = (s) => {
  const reply = finished(s);
  if (reply && s.picked && !s.closed) return asked(s);
  if (!reply?.judged || reply.judged.valid || s.reasked >= s.config.reasks) return undefined;
  const limit = spent(s);
  if (limit === "max_tokens" || limit === "max_cost") return undefined;
  return { do: "ask", kind: "reask", choice: "none", notice: reaskNotice(reply.judged.reason) };
};

/** Row 13: text; the run comes to rest unless somebody has more to say. */
const rest: Row = (s) => {
  if (!finished(s)) return undefined;
  if (s.closed) return { do: "decide" };
  if (stopsAtLimit(s)) return { do: "close" };
  if (s.rest === "steering") return { do: "steering" };
  if (s.rest === "inbox") return { do: "drain", kinds: everything };
  return s.rest === "followUps" ? { do: "followUps" } : { do: "take" };
};

/** Row 14: stuck, or at a limit. */
const limited: Row = (s) => {
  if (wasRepeated(s.guard, s.config.endAfter)) return { do: "end", outcome: "stuck" };
  const limit = limitReached(s);
  if (!limit) return undefined;
  if (s.config.atLimit === "stop") return { do: "end", outcome: limit };
  return { do: "ask", kind: "closing", choice: "none", notice: closingNotice(limit, s.config.wanted), limit };
};

/** Row 15: otherwise the model is asked. */
const ask: Row = (s) => {
  if (last(s)?.stop === "pause" && s.pauses > 10) return { do: "end", outcome: "length" };
  const { toolChoice, toolChoiceScope } = s.config;
  const free = isForced(s) && s.choiceMet && toolChoiceScope === "once";
  return { do: "ask", kind: "round", choice: free ? "auto" : toolChoice };
};

/** The table of the loop: the first row that fits says what happens next. */
export const rows: readonly Row[] = [
  known,
  ended,
  failed,
  closed,
  unusable,
  drain,
  skipped,
  approve,
  run,
  enter,
  insist,
  reask,
  rest,
  limited,
  ask,
];

/** The next step of a run. Pure: the same state gives the same step, whatever the world does. */
export function decide(state: State): Step {
  if (state.finished) return { do: "rest" };
  for (let i = 0; i < rows.length; i++) {
    const step = rows[i]!(state);
    if (step) return step;
  }
  throw new Error("The last row always fits.");
}
