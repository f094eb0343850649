import { describe, expect, test } from "vitest";
import type { AgentEvent, Approve } from "../../src/core.ts";
import { callsOf } from "../../src/message/message.ts";
import { paying } from "./paying.fixture.ts";
import { answers, call, picks, play, read, start, until } from "./play.fixture.ts";

/** One call of `pay` under this hook, with what was told of its start. */
async function pay(approve: Approve, args: Parameters<typeof call>[1] = '{ "euros": 5 }') {
  const log: unknown[] = [];
  const played = await play([picks(call("pay", args)), "done"], { tools: [paying(log)] }, { approve });
  const starts = played.events.flatMap((event) => (event.type === "tool_start" ? [event] : []));
  expect(starts).toHaveLength(1);
  const reply = played.result.messages[1];
  const made = reply?.role === "assistant" ? callsOf(reply)[0] : undefined;
  return { ...played, log, start: starts[0], made };
}

describe("arguments that a person has changed", () => {
  test("are what tool_start shows; the history keeps the model's own", async () => {
    const { log, start, made } = await pay(() => ({ approved: true, arguments: { euros: 1, to: "me" } }));
    expect(log).toEqual([{ euros: 1, to: "me" }]);
    expect(start).toMatchObject({ call: made, arguments: '{"euros":1,"to":"me"}' });
    expect(made?.arguments).toBe('{ "euros": 5 }');
  });

  test("that say the same in other words are not", async () => {
    const { log, start } = await pay(() => ({ approved: true, arguments: { euros: 5 } }));
    expect(log).toEqual([{ euros: 5 }]);
    expect(start).not.toHaveProperty("arguments");
  });

  test("that were not run, because they are wrong or the call is denied, are not", async () => {
    const wrong = await pay(() => ({ approved: true, arguments: { euros: 1_000 } }));
    expect(answers(wrong.result.messages)[0]).toMatch(/^! .*euros/s);
    const late = (await read(wrong.run)).find(({ type }) => type === "tool_start");
    for (const told of [wrong.start, late]) expect(told).not.toHaveProperty("arguments");
    expect((await pay(() => ({ approved: false, arguments: { euros: 1 } }))).start).not.toHaveProperty("arguments");
    expect((await pay(() => true)).start).not.toHaveProperty("arguments");
  });

  test.each([() => 1, Symbol("x"), { euros: 1n }])("that are no JSON deny the call", async (args) => {
    const { log, result } = await pay(() => ({ approved: true, arguments: args as never }));
    expect(log).toEqual([]);
    expect(answers(result.messages)).toEqual([expect.stringMatching(/^! Denied/)]);
  });

  test("are shown to readers that come late, while the call runs and behind it", async () => {
    const gate = Promise.withResolvers<void>();
    const log: unknown[] = [];
    const slow = { ...paying(log), execute: (args: unknown) => gate.promise.then(() => void log.push(args)) };
    const { run, ended, events } = start(
      [picks(call("pay", { euros: 5 })), "done"],
      { tools: [slow] },
      { approve: () => ({ approved: true, arguments: { euros: 1 } }) },
    );
    await until(() => events.some(({ type }) => type === "tool_start"));
    const late = run[Symbol.asyncIterator]();
    const shown: AgentEvent[] = [];
    while (shown.at(-1)?.type !== "tool_start") shown.push((await late.next()).value as AgentEvent);
    gate.resolve();
    await ended();
    const behind = (await read(run)).find(({ type }) => type === "tool_start");
    for (const event of [shown.at(-1), behind]) expect(event).toMatchObject({ arguments: '{"euros":1}' });
    expect(log).toEqual([{ euros: 1 }]);
  });
});

test("a hook that changes the call it is shown changes nothing", async () => {
  const { log, made, result } = await pay((request) => {
    Object.assign(request.call, { id: "other", name: "nope", arguments: '{"euros":99}' });
    return true;
  });
  expect(log).toEqual([{ euros: 5 }]);
  expect(made).toMatchObject({ name: "pay", arguments: '{ "euros": 5 }' });
  expect(answers(result.messages)).toEqual(["paid"]);
});
