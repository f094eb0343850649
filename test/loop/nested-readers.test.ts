import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AgentEvent, createRuntime, exec, type Model, type ModelEvent, method, tool } from "../../src/core.ts";
import { callsOf, textOf } from "../../src/message/message.ts";
import { acting, promptOf, roundsOf } from "../agents/agents.fixture.ts";
import { microtasks, picks, read, sleep, tokens, until } from "./play.fixture.ts";
import { brief, checkRuns, digits, readSlowly, streaming } from "./reading.fixture.ts";

/** A model that streams its text one character at a time, with pauses of so many microtasks, and calls tools first. */
function tree(deltas: number, pauses: readonly number[]): Model {
  const calls: { readonly [prompt: string]: readonly string[] } = {
    root: ["fan", "picked"],
    leg: ["deep"],
    picked: ["deep", "quiet"],
  };
  let turn = 0;
  return {
    id: "tree",
    async *stream(request): AsyncGenerator<ModelEvent> {
      const names = roundsOf(request) === 0 ? (calls[promptOf(request)] ?? []) : [];
      const text = `${promptOf(request)}:${digits(deltas)}`;
      for (const delta of text) {
        await microtasks(pauses[turn++ % pauses.length] ?? 0);
        yield { type: "text", delta };
      }
      const content = [
        { type: "text" as const, text },
        ...names.map((name, i) => ({ type: "tool_call" as const, id: `${name}_${i}`, name, arguments: "{}" })),
      ];
      const stopReason = names.length > 0 ? "tool_calls" : "stop";
      yield { type: "end", message: { role: "assistant", content, model: "tree", usage: tokens(1, 1), stopReason } };
    },
  };
}

const quiet = tool({ name: "quiet", execute: () => "quiet" });
const deep = tool({ name: "deep", execute: () => exec("deep", { tools: [] }) });
const watched = method({ name: "watched" }, () => exec("leg", { tools: [deep] }));
const picked = method({ name: "picked" }, () => exec("picked", { tools: [deep, quiet] }));
const fan = (legs: number) =>
  tool({
    name: "fan",
    execute: async () => {
      const all = Array.from({ length: legs }, () => exec("leg", { tools: [deep] }));
      return (await Promise.all([...all, watched.run().result])).length;
    },
  });

const pauses = fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 1, maxLength: 4 });

describe("readers of runs inside runs", () => {
  test("whenever they come and however they lag: each run that they are told of is whole, the root ends last", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 5 }),
        fc.integer({ min: 0, max: 120 }),
        pauses,
        fc.array(fc.tuple(fc.integer({ min: 0, max: 3_000 }), pauses), { minLength: 3, maxLength: 3 }),
        async (legs, deltas, speed, readers) => {
          const runtime = createRuntime({ model: tree(deltas, speed) });
          const run = runtime.run("root", { tools: [fan(legs), picked] });
          const all = await Promise.all(readers.map(([before, slow]) => readSlowly(run, slow, before)));
          await run.result;
          for (const events of all) checkRuns(events, run.id);
        },
      ),
      { numRuns: 50 },
    );
  });

  test("of a method's run likewise", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 200 }),
        pauses,
        fc.array(fc.tuple(fc.integer({ min: 0, max: 2_000 }), pauses), { minLength: 3, maxLength: 3 }),
        async (deltas, speed, readers) => {
          const runtime = createRuntime({ model: tree(deltas, speed) });
          const go = method({ name: "go" }, async () => {
            await runtime.exec("leg", { tools: [deep] });
            return Promise.all([picked(), runtime.exec("root", { tools: [fan(2), picked] }), watched.run().result]);
          });
          const handle = go.run();
          const all = await Promise.all(readers.map(([before, slow]) => readSlowly(handle, slow, before)));
          for (const events of all) checkRuns(events, handle.id);
        },
      ),
      { numRuns: 25 },
    );
  });

  test("that come while one streams are told of it: its start, its open message as one update, then it is live", async () => {
    const gate = Promise.withResolvers<void>();
    const { model, state } = streaming(20, (index) => (index === 9 ? gate.promise : undefined));
    const inner = tool({ name: "inner", execute: () => exec("leaf", { tools: [], model }) });
    const outer = method({ name: "outer" }, () => exec("middle", { tools: [inner] }));
    const runtime = createRuntime({
      model: acting((request) =>
        roundsOf(request) > 0 ? "done" : promptOf(request) === "middle" ? picks("inner") : picks("outer"),
      ),
    });
    const run = runtime.run("go", { tools: [outer] });
    await until(() => state.sent === 10);
    await sleep(2);
    const events: AgentEvent[] = [];
    const reading = read(run, events);
    await sleep(2);
    const past = events.map((event) => `${event.path} ${brief(event)}`);
    expect(past).toEqual([
      " agent_start",
      " message_start user",
      " message_end user",
      " message_start assistant",
      " message_end assistant",
      " tool_start outer",
      "1/0/0 agent_start",
      "1/0/0 message_start user",
      "1/0/0 message_end user",
      "1/0/0 message_start assistant",
      "1/0/0 message_end assistant",
      "1/0/0 tool_start inner",
      "1/0/0/1/0/0 agent_start",
      "1/0/0/1/0/0 message_start user",
      "1/0/0/1/0/0 message_end user",
      "1/0/0/1/0/0 message_start assistant",
      "1/0/0/1/0/0 update text",
    ]);
    expect(new Set(events.map(({ seq }) => seq)).size).toBe(1);
    expect(events.at(-1)).toMatchObject({ update: { delta: digits(10) } });
    gate.resolve();
    await reading;
    checkRuns(events, run.id);
  });

  test("that lag behind 200 of them, all at once, are left with no loose ends", async () => {
    const slow: Model = {
      id: "slow",
      async *stream() {
        await sleep(2);
        yield { type: "text", delta: "h" };
        await sleep(2);
        yield { type: "text", delta: "i" };
        const content = [{ type: "text" as const, text: "hi" }];
        yield {
          type: "end",
          message: { role: "assistant", content, model: "slow", usage: tokens(1, 1), stopReason: "stop" },
        };
      },
    };
    const all = method({ name: "all" }, () =>
      Promise.all(Array.from({ length: 200 }, () => exec("x", { model: slow, tools: [] }))),
    );
    for (const every of [1, 7, 50]) {
      const handle = all.run();
      const events: AgentEvent[] = [];
      for await (const event of handle) if (events.push(event) % every === 0) await sleep(0);
      checkRuns(events, handle.id);
    }
  });

  test("that have been told of one which ends while they lag are told its end", async () => {
    const gate = Promise.withResolvers<void>();
    const { model } = streaming(3_000);
    const first = tool({ name: "first", execute: () => exec("leaf", { tools: [], model: streaming(5).model }) });
    const flood = tool({ name: "flood", execute: () => exec("leaf", { tools: [], model }) });
    const held = tool({ name: "held", execute: () => gate.promise });
    const runtime = createRuntime({
      model: acting((request) => (roundsOf(request) > 0 ? "done" : picks("first", "flood", "held"))),
    });
    const run = runtime.run("go", { tools: [first, flood, held] });
    const iterator = run[Symbol.asyncIterator]();
    const events: AgentEvent[] = [];
    const inFirst = (event: AgentEvent | undefined) => event?.type === "message_update" && event.path === "1/0/0";
    while (!inFirst(events.at(-1))) events.push((await iterator.next()).value as AgentEvent);
    await sleep(20);
    setImmediate(gate.resolve);
    await read({ [Symbol.asyncIterator]: () => iterator }, events);
    checkRuns(events, run.id);
    const behind = events.slice(events.findIndex(({ gap }) => gap));
    expect(behind[0]).toMatchObject({ type: "agent_end", path: "1/0/0", text: digits(5) });
    // The flood began and ended while nobody looked.
    expect(events.some(({ path }) => path === "1/1/0")).toBe(false);
    expect(behind.filter(({ type }) => type === "tool_end")).toHaveLength(3);
  });

  test("nobody reads: what has ended inside is not kept to be told", async () => {
    const run = createRuntime({ model: tree(5, [0]) }).run("root", { tools: [fan(3), picked] });
    const { messages } = await run.result;
    const events = await read(run);
    expect(new Set(events.map(({ path }) => path))).toEqual(new Set([""]));
    const calls = messages.flatMap((message) => (message.role === "assistant" ? callsOf(message) : []));
    expect(events.filter(({ type }) => type === "tool_end")).toHaveLength(calls.length);
    expect(textOf(messages.at(-1)!)).toBe(`root:${digits(5)}`);
  });
});
