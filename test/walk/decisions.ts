import * as is from "./facts.ts";
import { must, same } from "./must.ts";
import { isDecision, type Rule, type Turn } from "./story.ts";

/**
 * A function that is picked as the decision runs once the inbox is closed and before the outcome is set: in the last
 * reply, once it is approved; a denial is an invalid pick. Nothing of it enters the history; what it throws is the error.
 */
export const decisions: Rule = (s) => {
  if (is.wantedOf(s) === undefined) return;
  const begun = s.log.flatMap((entry, at) => (entry.type === "tool_start" && isDecision(entry) ? [at] : []));
  must(begun.length <= 1, "decisions: one function is run");
  must((begun[0] ?? s.log.length) > s.closedAt, "decisions: it runs once the inbox is closed");
  must(
    !s.messages.some((one) => one.role === "tool" && one.callId.startsWith("decision")),
    "decisions: not in history",
  );
  const told = s.trace.events.flatMap((event) =>
    (event.type === "tool_start" || event.type === "tool_end") && event.call.id.startsWith("decision")
      ? [event.type]
      : [],
  );
  same(told, begun.length > 0 ? ["tool_start", "tool_end"] : [], "decisions: it is told like a call");
  for (const turn of s.turns) {
    const picked = is.pickedBy(s, turn);
    if (picked) must(turn === is.lastOf(s), "decisions: it is that of the last reply");
    if (is.isCalm(s)) judge(s, turn, picked?.letter);
  }
};

function judge(s: Parameters<Rule>[0], turn: Turn, letter: string | undefined): void {
  const picks = turn.letter === "pick" || turn.letter === "signed";
  if (!picks) {
    must(letter === undefined, "decisions: nothing is run that was not picked");
    return;
  }
  const approval = is.approvalOf(s, turn);
  if (turn.letter === "pick") must(approval === undefined, "decisions: nobody is asked");
  else if (letter !== undefined)
    must(approval?.letter === "yes" || approval?.letter === "late", "decisions: it is approved");
  const ended = turn === is.lastOf(s) && s.outcome !== "stuck";
  const interrupted = is.takenIn(turn.looks.filter(({ op }) => op !== "close")).length > 0;
  const spoken = interrupted && is.isClosing(turn);
  if (ended && is.decides(s, turn) && !spoken) must(letter !== undefined, "decisions: what was picked is run");
  if (letter === undefined) return;
  if (letter === "throws") {
    same(s.outcome, "error", "decisions: one that throws is an error");
    must(s.trace.result?.error?.message.startsWith("bad") === true, "decisions: the error is what was thrown");
  } else if (is.isClosing(turn)) must(is.limitOutcomes.includes(s.outcome ?? ""), "decisions: the limit that closed");
}
