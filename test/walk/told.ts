import * as is from "./facts.ts";
import { must, same } from "./must.ts";
import type { Rule, Story } from "./story.ts";

/** Every request has its `round_start` and one `round_end`, with the reply and the results of its calls, in order. */
export const told: Rule = (s) => {
  const ends = s.trace.events.flatMap((event) => (event.type === "round_end" ? [event] : []));
  const starts = s.trace.events.filter(({ type }) => type === "round_start");
  const begun = s.turns.filter(({ reply }) => reply !== undefined);
  same(ends.length, starts.length, "told: every round that was begun ends once");
  for (const [index, turn] of begun.entries()) {
    const end = ends[index];
    same(end?.round, turn.label, "told: the label of the round's end");
    must(end?.message === turn.reply, "told: the round's end holds the reply");
    const results = turn.calls.flatMap((call) => call.results);
    same(end?.toolResults, results, "told: the round's end holds the results");
  }
};

/** Keys are positions, unique in a run: run / request / index in the batch; and a step is only for what needs one. */
export const keys: Rule = (s) => {
  const seen = new Set<string>();
  for (const entry of s.log) {
    if (entry.type !== "enter" || entry.key === "") continue;
    must(!seen.has(entry.key), `keys: ${entry.key} is used once`);
    seen.add(entry.key);
  }
  for (const turn of s.turns) {
    const root = keyBefore(s, turn.from);
    must(root.endsWith(`/${turn.index + 1}`), `keys: request ${turn.index + 1} has the key ${root}`);
    for (const call of turn.calls) {
      if (call.ran) same(keyBefore(s, call.startAt), `${root}/${call.index}`, `keys: the key of ${call.id}`);
    }
  }
  if (!is.isCalm(s)) return;
  const works = s.log.filter(({ type }) => type === "request" || type === "tool_start" || type === "callback");
  const steps = s.log.filter((entry) => entry.type === "enter" && entry.op === "step");
  same(steps.length, works.length, "keys: every step is a request, a call, or a callback that there is");
};

/** The key of the step that this is done in. */
function keyBefore({ log }: Story, index: number): string {
  for (let at = index; at >= 0; at--) {
    const entry = log[at];
    if (entry?.type === "enter" && entry.op === "step") return entry.key;
  }
  return "";
}
