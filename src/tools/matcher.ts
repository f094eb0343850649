import { Worker } from "node:worker_threads";
import { matcherProgram } from "./matcher.worker.ts";

/** One line of a file: its number from 1, whether it matches or stands beside one that does, its text. */
export type Row = readonly [number: number, matches: boolean, text: string];

/** The files of a batch, one behind the other in `bytes`, which both threads see. */
export type Batch = {
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  readonly files: readonly (readonly [start: number, end: number])[];
};

/** Per file of a batch: how many lines match, and which. */
export type Found = { readonly counts: readonly number[]; readonly rows: readonly (readonly Row[])[] };

/** What to look for. `max` and `context` count lines per file; without `lines` only counts are returned. */
export type Search = {
  readonly regex: RegExp;
  readonly lines: boolean;
  readonly context: number;
  readonly max: number;
  readonly width: number;
};

/** A thread that searches batches, one at a time. */
export type Matcher = {
  /** The batch must stay as it is until then. Rejects when the signal fires and, with a {@link MatchFailure}, after `limitMs` milliseconds. */
  match(batch: Batch): Promise<Found>;
  /** Ends the thread, whatever it is doing. */
  close(): Promise<void>;
};

/** A pattern failed on the file with this index in the batch, with the engine's reason or `too slow`. */
export type MatchFailure = { readonly failedAt: number; readonly reason: string };

type Answer = Found | { readonly error: string };

/**
 * Starts a thread for a pattern that may be anything: some take longer than the age of the universe, and only another
 * thread can be stopped in the middle of a match while this one goes on.
 */
export function startMatcher(search: Search, signal: AbortSignal, limitMs: number): Matcher {
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const { regex, ...rest } = search;
  const literal = isLiteral(regex) ? regex.source : "";
  const workerData = { ...rest, source: regex.source, flags: regex.flags, literal, progress };
  const worker = new Worker(matcherProgram, { eval: true, workerData, env: {}, execArgv: [] });
  const online = new Promise((resolve) => worker.once("online", resolve));
  // Between two batches nobody listens, and an error without a listener would end the process.
  worker.on("error", () => {});

  function match(batch: Batch): Promise<Found> {
    return new Promise((resolve, reject) => {
      const fail = (reason: string) => reject({ failedAt: progress[0]!, reason } satisfies MatchFailure);
      let timer: NodeJS.Timeout | undefined;
      let ended = false;
      void online.then(() => {
        if (!ended) timer = setTimeout(() => end(() => fail("too slow")), limitMs);
      });
      const onAbort = () => end(() => reject(signal.reason));
      const onMessage = (answer: Answer) => end(() => ("error" in answer ? fail(answer.error) : resolve(answer)));
      const onError = (error: Error) => end(() => reject(new Error(`The search failed: ${error.message}.`)));
      const onExit = () => end(() => reject(new Error("The search ended before it was done.")));
      function end(settle: () => void): void {
        ended = true;
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        worker.off("message", onMessage).off("error", onError).off("exit", onExit);
        settle();
      }
      signal.addEventListener("abort", onAbort);
      worker.on("message", onMessage).on("error", onError).on("exit", onExit);
      worker.postMessage({ bytes: batch.bytes, files: batch.files });
      if (signal.aborted) onAbort();
    });
  }

  return {
    match,
    async close() {
      await worker.terminate();
    },
  };
}

const isLiteral = (regex: RegExp) => !regex.ignoreCase && !/[\\^$.*+?()[\]{}|\uFFFD]/.test(regex.source);
