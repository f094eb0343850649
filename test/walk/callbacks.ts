import * as is from "./facts.ts";
import { must, same } from "./must.ts";
import type { Rule } from "./story.ts";

/** A callback that throws gives a warning and counts as empty. The order of asking is that of rows 6 and 13. */
export const callbacks: Rule = (s) => {
  const thrown = s.log.filter((entry) => entry.type === "callback" && entry.letter === "throws").length;
  const warned = s.trace.events.filter(
    (event) => event.type === "warning" && /get(Steering|FollowUp)Messages/.test(event.message),
  ).length;
  if (is.isCalm(s)) same(warned, thrown, "callbacks: one that throws gives a warning");
  must(warned <= thrown, "callbacks: only one that throws gives a warning");
};
