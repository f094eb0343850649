import { describe, expect, test } from "vitest";
import type { OpenRun, Outgoing, When } from "./host.ts";
import { memory } from "./memory.ts";

const open = (id = "run"): OpenRun => memory().open(id);
const message = (kind: When, content: string): Outgoing => ({ kind, message: { role: "user", content } });
const approval = (callId: string): Outgoing => ({ kind: "approval", approval: { callId, approved: true } });
const contents = (taken: { readonly messages: readonly { readonly kind: string }[] }) =>
  taken.messages.map((one) =>
    "message" in one ? (one as { message: { content: unknown } }).message.content : one.kind,
  );

describe("step", () => {
  test("performs the effect once and records when it ended", async () => {
    const { host } = open();
    let done = 0;
    const before = Date.now();
    const recorded = await host.step("k", { onLost: "rerun" }, () => {
      done++;
      return { n: 1 };
    });
    expect(done).toBe(1);
    expect(recorded).toMatchObject({ value: { n: 1 } });
    expect(recorded.at).toBeGreaterThanOrEqual(before);
    expect(recorded.at).toBeLessThanOrEqual(Date.now());
  });

  test("waits for an effect that promises", async () => {
    const recorded = await open().host.step("k", { onLost: "report" }, async () => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      return "late";
    });
    expect(recorded).toMatchObject({ value: "late" });
  });

  test("gives the first attempt, and the same idempotency key for a position as for no other", async () => {
    const { host } = open();
    const seen: { attempt: number; idempotencyKey: string }[] = [];
    for (const key of ["1", "2"]) {
      await host.step(key, { onLost: "report" }, ({ attempt, idempotencyKey }) => {
        seen.push({ attempt, idempotencyKey });
        return null;
      });
    }
    expect(seen.map((one) => one.attempt)).toEqual([1, 1]);
    expect(new Set(seen.map((one) => one.idempotencyKey)).size).toBe(2);
  });

  test("steps may go on at once", async () => {
    const { host } = open();
    const order: string[] = [];
    const slow = host.step("slow", { onLost: "report" }, async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      order.push("slow");
      return null;
    });
    const fast = host.step("fast", { onLost: "report" }, async () => {
      order.push("fast");
      return null;
    });
    await Promise.all([slow, fast]);
    expect(order).toEqual(["fast", "slow"]);
  });
});

describe("inbox.drain", () => {
  test("takes every message of these kinds, oldest first, once", async () => {
    const run = open();
    run.send(message("now", "1"));
    run.send(message("at_end", "2"));
    run.send(message("after_round", "3"));
    run.send(message("now", "4"));
    expect(contents(await run.host.inbox.drain("a", ["now", "after_round"]))).toEqual(["1", "3", "4"]);
    expect(contents(await run.host.inbox.drain("b", ["now", "after_round"]))).toEqual([]);
    expect(contents(await run.host.inbox.drain("c", ["at_end"]))).toEqual(["2"]);
  });

  test("ids are unique", async () => {
    const run = open();
    const receipts = [run.send(message("now", "1")), run.send(message("now", "2"))];
    const { messages } = await run.host.inbox.drain("a", ["now"]);
    expect(messages.map((one) => one.id)).toEqual(receipts.map((one) => one.id));
    expect(new Set(messages.map((one) => one.id)).size).toBe(2);
  });
});

describe("inbox.takeOrClose", () => {
  test("takes control first, then now and after_round, then at_end, then closes", async () => {
    const run = open();
    run.send(message("at_end", "end"));
    run.send(message("after_round", "round"));
    run.send(message("now", "now"));
    run.cancel("enough");
    const { inbox } = run.host;
    const first = await inbox.takeOrClose("1");
    expect(first).toMatchObject({ messages: [{ kind: "control", control: { type: "abort", reason: "enough" } }] });
    const second = await inbox.takeOrClose("2");
    expect("messages" in second ? contents(second) : "closed").toEqual(["round", "now"]);
    const third = await inbox.takeOrClose("3");
    expect("messages" in third ? contents(third) : "closed").toEqual(["end"]);
    expect(await inbox.takeOrClose("4")).toMatchObject({ closed: true });
    expect(run.send(message("now", "late")).status).toBe("undelivered");
  });
});

describe("inbox.close", () => {
  test("takes what is left and refuses what comes later, at once", async () => {
    const run = open();
    const left = run.send(message("at_end", "left"));
    expect(contents(await run.host.inbox.close("1"))).toEqual(["left"]);
    const late = run.send(message("now", "late"));
    expect(late.status).toBe("undelivered");
    expect(await late.settled).toBe("undelivered");
    expect(late).not.toHaveProperty("round", expect.anything());
    expect(left.status).toBe("queued");
  });

  test("again, or behind takeOrClose, gives nothing", async () => {
    const run = open();
    expect(await run.host.inbox.takeOrClose("1")).toMatchObject({ closed: true });
    expect(contents(await run.host.inbox.close("2"))).toEqual([]);
    expect(contents(await run.host.inbox.close("3"))).toEqual([]);
  });
});

describe("inbox.wait", () => {
  test("gives at once what is there already", async () => {
    const run = open();
    run.send(approval("c1"));
    run.send(approval("c2"));
    expect((await run.host.inbox.wait("1", ["approval"])).messages).toHaveLength(2);
  });

  test("waits for a message of these kinds and leaves others", async () => {
    const run = open();
    const waiting = run.host.inbox.wait("1", ["approval", "control"]);
    run.send(message("now", "other"));
    await Promise.resolve();
    run.send(approval("c1"));
    expect((await waiting).messages).toMatchObject([{ kind: "approval", approval: { callId: "c1" } }]);
    expect(contents(await run.host.inbox.drain("2", ["now"]))).toEqual(["other"]);
  });

  test("with untilMs: gives nothing when that time has come", async () => {
    const run = open();
    const until = Date.now() + 10;
    const { messages, at } = await run.host.inbox.wait("1", ["approval"], until);
    expect(messages).toEqual([]);
    expect(at).toBeGreaterThanOrEqual(until);
    expect((await run.host.inbox.wait("2", ["approval"], Date.now() - 1)).messages).toEqual([]);
  });

  test("ends when the signal fires", async () => {
    const cancelled = open();
    const waiting = cancelled.host.inbox.wait("1", ["approval"]);
    cancelled.cancel();
    expect((await waiting).messages).toEqual([]);
    const interrupted = open();
    const other = interrupted.host.inbox.wait("1", ["approval"]);
    interrupted.interrupt(new Error("deadline"));
    expect((await other).messages).toEqual([]);
    expect((await interrupted.host.inbox.wait("2", ["approval"])).messages).toEqual([]);
  });

  test("a cancel that it waits for is among the messages", async () => {
    const run = open();
    const waiting = run.host.inbox.wait("1", ["approval", "control"]);
    run.cancel("stop");
    expect((await waiting).messages).toMatchObject([{ kind: "control", control: { reason: "stop" } }]);
  });

  test("a message that comes behind the end of a wait is kept for the next", async () => {
    const run = open();
    await run.host.inbox.wait("1", ["approval"], Date.now() + 1);
    run.send(approval("c1"));
    expect((await run.host.inbox.wait("2", ["approval"])).messages).toHaveLength(1);
  });

  test("leaves no timer behind", async () => {
    const timers = () => process.getActiveResourcesInfo().filter((one) => one === "Timeout").length;
    const before = timers();
    const run = open();
    const waiting = run.host.inbox.wait("1", ["approval"], Date.now() + 3_600_000);
    run.send(approval("c1"));
    await waiting;
    expect(timers()).toBeLessThanOrEqual(before);
  });
});

describe("settle and receipts", () => {
  test("delivered, with the round that reads it", async () => {
    const run = open();
    const receipt = run.send(message("now", "x"));
    expect(receipt.status).toBe("queued");
    expect(receipt.round).toBeUndefined();
    const settled = receipt.settled;
    const { messages } = await run.host.inbox.drain("1", ["now"]);
    expect(receipt.status).toBe("queued");
    await run.host.settle(
      messages.map((one) => one.id),
      "delivered",
      3,
    );
    expect(receipt).toMatchObject({ status: "delivered", round: 3 });
    expect(await settled).toBe("delivered");
    expect(await receipt.settled).toBe("delivered");
  });

  test("undelivered; and what is settled stays as it is", async () => {
    const run = open();
    const receipt = run.send(message("now", "x"));
    const { messages } = await run.host.inbox.close("1");
    const ids = messages.map((one) => one.id);
    await run.host.settle(ids, "undelivered");
    await run.host.settle(ids, "delivered", 1);
    expect(receipt.status).toBe("undelivered");
    expect(receipt.round).toBeUndefined();
  });

  test("ids that nobody knows do no harm", async () => {
    await open().host.settle(["nobody"], "delivered", 1);
  });
});

describe("cancel, interrupt and signal", () => {
  test("cancel: a recorded control message and then the signal; later calls change nothing", async () => {
    const run = open();
    const { signal } = run.host;
    expect(signal.aborted).toBe(false);
    run.cancel("first");
    run.cancel("second");
    expect(signal.aborted).toBe(true);
    expect((await run.host.inbox.drain("1", ["control"])).messages).toMatchObject([
      { kind: "control", control: { type: "abort", reason: "first" } },
    ]);
  });

  test("cancel: the message is there when the signal fires", async () => {
    const run = open();
    const seen = Promise.withResolvers<number>();
    run.host.signal.addEventListener("abort", () => {
      seen.resolve(Promise.resolve(run.host.inbox.drain("1", ["control"])).then(({ messages }) => messages.length));
    });
    run.cancel();
    expect(await seen.promise).toBe(1);
  });

  test("interrupt fires the signal with its reason and leaves no message", async () => {
    const run = open();
    const reason = new Error("deadline");
    run.interrupt(reason);
    expect(run.host.signal.aborted).toBe(true);
    expect(run.host.signal.reason).toBe(reason);
    expect((await run.host.inbox.drain("1", ["control"])).messages).toEqual([]);
  });

  test("the signal is the same each time it is asked for", () => {
    const { host } = open();
    expect(host.signal).toBe(host.signal);
  });

  test("a signal first asked for behind the cancel has fired already", () => {
    const run = open();
    run.cancel("before");
    expect(run.host.signal.aborted).toBe(true);
  });

  test("cancel behind the end of the inbox does no harm", async () => {
    const run = open();
    await run.host.inbox.close("1");
    run.cancel();
    expect((await run.host.inbox.close("2")).messages).toEqual([]);
  });
});

describe("sleep", () => {
  test("waits", async () => {
    const before = performance.now();
    await open().host.sleep(10);
    expect(performance.now() - before).toBeGreaterThanOrEqual(9);
  });

  test("ends early when the signal fires, and at once when it has fired", async () => {
    const run = open();
    const sleeping = run.host.sleep(3_600_000);
    run.cancel();
    await sleeping;
    await run.host.sleep(3_600_000);
  });
});

test("runs know nothing of each other", async () => {
  const factory = memory();
  const one = factory.open("one");
  const two = factory.open("two");
  one.send(message("now", "for one"));
  one.cancel();
  expect(two.host.signal.aborted).toBe(false);
  expect(contents(await two.host.inbox.drain("1", ["now", "control"]))).toEqual([]);
});
