import { textOf } from "../../src/message/message.ts";
import * as is from "./facts.ts";
import { must, same } from "./must.ts";
import { pickedBy } from "./picks.ts";
import type { Rule, Story, Turn } from "./story.ts";

const never = Number.POSITIVE_INFINITY;
/** 14. stuck.endAfter is reached, or a limit: outcome stuck; by atLimit one closing request, or the end. */
export const row14: Rule = (s) => {
  const last = is.lastOf(s);
  for (const turn of s.turns) {
    const reached = is.limitsAt(s, turn);
    const next = is.nextOf(s, turn);
    if (next === undefined || is.isClosing(turn)) continue;
    if (is.isClosing(next)) {
      must(reached.length > 0 && !is.stopsAtLimit(s), "14: the closing request comes at a limit");
      if (is.isCalm(s) && is.kind(next) !== "failed" && pickedBy(s, next)?.letter !== "throws")
        must(reached.includes(s.outcome ?? "stop"), "14: the outcome is the limit");
      same(next.request.toolChoice, "none", "14: the closing request allows no call");
      const end = next.request.messages.at(-1);
      must(end?.role === "user" && !is.isSent(s, end) && textOf(end) !== "go", "14: a notice is the last message");
    } else if (!is.isReask(next)) same(reached, [], `14: no round behind a limit (request ${next.index + 1})`);
  }
  mustEndWhenStuck(s);
  if (last === undefined || !is.limitOutcomes.includes(s.outcome ?? "")) return;
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
  const last = is.lastOf(s);
  must(
    last !== undefined && is.repeatedCalls(s, last, (a, b) => a.key === b.key, true) >= endAfter,
    "14: stuck only by equal calls",
  );
}

/** 15. Otherwise ask the model; it counts as a round; behind a pause nothing is added; the eleventh in a row: length. */
export const row15: Rule = (s) => {
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
    // A limit that is reached by its calls comes before (row 14).
    must(pauses < 11 || spoken || is.isClosing(next), "15: no request behind the eleventh pause in a row");
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
      is.isClosing(next) || is.isReask(next) || is.wasRepeated(s, turn) ? 1 : 0,
      "15: nothing is added but messages and notices",
    );
    return;
  }
  if (!is.isCalm(s) || is.isClosing(turn) || is.kind(turn) === "failed" || is.limitsAt(s, turn).length > 0) return;
  const over = is.finishes(s, turn) || is.inARow(s, turn, is.isCutWithCalls) >= 2 || s.outcome === "stuck";
  if (!over) must(pauses >= 11, `15: the model is asked again behind reply ${turn.index + 1}`);
  if (pauses >= 11) same(s.outcome, "length", "15: the eleventh pause in a row ends the run");
}
