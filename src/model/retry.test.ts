import { describe, expect, test, vi } from "vitest";
import { replyFromEvents } from "./collect.ts";
import type { ModelEvent, ModelFailure } from "./model.ts";
import { type RetryOptions, withRetries } from "./retry.ts";

const text = (delta: string): ModelEvent => ({ type: "text", delta });
const done: ModelEvent = { type: "end", message: replyFromEvents("m", [text("ok")], "stop") };
const failed = (error: Partial<ModelFailure> = {}, ...events: ModelEvent[]): ModelEvent => ({
  type: "end",
  message: replyFromEvents("m", events, "error"),
  error: { kind: "overloaded", message: "busy", ...error },
});

/** Runs attempts given as data; `slept` are the pauses. */
async function run(
  attempts: readonly (readonly ModelEvent[])[],
  options: RetryOptions = {},
  controller = new AbortController(),
  deadlineAt?: number,
) {
  const slept: number[] = [];
  const events: ModelEvent[] = [];
  let made = 0;
  const attempt = async function* () {
    yield* attempts[made++] ?? [];
  };
  const sleep = async (ms: number) => {
    slept.push(ms);
  };
  for await (const event of withRetries(attempt, controller.signal, { random: () => 1, sleep, ...options }, deadlineAt))
    events.push(event);
  return { events, types: events.map((event) => event.type), slept, made: () => made };
}

test("tries again with growing pauses, each announced", async () => {
  const { events, slept } = await run([[failed()], [failed()], [text("ok"), done]]);
  const error = { kind: "overloaded", message: "busy" };
  expect(events).toEqual([
    { type: "retry", attempt: 1, delayMs: 500, error },
    { type: "retry", attempt: 2, delayMs: 1_000, error },
    text("ok"),
    done,
  ]);
  expect(slept).toEqual([500, 1_000]);
});

test("gives up after the last retry with the last failure", async () => {
  const { types, made, events } = await run([[failed()], [failed()], [failed({ message: "third" })]], { retries: 2 });
  expect(types).toEqual(["retry", "retry", "end"]);
  expect(events.at(-1)).toMatchObject({ error: { message: "third" } });
  expect(made()).toBe(3);
});

test("pauses are jittered between half and whole, and capped", async () => {
  const attempts = Array.from({ length: 7 }, () => [failed()]);
  expect((await run(attempts, { retries: 6 })).slept).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
  expect((await run(attempts, { retries: 2, random: () => 0 })).slept).toEqual([250, 500]);
});

describe("Retry-After", () => {
  test("is honoured, but never shortens our own pause", async () => {
    expect((await run([[failed({ retryAfterMs: 20_000 })], [done]])).slept).toEqual([25_000]);
    expect((await run([[failed({ retryAfterMs: 20_000 })], [done]], { random: () => 0 })).slept).toEqual([20_000]);
    expect((await run([[failed({ retryAfterMs: 0 })], [done]])).slept).toEqual([500]);
  });

  test("NET-02 beyond the cap fails at once with the value", async () => {
    const { types, events } = await run([[failed({ retryAfterMs: 100_000_000 })], [done]]);
    expect(types).toEqual(["end"]);
    const message = "busy. It asks to wait for 27.8 hours, longer than maxRetryAfterMs allows (60 s).";
    expect(events[0]).toMatchObject({ error: { retryAfterMs: 100_000_000, message } });
  });

  test("beyond the run's time fails at once with the reason", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const busy = [failed({ retryAfterMs: 20_000 })];
      const { types, events } = await run([busy, [done]], {}, new AbortController(), Date.now() + 19_000);
      expect(types).toEqual(["end"]);
      const message = "busy. It asks to wait for 20 s, longer than what is left of the run's time (19 s).";
      expect(events[0]).toMatchObject({ error: { kind: "overloaded", message } });
      expect((await run([busy, [done]], {}, new AbortController(), Date.now() + 20_000)).types).toEqual([
        "retry",
        "end",
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("of more than a timer can wait is waited for to its end, and an abort still ends it", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const days = 24 * 3_600_000;
      const begin = (controller: AbortController) => {
        const options = { maxRetryAfterMs: Number.POSITIVE_INFINITY, random: () => 0 };
        let made = 0;
        const attempt = async function* () {
          yield made++ === 0 ? failed({ retryAfterMs: 60 * days }) : done;
        };
        const steps = withRetries(attempt, controller.signal, options)[Symbol.asyncIterator]();
        return { steps, made: () => made };
      };
      const { steps, made } = begin(new AbortController());
      expect(await steps.next()).toMatchObject({ value: { type: "retry", delayMs: 60 * days } });
      const next = steps.next();
      await vi.advanceTimersByTimeAsync(60 * days - 1);
      expect(made()).toBe(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(made()).toBe(2);
      expect(await next).toMatchObject({ value: { type: "end", message: { stopReason: "stop" } } });

      const controller = new AbortController();
      const other = begin(controller);
      await other.steps.next();
      const ended = other.steps.next();
      await vi.advanceTimersByTimeAsync(30 * days);
      controller.abort();
      expect(await ended).toMatchObject({ value: { type: "end", message: { stopReason: "aborted" } } });
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("is not tried again", () => {
  test.each(["auth", "quota", "invalid", "context_overflow", "refusal", "aborted", "unknown"] as const)(
    "%s",
    async (kind) => {
      expect((await run([[failed({ kind })], [done]])).types).toEqual(["end"]);
    },
  );

  test("after content", async () => {
    expect((await run([[text("a"), failed({}, text("a"))], [done]])).types).toEqual(["text", "end"]);
  });

  test("a reply that has content of which nothing was told", async () => {
    const { types, made } = await run([[failed({ kind: "transport" }, text("[1,"))], [done]]);
    expect({ types, made: made() }).toEqual({ types: ["end"], made: 1 });
  });

  test("with retries off", async () => {
    expect((await run([[failed()], [done]], { retries: 0 })).types).toEqual(["end"]);
  });

  test("a good reply", async () => {
    expect((await run([[done], [done]])).types).toEqual(["end"]);
  });
});

test("NET-06 a silent model is asked once more, not as often as others", async () => {
  const silent = failed({ kind: "timeout" });
  expect((await run([[silent], [silent], [done]])).types).toEqual(["retry", "end"]);
  expect((await run([[silent], [failed()], [done]])).types).toEqual(["retry", "retry", "end"]);
});

test("warnings are no content", async () => {
  const warning: ModelEvent = { type: "warning", code: "w", message: "w" };
  expect((await run([[warning, failed()], [done]])).types).toEqual(["warning", "retry", "end"]);
});

describe("an abort", () => {
  test("ends the waiting at once and is never retried", async () => {
    const controller = new AbortController();
    const attempt = async function* () {
      yield failed();
    };
    const events: ModelEvent[] = [];
    // A pause far beyond the test's own limit: only the abort can end it.
    const options = { baseDelayMs: 1e8, maxDelayMs: 1e8 };
    for await (const event of withRetries(attempt, controller.signal, options)) {
      events.push(event);
      if (event.type === "retry") queueMicrotask(() => controller.abort());
    }
    expect(events).toMatchObject([
      { type: "retry" },
      { type: "end", message: { stopReason: "aborted" }, error: { kind: "aborted" } },
    ]);
  });

  test("before the failure came ends with the failure", async () => {
    const controller = new AbortController();
    controller.abort();
    expect((await run([[failed()], [done]], {}, controller)).types).toEqual(["end"]);
  });
});

test("a reader that stops early ends the attempt", async () => {
  let ended = false;
  const attempt = async function* () {
    try {
      yield text("a");
      yield text("b");
    } finally {
      ended = true;
    }
  };
  for await (const _ of withRetries(attempt, new AbortController().signal)) break;
  expect(ended).toBe(true);
});
