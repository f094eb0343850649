import * as is from "./facts.ts";
import { refusal } from "./letters.ts";
import { must, same } from "./must.ts";
import { questionsOf, waitedOut } from "./questions.ts";
import type { Rule, Story } from "./story.ts";

const never = Number.POSITIVE_INFINITY;

/**
 * An approval waits without a timer, or for as long as is said: counted from the record that let the calls go on, for all
 * the waits for one answer. What is refused says why.
 */
export const approvals: Rule = (s) => {
  const { setup, deadline } = s.trace;
  const ms = ("approvalMs" in setup && setup.approvalMs) || never;
  const latest = setup.options.timeoutMs === undefined ? never : deadline;
  for (const turn of s.turns) {
    for (const { waits } of questionsOf(s, turn)) {
      const until = Math.min(dateBefore(s, waits[0]?.enterAt ?? 0) + ms, latest);
      for (const wait of waits) same(wait.until ?? never, until, "approvals: until when somebody is waited for");
    }
    for (const call of turn.calls) {
      if (!call.approval || call.ran || !is.isCalm(s) || is.excusesOf(s, turn, call).join() !== "row 8: denied")
        continue;
      const silent = waitedOut(s, turn, call);
      const told = { why: call.text.includes(refusal), silence: call.text.includes("in time") };
      const why = !silent && call.approval.letter === "no";
      same(told, { why, silence: silent }, `approvals: the reason for which ${call.id} was refused`);
      must(!call.text.includes("undefined"), `approvals: no reason for ${call.id} is made up`);
    }
  }
};

/** The date of the last record before this. */
function dateBefore({ log }: Story, index: number): number {
  for (let at = index - 1; at >= 0; at--) {
    const entry = log[at];
    if (entry?.type === "done" && entry.at !== undefined) return entry.at;
  }
  return never;
}
