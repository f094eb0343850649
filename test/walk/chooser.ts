/** Whoever decides, at each open question of a trace, which of its answers comes. */
export type Chooser = {
  /** One of these, which must not be none. */
  pick<T>(question: string, answers: readonly T[]): T;
};

/** A question that was asked, and which of its answers was given. */
type Choice = { readonly question: string; readonly of: number; taken: number };

/**
 * Calls `trace` once for every path through the tree of its choices, depth first. The tree is not known beforehand: an
 * answer is only varied where a trace really asked the question, so nothing is walked twice and nothing is left out.
 */
export async function everyPath(trace: (chooser: Chooser) => Promise<void>): Promise<number> {
  const path: Choice[] = [];
  let traces = 0;
  for (;;) {
    let depth = 0;
    const chooser: Chooser = {
      pick(question, answers) {
        const known = path[depth++];
        if (known === undefined) path.push({ question, of: answers.length, taken: 0 });
        else if (known.question !== question || known.of !== answers.length) {
          throw new Error(`The trace is not deterministic: "${known.question}" has become "${question}".`);
        }
        return answers[known?.taken ?? 0] as (typeof answers)[number];
      },
    };
    await trace(chooser);
    traces++;
    path.length = Math.min(path.length, depth);
    while (path.length > 0 && (path.at(-1) as Choice).taken + 1 >= (path.at(-1) as Choice).of) path.pop();
    const last = path.at(-1);
    if (last === undefined) return traces;
    last.taken++;
  }
}
