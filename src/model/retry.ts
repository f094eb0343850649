import { isRetryable } from "./failure.ts";
import type { ModelEvent, ModelFailure } from "./model.ts";

/** How often and how patiently a request is sent again. Times are milliseconds. */
export type RetryOptions = {
  /** Attempts beyond the first; 0: none. Default 3. */
  readonly retries?: number;
  /** Pause before the first retry; it doubles from one to the next. Default 500. */
  readonly baseDelayMs?: number;
  /** Longest pause of our own choosing. Default 8,000. */
  readonly maxDelayMs?: number;
  /** Longest pause that a provider may ask for; a request that asks for more fails at once and says so. Default 60,000. */
  readonly maxRetryAfterMs?: number;
  /** Waits; resolves early when `signal` fires. For tests. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 up to 1. For tests. */
  readonly random?: () => number;
};

type End = Extract<ModelEvent, { type: "end" }>;

/**
 * Sends a request again while that can help: only for failures that may pass, and only as long as nothing of a reply has
 * come. Each retry is announced by a `retry` event, then waited for. A fired signal ends the waiting at once, with an
 * `end` of stop reason `aborted`.
 *
 * `attempt` streams one attempt; like any model it reports failures as an `end`. A throw passes through.
 */
export function withRetries(
  attempt: () => AsyncIterable<ModelEvent>,
  signal: AbortSignal,
  options: RetryOptions = {},
): AsyncIterable<ModelEvent> {
  return { [Symbol.asyncIterator]: () => retrying(attempt, signal, options) };
}

/** An iterator by hand: once content flows it hands on the attempt's own promises, so a delta costs nothing here. */
function retrying(
  attempt: () => AsyncIterable<ModelEvent>,
  signal: AbortSignal,
  options: RetryOptions,
): AsyncIterator<ModelEvent> {
  const { retries = 3, sleep = wait } = options;
  let inner = attempt()[Symbol.asyncIterator]();
  let failed = 0;
  let settled = false;
  let pending: { readonly delayMs: number; readonly end: End } | undefined;

  const beforeContent = async (): Promise<IteratorResult<ModelEvent>> => {
    if (pending !== undefined) {
      const { delayMs, end } = pending;
      pending = undefined;
      if (!signal.aborted) await sleep(delayMs, signal);
      if (signal.aborted) return give(abortedEnd(end));
      inner = attempt()[Symbol.asyncIterator]();
    }
    const step = await inner.next();
    if (step.done || step.value.type === "warning" || step.value.type === "retry") return step;
    const delayMs =
      step.value.type === "end" && failed < retries ? pauseAfter(step.value, failed + 1, options) : undefined;
    if (step.value.type !== "end" || delayMs === undefined || signal.aborted) {
      settled = true;
      return step;
    }
    failed += 1;
    await inner.return?.();
    pending = { delayMs, end: step.value };
    return { done: false, value: { type: "retry", attempt: failed, delayMs, error: step.value.error as ModelFailure } };
  };

  const give = (end: End): IteratorResult<ModelEvent> => {
    settled = true;
    inner = nothing;
    return { done: false, value: end };
  };

  return {
    next: () => (settled ? inner.next() : beforeContent()),
    async return() {
      settled = true;
      const left = inner;
      inner = nothing;
      await left.return?.();
      return { done: true, value: undefined };
    },
  };
}

/** The pause before this request is sent again, or undefined when it must not be. */
function pauseAfter(end: End, attempt: number, options: RetryOptions): number | undefined {
  const { error } = end;
  if (error === undefined || end.message.stopReason !== "error" || !isRetryable(error)) return undefined;
  const { baseDelayMs = 500, maxDelayMs = 8_000, maxRetryAfterMs = 60_000, random = Math.random } = options;
  const asked = error.retryAfterMs ?? 0;
  if (asked > maxRetryAfterMs) return undefined;
  // Between half of the pause and the whole of it, so that many clients do not come back together.
  const own = Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1)) * (0.5 + random() / 2);
  return Math.round(Math.max(asked, own));
}

function abortedEnd(end: End): End {
  const error: ModelFailure = { kind: "aborted", message: "Aborted while the request waited to be sent again." };
  return { type: "end", message: { ...end.message, stopReason: "aborted" }, error };
}

const nothing: AsyncIterator<ModelEvent> = { next: async () => ({ done: true, value: undefined }) };

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
    if (signal.aborted) done();
  });
}
