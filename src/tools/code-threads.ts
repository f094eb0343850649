import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { type Job, type Ran, type Told, timeIsUp } from "./code-job.ts";

type Thread = { readonly worker: Worker; readonly ready: Promise<unknown>; idle?: NodeJS.Timeout };

/** How many threads run code at once; further calls wait. */
const maxThreads = Math.max(4, availableParallelism());

/** How long a thread may take to be ready, in milliseconds: far more than it does on a busy machine. */
const startMs = 60_000;

/** How long an idle thread is kept for the next call, in milliseconds. It does not keep the process alive. */
const idleMs = 10_000;

const idle: Thread[] = [];
let running = 0;
const waiting: (() => void)[] = [];

/**
 * Runs a job in a thread, so that nothing it does holds up this one. Ends the thread, whatever it is doing, when the
 * signal fires (then rejects with its reason) or `graceMs` milliseconds after the time of the job: code is asked often
 * whether its time is up, but not in the middle of what the engine does in one go.
 */
export async function runInThread(job: Job, signal: AbortSignal, graceMs = 1_000): Promise<Ran> {
  await turn(signal);
  try {
    const thread = idle.pop() ?? startThread();
    return "worker" in thread ? await runIn(thread, job, signal, graceMs) : thread;
  } finally {
    running--;
    waiting.shift()?.();
  }
}

async function runIn(thread: Thread, job: Job, signal: AbortSignal, graceMs: number): Promise<Ran> {
  clearTimeout(thread.idle);
  thread.worker.ref();
  let reusable = false;
  try {
    const ran = await answered(thread, job, signal, graceMs);
    reusable = ran.answered;
    return ran.ran;
  } finally {
    if (reusable) keep(thread);
    else void thread.worker.terminate();
  }
}

/** Waits until a thread is free, first come, first served. */
async function turn(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (running >= maxThreads) {
    await new Promise<void>((resolve, reject) => {
      const go = () => {
        signal.removeEventListener("abort", stop);
        // Counted here: whoever asks before this one goes on must find the place taken.
        running++;
        resolve();
      };
      const stop = () => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(signal.reason);
      };
      signal.addEventListener("abort", stop, { once: true });
      waiting.push(go);
    });
  } else running++;
}

const notStarted = (error: unknown): string =>
  `The thread for the code could not be started: ${error instanceof Error ? error.message : String(error)}.`;

/** A new thread; or, where none can be made (out of threads, not permitted), the answer that says so. */
function startThread(): Thread | Ran {
  const file = `./run-code.worker.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`;
  let worker: Worker;
  try {
    worker = new Worker(new URL(file, import.meta.url), {
      name: "run_code",
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    });
  } catch (error) {
    return { printed: "", ok: false, text: notStarted(error) };
  }
  const ready = new Promise<unknown>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("it ended")));
  });
  // Heard by whoever waits for it; an error between two jobs must not end the process.
  ready.catch(() => {});
  worker.on("error", () => {});
  return { worker, ready };
}

/** `answered`: the thread came to an end with the job. */
type Answer = { readonly ran: Ran; readonly answered: boolean };

function answered({ worker, ready }: Thread, job: Job, signal: AbortSignal, graceMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let ended = false;
    let printed = "";
    const end = (settle: () => void) => {
      ended = true;
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      settle();
    };
    const fail = (text: string) => end(() => resolve({ ran: { printed, ok: false, text }, answered: false }));
    const onAbort = () => end(() => reject(signal.reason));
    const onMessage = (told: Exclude<Told, "ready">) => {
      if ("begun" in told) printed += told.begun;
      else end(() => resolve({ ran: told, answered: true }));
    };
    const onError = (error: Error) => fail(`The engine failed: ${error.message}.`);
    const onExit = () => fail("The engine ended before the code was done.");
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) return onAbort();
    timer = setTimeout(() => fail(notStarted(`it took more than ${startMs / 1000} seconds`)), startMs);
    ready.then(
      () => {
        if (ended) return;
        worker.on("message", onMessage).on("error", onError).on("exit", onExit);
        clearTimeout(timer);
        timer = setTimeout(() => fail(timeIsUp(job.timeMs)), job.timeMs + graceMs);
        worker.postMessage(job);
      },
      (error: Error) => {
        if (!ended) fail(notStarted(error));
      },
    );
  });
}

function keep(thread: Thread): void {
  thread.worker.unref();
  thread.idle = setTimeout(() => {
    idle.splice(idle.indexOf(thread), 1);
    void thread.worker.terminate();
  }, idleMs).unref();
  idle.push(thread);
}
