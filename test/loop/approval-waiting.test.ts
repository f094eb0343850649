import { describe, expect, test } from "vitest";
import { pay, paying } from "./paying.fixture.ts";
import { answers, call, picks, play, sleep, start, until } from "./play.fixture.ts";

describe("how long it is waited for", () => {
  test("without a timer: a late answer counts", async () => {
    const { log } = await pay(() => sleep(30).then(() => true));
    expect(log).toHaveLength(1);
  });

  test("approvalTimeoutMs: then it is denied, and the signal of the request fires", async () => {
    const signals: AbortSignal[] = [];
    const log: unknown[] = [];
    const { result } = await play(
      [picks(call("pay", { euros: 5 })), "done"],
      { tools: [paying(log)] },
      {
        approvalTimeoutMs: 15,
        approve: (request) => {
          signals.push(request.signal);
          return new Promise(() => {});
        },
      },
    );
    expect(log).toEqual([]);
    expect(answers(result.messages)).toEqual([expect.stringMatching(/^! /)]);
    expect(result.outcome).toBe("stop");
    expect(signals.map((signal) => signal.aborted)).toEqual([true]);
  });

  test("an answer behind approvalTimeoutMs changes nothing", async () => {
    const gate = Promise.withResolvers<boolean>();
    const log: unknown[] = [];
    await play(
      [
        picks(call("pay", { euros: 5 })),
        async () => {
          gate.resolve(true);
          await sleep(2);
          return "done";
        },
      ],
      { tools: [paying(log)] },
      { approvalTimeoutMs: 10, approve: () => gate.promise },
    );
    expect(log).toEqual([]);
  });

  test("its own time does not count as the tool's", async () => {
    const log: unknown[] = [];
    const { result } = await play(
      [picks(call("pay", { euros: 5 })), "done"],
      { tools: [{ ...paying(log), timeoutMs: 20 }] },
      { approve: () => sleep(60).then(() => true) },
    );
    expect(answers(result.messages)).toEqual(["paid"]);
  });

  test("a now message ends the waiting: the call is skipped and the message is read", async () => {
    const log: unknown[] = [];
    const signals: AbortSignal[] = [];
    const { run, ended, model } = start(
      [picks(call("pay", { euros: 5 })), "done"],
      { tools: [paying(log)] },
      {
        approve: (request) => {
          signals.push(request.signal);
          return new Promise(() => {});
        },
      },
    );
    await until(() => signals.length === 1);
    run.send("never mind");
    const { result } = await ended();
    expect(log).toEqual([]);
    expect(signals[0]?.aborted).toBe(true);
    expect(answers(result.messages)).toEqual([expect.stringMatching(/^! Skipped due to queued user message/)]);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "user", content: "never mind" });
  });

  test("an after_round message does not end it", async () => {
    const log: unknown[] = [];
    const gate = Promise.withResolvers<boolean>();
    let asked = false;
    const { run, ended } = start(
      [picks(call("pay", { euros: 5 })), "done"],
      { tools: [paying(log)] },
      {
        approve: () => {
          asked = true;
          return gate.promise;
        },
      },
    );
    await until(() => asked);
    run.send("by the way", { when: "after_round" });
    await sleep(3);
    gate.resolve(true);
    await ended();
    expect(log).toHaveLength(1);
  });
});
