import { Worker } from "node:worker_threads";
import { matcherProgram } from "./matcher.worker.ts";
import { scanSource, sureText } from "./matcher-text.ts";

/** One line of a file: its number from 1, whether it matches or stands beside one that does, its text. */
export type Row = readonly [number: number, matches: boolean, text: string];

/** Paths of files with NUL between them, which is handed to a thread faster than a list; or descriptors of open files, which stay open. */
export type Searched = string | readonly number[];

/** A file that has matching lines, by its index: how many, and which. */
export type Hit = readonly [index: number, count: number, rows: readonly Row[]];

/** A file that was not searched. */
export type Skip = readonly [index: number, why: "binary" | "large" | "unreadable" | "secret"];

/** What was found in some files. */
export type Found = { readonly hits: readonly Hit[]; readonly skipped: readonly Skip[] };

/** What to look for. `max` and `context` count lines per file; without `lines` only counts are returned; `largest` is the size of a file in bytes, `secret` device and number of one that is not searched, whatever its name. */
export type Search = {
  readonly regex: RegExp;
  readonly lines: boolean;
  readonly context: number;
  readonly max: number;
  readonly width: number;
  readonly largest: number;
  readonly secret?: string | undefined;
};

/** Threads that search files. */
export type Matcher = {
  /**
   * Hands files to the thread that has least to do. Rejects when the signal fires and, with a {@link MatchFailure}, when a
   * file fails or to search about half a megabyte takes longer than `limitMs` milliseconds.
   */
  match(files: Searched): Promise<Found>;
  /** Ends the threads, whatever they are doing. */
  close(): Promise<void>;
};

/** A pattern failed on the file with this index, with the engine's reason or `too slow`. */
export type MatchFailure = { readonly failedAt: number; readonly reason: string };

type Answer = Found | { readonly error: string; readonly at: number };

/** What a thread was asked and has not answered yet, in this order. */
type Asked = { readonly resolve: (found: Found) => void; readonly reject: (reason: unknown) => void };

type Thread = { readonly worker: Worker; readonly asked: Asked[]; overdue(limitMs: number): number };

/** The monotonic clock that the threads write down, in milliseconds; never 0. */
const now = () => Number((process.hrtime.bigint() / 1_000_000n) % 1_000_000_000n) + 1;

/**
 * Starts threads, one after the other as they are needed, for a pattern that may be anything: some take longer than the
 * age of the universe, and only another thread can be stopped in the middle of a match while this one goes on.
 */
export function startMatcher(search: Search, signal: AbortSignal, limitMs: number, most: number): Matcher {
  const { regex, secret = "", ...rest } = search;
  const data = {
    ...rest,
    secret,
    source: regex.source,
    flags: regex.flags,
    sure: sureText(regex),
    scan: scanSource(regex) ?? "",
  };
  const threads: Thread[] = [];

  function failAll({ asked }: Thread, reason: unknown): void {
    for (const { reject } of asked.splice(0)) reject(reason);
  }
  function start(): Thread {
    const progress = new Int32Array(new SharedArrayBuffer(8));
    const worker = new Worker(matcherProgram, { eval: true, workerData: { ...data, progress }, env: {}, execArgv: [] });
    function overdue(ms: number): number {
      // Read once: the thread writes it meanwhile.
      const since = Atomics.load(progress, 1);
      return since !== 0 && now() - since >= ms ? Atomics.load(progress, 0) : -1;
    }
    const thread: Thread = { worker, asked: [], overdue };
    worker.on("message", (answer: Answer) => {
      const { resolve, reject } = thread.asked.shift() ?? { resolve() {}, reject() {} };
      if ("error" in answer) reject({ failedAt: answer.at, reason: answer.error } satisfies MatchFailure);
      else resolve(answer);
    });
    worker.on("error", (error) => failAll(thread, new Error(`The search failed: ${error.message}.`)));
    worker.on("exit", () => failAll(thread, new Error("The search ended before it was done.")));
    threads.push(thread);
    return thread;
  }
  /** The one that has least to do; another one as long as all have something to do. */
  function nextThread(): Thread {
    if (threads.length < most && threads.every(({ asked }) => asked.length > 0)) return start();
    return threads.reduce((least, thread) => (thread.asked.length < least.asked.length ? thread : least));
  }
  const onAbort = () => {
    for (const thread of threads) failAll(thread, signal.reason);
  };
  signal.addEventListener("abort", onAbort);
  const watch = setInterval(
    () => {
      for (const thread of threads) {
        const failedAt = thread.overdue(limitMs);
        if (failedAt !== -1) failAll(thread, { failedAt, reason: "too slow" } satisfies MatchFailure);
      }
    },
    Math.min(limitMs, 100),
  );

  return {
    match: (files) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const thread = nextThread();
        thread.asked.push({ resolve, reject });
        thread.worker.postMessage(files);
      }),
    async close() {
      clearInterval(watch);
      signal.removeEventListener("abort", onAbort);
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}
