import { availableParallelism } from "node:os";
import type { Batch, Tally } from "./batches.ts";
import type { Report } from "./grep-report.ts";
import { type Found, type MatchFailure, type Search, type Skip, startMatcher } from "./matcher.ts";

/** A search through batches: what it adds to, and when it is to end. `explain` makes the error of a pattern that failed. */
export type Searching = {
  readonly tally: Tally;
  readonly report: Report;
  readonly signal: AbortSignal;
  readonly limitMs: number;
  explain(failure: MatchFailure, name: string): Error;
};

/** Threads that read and search. The walk is in this one, but waits for them most of the time. */
const threads = Math.min(4, availableParallelism());

/** Batches that are under way at a time: so many that no thread waits for the next one. */
const underWay = 2 * threads + 2;

type Sent = { readonly batch: Batch; readonly found: Promise<Found> };

/** Has threads search the batches and reports what they find, in the order of the batches, until no more is wanted. */
export async function searchAll(
  batches: AsyncIterable<Batch> | Iterable<Batch>,
  search: Search,
  { tally, report, signal, limitMs, explain }: Searching,
): Promise<void> {
  const matcher = startMatcher(search, signal, limitMs, threads);
  const sent: Sent[] = [];
  async function takeFirst(): Promise<boolean> {
    const { batch, found } = sent[0]!;
    const { hits, skipped } = await found.catch((error: unknown) => {
      throw isFailure(error) ? explain(error, batch.shown(error.failedAt)) : error;
    });
    sent.shift();
    batch.release();
    count(tally, batch, skipped);
    return report.add(batch.shown, hits);
  }
  try {
    for await (const batch of batches) {
      if (batch.count === 0) {
        batch.release();
        continue;
      }
      const found = matcher.match(batch.files);
      // Nobody waits for it if the search ends before.
      found.catch(() => {});
      sent.push({ batch, found });
      if (sent.length >= underWay && !(await takeFirst())) return;
    }
    while (sent.length > 0 && (await takeFirst()));
  } finally {
    // The threads first: what they have open must not become something else under them.
    await matcher.close();
    for (const { batch } of sent) batch.release();
  }
}

const isFailure = (error: unknown): error is MatchFailure =>
  error !== null && typeof error === "object" && "failedAt" in error;

function count(tally: Tally, batch: Batch, skipped: readonly Skip[]): void {
  tally.files += batch.count - skipped.length;
  for (const [index, why] of skipped) {
    if (why === "large") tally.large.push(batch.shown(index));
    else tally[why]++;
  }
}
