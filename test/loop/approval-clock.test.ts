import { describe, expect, test } from "vitest";
import { type AgentEvent, type HostFactory, memory } from "../../src/core.ts";
import { paying } from "./paying.fixture.ts";
import { call, logged, picks, start, until } from "./play.fixture.ts";

/** `memory()` whose records are dated by a clock of ours: one second later each. Remembers until when it was asked to wait. */
function clocked() {
  let now = Date.now() + 3_600_000;
  const start = now;
  const waits: (number | undefined)[] = [];
  const dated = <T extends object>(record: T) => {
    now += 1_000;
    return { ...record, at: now };
  };
  const under = memory();
  const host: HostFactory = {
    open(runId) {
      const run = under.open(runId);
      const { inbox } = run.host;
      return {
        host: {
          signal: run.host.signal,
          step: async (key, options, effect) => dated(await run.host.step(key, options, effect)),
          inbox: {
            drain: async (key, kinds) => dated(await inbox.drain(key, kinds)),
            takeOrClose: async (key) => dated(await inbox.takeOrClose(key)),
            close: async (key) => dated(await inbox.close(key)),
            wait: async (key, kinds, untilMs) => {
              waits.push(untilMs === undefined ? undefined : untilMs - start);
              return dated(await inbox.wait(key, kinds, untilMs));
            },
          },
          settle: (ids, how, round) => run.host.settle(ids, how, round),
          sleep: (ms) => run.host.sleep(ms),
        },
        send: (message) => run.send(message),
        cancel: (reason) => run.cancel(reason),
        interrupt: (reason) => run.interrupt(reason),
      };
    },
  };
  return { host, waits };
}

describe("approvalTimeoutMs", () => {
  test("counts from the last record, and a message about another call does not begin it anew", async () => {
    const { host, waits } = clocked();
    const { run, ended } = start(
      [picks(call("pay", { euros: 5 }, "mine")), "done"],
      { tools: [paying([])] },
      {
        host,
        approvalTimeoutMs: 500_000,
        approve: async () => {
          for (const seen of [1, 2]) {
            await until(() => waits.length === seen);
            run.post({ kind: "approval", approval: { callId: "another", approved: true } });
          }
          await until(() => waits.length === 3);
          return true;
        },
      },
    );
    await ended();
    // The drain before the first request is the first record, the reply the second.
    expect(waits).toEqual([502_000, 502_000, 502_000]);
  });

  test("counts anew for each call: from the end of the one before, or from the word on it", async () => {
    const { host, waits } = clocked();
    const log: string[] = [];
    const { ended } = start(
      [picks("a", "b", "c"), "done"],
      { tools: ["a", "b", "c"].map((name) => logged(name, log, { requiresApproval: true })) },
      { host, approvalTimeoutMs: 500_000, approve: ({ call: { name } }) => name !== "b" },
    );
    await ended();
    expect(log).toEqual(["a", "c"]);
    // a: drain, reply. b: the word on a, its result, the drain behind it. c: the word on b, which is not run.
    expect(waits).toEqual([502_000, 505_000, 506_000]);
  });
});

describe("a reader that comes while somebody is asked", () => {
  test("is told what is asked, and no more of it once it is answered", async () => {
    const gate = Promise.withResolvers<boolean>();
    const { run, ended, events } = start(
      [picks(call("pay", { euros: 5 }, "mine")), "done"],
      { tools: [paying([])] },
      { approve: () => gate.promise },
    );
    await until(() => events.some(({ type }) => type === "approval_request"));
    const late = run[Symbol.asyncIterator]();
    const seen: AgentEvent[] = [];
    while (seen.at(-1)?.type !== "approval_request") seen.push((await late.next()).value as AgentEvent);
    expect(seen.at(-1)).toMatchObject({ call: { id: "mine" } });
    expect(seen[0]).toMatchObject({ gap: true });
    gate.resolve(true);
    await until(() => events.some(({ type }) => type === "tool_start"));
    const later: AgentEvent[] = [];
    for await (const event of run) later.push(event);
    for (let next = await late.next(); !next.done; next = await late.next()) seen.push(next.value);
    expect(seen.filter(({ type }) => type === "approval_request")).toHaveLength(1);
    expect(seen.filter(({ type }) => type === "tool_start")).toHaveLength(1);
    expect(later.filter(({ type }) => type === "approval_request")).toEqual([]);
    await ended();
  });
});
