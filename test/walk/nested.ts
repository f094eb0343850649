import * as is from "./facts.ts";
import { must, same } from "./must.ts";
import type { Rule } from "./story.ts";

/** A run inside of a tool: both end once, the inner one first; its usage adds up around it, and an end reaches it. */
export const nested: Rule = (s) => {
  const { heard, inside, result, events } = s.trace;
  if (inside.length === 0) return;
  must(heard.at(-1) === events.at(-1), "nested: the end of the outer run is the last event");
  const starts = heard.filter(({ type }) => type === "agent_start");
  const ends = heard.filter(({ type }) => type === "agent_end");
  same(starts.length, inside.length + 1, "nested: every run is begun once, and told");
  same(new Set(ends.map(({ runId }) => runId)).size, inside.length + 1, "nested: every run is told to end");
  same(ends.length, inside.length + 1, "nested: every run ends once");
  for (const inner of inside) {
    const cut = inner.log.findIndex(({ type }) => type === "abort");
    const works = inner.log.findLastIndex(({ type }) => type === "request" || type === "tool_start");
    must(cut < 0 || works < cut, "nested: nothing is begun in the inner run behind the abort");
  }
  if (!is.isCalm(s)) return;
  const own = s.turns.reduce((sum, { reply }) => sum + (reply?.usage.totalTokens ?? 0), 0);
  const within = inside.reduce((sum, inner) => sum + (inner.result?.usage.totalTokens ?? 0), 0);
  same(result?.usage.totalTokens, own + within, "nested: the usage of the inner run adds up in the outer one");
};
