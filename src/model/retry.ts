import { isRetryable } from "./failure.ts";
import { inWords } from "./in-words.ts";
import type { ModelEvent, ModelFailure } from "./model.ts";

/** How often and how patiently a request is sent again. Times are milliseconds. */
export type RetryOptions = {
  /** Attempts beyond the first; 0: none. Default 3. A silent model (`timeout`) is asked once more at most: each time costs the whole limit. */
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
 * Once there is content (text, reasoning, a piece of a call) a request is never sent again: the reader has seen it, it is
 * paid for, and a second reply may say something else. The reply then ends with stop reason `error` and keeps what came,
 * without calls whose arguments had not ended; the run ends with the outcome `error`. Nothing of it ran, and what ran in
 * rounds before is in the history with its results, which `exec` goes on from when it is given as `messages`.
 *
 * A pause that the provider asks for is waited for however long, or, beyond `maxRetryAfterMs` or `deadlineAt` (milliseconds since
 * 1970), not begun: the request fails at once and says so.
 *
 * `attempt` streams one attempt; like any model it reports failures as an `end`. A throw passes through.
 */
export function withRetries(
  attempt: () => AsyncIterable<ModelEvent>,
  signal: AbortSignal,
  options: RetryOptions = {},
  deadlineAt = Number.POSITIVE_INFINITY,
): AsyncIterable<ModelEvent> {
  return { [Symbol.asyncIterator]: () => retrying(attempt, signal, options, deadlineAt) };
}

/** An iterator by hand: once content flows it hands on the attempt's own promises, so a delta costs nothing here. */
function retrying(
  attempt: () => AsyncIterable<ModelEvent>,
  signal: AbortSignal,
  options: RetryOptions,
  deadlineAt: number,
): AsyncIterator<ModelEvent> {
  const { sleep = wait } = options;
  let inner = attempt()[Symbol.asyncIterator]();
  let failed = 0;
  let silent = 0;
  let settled = false;
  let pending: { readonly delayMs: number; readonly end: End } | undefined;

  const beforeContent = async (): Promise<IteratorResult<ModelEvent>> => {
    if (pending !== undefined) {
      const { delayMs, end } = pending;
      pending = undefined;
      if (!signal.aborted) await sleep(delayMs, signal);
      if (signal.aborted) return give(abortedEnd(end));
      if (settled) return { done: true, value: undefined };
      inner = attempt()[Symbol.asyncIterator]();
    }
    const step = await inner.next();
    if (step.done || step.value.type === "warning" || step.value.type === "retry") return step;
    if (step.value.type !== "end" || signal.aborted) {
      settled = true;
      return step;
    }
    const { error, message } = step.value;
    // A reply may have content of which nothing was told.
    const isBare = message.stopReason === "error" && message.content.length === 0;
    const mayPass = error !== undefined && isBare && isRetryable(error);
    if (!mayPass || !isLeft(error)) {
      settled = true;
      return step;
    }
    const tooMuch = tooLong(error, options, deadlineAt - Date.now());
    if (tooMuch !== undefined) {
      settled = true;
      return { done: false, value: { ...step.value, error: { ...error, message: tooMuch } } };
    }
    failed += 1;
    if (error.kind === "timeout") silent += 1;
    await inner.return?.();
    const delayMs = pauseAfter(error, failed, options);
    pending = { delayMs, end: step.value };
    return { done: false, value: { type: "retry", attempt: failed, delayMs, error } };
  };

  const isLeft = ({ kind }: ModelFailure): boolean =>
    failed < (options.retries ?? 3) && !(kind === "timeout" && silent > 0);

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

/** What is said of a pause that the provider asks for and that is longer than may be waited; undefined if it is not. */
function tooLong(
  { message, retryAfterMs = 0 }: ModelFailure,
  { maxRetryAfterMs = 60_000 }: RetryOptions,
  left: number,
): string | undefined {
  const asks = `${message.replace(/[.\s]+$/, "")}. It asks to wait for ${inWords(retryAfterMs)}, longer than`;
  if (retryAfterMs > maxRetryAfterMs) return `${asks} maxRetryAfterMs allows (${inWords(maxRetryAfterMs)}).`;
  return retryAfterMs > left ? `${asks} what is left of the run's time (${inWords(Math.max(0, left))}).` : undefined;
}

/** The pause before this request is sent again: what the provider asks for and up to a quarter more, or our own if that is longer. */
function pauseAfter({ retryAfterMs = 0 }: ModelFailure, attempt: number, options: RetryOptions): number {
  const { baseDelayMs = 500, maxDelayMs = 8_000, random = Math.random } = options;
  // Random, so that many clients do not come back together.
  const asked = retryAfterMs * (1 + random() / 4);
  const own = Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1)) * (0.5 + random() / 2);
  return Math.round(Math.max(asked, own));
}

function abortedEnd(end: End): End {
  const error: ModelFailure = { kind: "aborted", message: "Aborted while the request waited to be sent again." };
  return { type: "end", message: { ...end.message, stopReason: "aborted" }, error };
}

const nothing: AsyncIterator<ModelEvent> = { next: async () => ({ done: true, value: undefined }) };

/** Longer timers fire at once; these are 24 days. */
const longestTimer = 2 ** 31 - 1;

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let left = ms;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const next = () => {
      const part = Math.min(left, longestTimer);
      left -= part;
      timer = setTimeout(left > 0 ? next : done, part);
    };
    signal.addEventListener("abort", done, { once: true });
    if (signal.aborted) done();
    else next();
  });
}
