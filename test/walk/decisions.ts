import { textOf } from "../../src/message/message.ts";
import * as is from "./facts.ts";
import { editedTo, refusal } from "./letters.ts";
import { must, same } from "./must.ts";
import { approvalOf, decides, pickedBy, picks, pickWaitedOut } from "./picks.ts";
import { denies } from "./questions.ts";
import { isDecision, type Rule, type Story, type Turn } from "./story.ts";
import { wantedText } from "./wanted.ts";

const never = Number.POSITIVE_INFINITY;

/**
 * A function that is picked as the decision runs once the inbox is closed and before the outcome is set: in the last
 * reply, once it is approved; a denial is an invalid pick. Nothing of it enters the history; what it throws is the error.
 */
export const decisions: Rule = (s) => {
  if (is.wantedOf(s) === undefined) return;
  const begun = s.log.flatMap((entry, at) => (entry.type === "tool_start" && isDecision(entry) ? [at] : []));
  must(begun.length <= 1, "decisions: one function is run");
  must(Math.min(begun[0] ?? never, s.decisionAt) > s.closedAt, "decisions: it runs once the inbox is closed");
  must(
    !s.messages.some((one) => one.role === "tool" && one.callId.startsWith("decision")),
    "decisions: not in history",
  );
  const told = s.trace.events.flatMap((event) =>
    (event.type === "tool_start" || event.type === "tool_end") && event.call.id.startsWith("decision")
      ? [event.type]
      : [],
  );
  same(told, s.decisionAt < never ? ["tool_start", "tool_end"] : [], "decisions: it is told like a call");
  for (const event of s.trace.events) {
    if (event.type !== "tool_end" || !event.call.id.startsWith("decision") || begun.length > 0) continue;
    must(/No work was done/.test(textOf(event.result)), "decisions: one that is not begun says that no work was done");
  }
  for (const turn of s.turns) {
    const picked = pickedBy(s, turn);
    if (picked) must(turn === is.lastOf(s), "decisions: it is that of the last reply");
    mustSayWhy(s, turn);
    if (!is.isCalm(s)) continue;
    judge(s, turn, picked?.letter);
    const edited = approvalOf(s, turn)?.letter === "edits";
    if (picked) same(picked.n, edited ? editedTo : undefined, "decisions: the arguments that it runs with");
  }
};

function judge(s: Parameters<Rule>[0], turn: Turn, letter: string | undefined): void {
  if (!picks(turn)) {
    must(letter === undefined, "decisions: nothing is run that was not picked");
    return;
  }
  const approval = approvalOf(s, turn);
  if (turn.letter === "pick") must(approval === undefined, "decisions: nobody is asked");
  else if (letter !== undefined) must(decides(s, turn) && approval !== undefined, "decisions: it is approved");
  const ended = turn === is.lastOf(s) && s.outcome !== "stuck";
  const interrupted = is.takenIn(turn.looks.filter(({ op }) => op !== "close")).length > 0;
  const spoken = interrupted && is.isClosing(turn);
  if (ended && decides(s, turn) && !spoken) must(letter !== undefined, "decisions: what was picked is run");
  if (letter === undefined) return;
  if (letter === "throws") {
    same(s.outcome, "error", "decisions: one that throws is an error");
    must(s.trace.result?.error?.message.startsWith("bad") === true, "decisions: the error is what was thrown");
  } else if (is.isClosing(turn)) must(is.limitOutcomes.includes(s.outcome ?? ""), "decisions: the limit that closed");
}

/** What the model reads of an invalid pick: the reason, and the menu. Where it is not asked again, the error says why. */
function mustSayWhy(s: Story, turn: Turn): void {
  const next = is.nextOf(s, turn);
  let text: string;
  if (next && is.isReask(next)) {
    text = next.request.messages.map((message) => textOf(message)).at(-1) ?? "";
    for (const name of [wantedText, "pick", "signed"]) {
      must(text.includes(`"call":"${name}"`), `decisions: the menu of a re-ask offers ${name}`);
    }
  } else if (next === undefined && s.outcome === "undecided") text = s.trace.result?.error?.message ?? "";
  else return;
  if (turn.letter !== "signed") return;
  const letter = approvalOf(s, turn)?.letter;
  const waitedOut = pickWaitedOut(s, turn);
  const denied = waitedOut || denies(letter);
  same(/"signed"[^.]*denied/.test(text), denied, "decisions: the model is told that it was denied");
  same(/arguments/.test(text), !denied && letter === "spoils", "decisions: it is told of arguments that do not fit");
  same(text.includes(refusal), !waitedOut && letter === "no", "decisions: it is told why somebody said no");
  same(/in time/.test(text), waitedOut, "decisions: it is told that nobody answered");
  must(!/undefined/.test(text), "decisions: no reason is made up");
}
