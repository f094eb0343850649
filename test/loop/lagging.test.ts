import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AgentEvent, createRuntime, type Model, type Run, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { call, logged, microtasks, picks, sleep, until } from "./play.fixture.ts";
import { checkReader, digits, readSlowly, streaming } from "./reading.fixture.ts";

/** What a reader that lags or comes late still gets: each message and each call of the root once, and the end. */
function checkWhole(events: readonly AgentEvent[], run: Run, messages: readonly unknown[]): void {
  const own = events.filter((event) => event.runId === run.id);
  expect(own.flatMap((event) => (event.type === "message_end" ? [event.message] : []))).toEqual(messages);
  expect(own.at(-1)?.type).toBe("agent_end");
}

describe("a reader that lags", () => {
  test("behind a flood of progress: the call has its start and its end, the message its text", async () => {
    const chatty = tool({
      name: "chatty",
      execute: (_args, ctx) => {
        for (let n = 0; n < 5_000; n++) ctx.update(n);
        return "ok";
      },
    });
    const model = scripted([picks("chatty", "a"), "done"]);
    const run = createRuntime({ model }).run("go", { tools: [chatty, logged("a", [])] });
    const [events, result] = await Promise.all([readSlowly(run, [3]), run.result]);
    checkReader(events);
    checkWhole(
      events,
      run,
      result.messages.filter((message) => message.role !== "tool"),
    );
    expect(events.filter((event) => event.type === "tool_end")).toHaveLength(2);
    expect(events.length).toBeLessThan(2_000);
  });

  test("behind a nested run's flood: the root's messages and calls are whole", async () => {
    const inner = streaming(4_000).model;
    const nest = tool({
      name: "nest",
      execute: (_args, ctx) => ctx.runtime.exec("inner", { tools: [], model: inner }),
    });
    const run = createRuntime({ model: scripted([picks("nest"), "done"]) }).run("go", { tools: [nest] });
    const [events, result] = await Promise.all([readSlowly(run, [4]), run.result]);
    checkReader(events);
    checkWhole(
      events,
      run,
      result.messages.filter((message) => message.role !== "tool"),
    );
    expect(events.length).toBeLessThan(3_000);
  });

  test("as slow and as late as may be: each message and each call once, no text lost", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 0, max: 4_000 }),
        fc.integer({ min: 0, max: 1_500 }),
        async (pauses, before, deltas) => {
          const text = digits(deltas);
          const model = scripted([
            { text: `x${text}`, chunk: 1, calls: [call("a"), call("a")] },
            { text: `y${text}`, chunk: 1 },
          ]);
          const run = createRuntime({ model }).run("go", { tools: [logged("a", [])] });
          const events = await readSlowly(run, pauses, before);
          const result = await run.result;
          checkReader(events);
          checkWhole(
            events,
            run,
            result.messages.filter((message) => message.role !== "tool"),
          );
          expect(events.filter((event) => event.type === "tool_end")).toHaveLength(2);
          let open = "";
          for (const event of events) {
            if (event.type === "message_start") open = "";
            if (event.type === "message_update" && event.update.type === "text") open += event.update.delta;
            if (event.type === "message_end" && event.message.role === "assistant" && open !== "") {
              expect(event.message.content[0]).toMatchObject({ text: open });
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

test("one that pulls 10 events of 5,000 and then goes on gets the rest in short, behind a gap", async () => {
  const { model, state } = streaming(5_000);
  const gate = Promise.withResolvers<void>();
  const held = tool({ name: "held", execute: () => gate.promise.then(() => "ok") });
  const text = digits(5_000);
  const calls = scripted([picks("held")]);
  let requests = 0;
  const both: Model = { id: "both", stream: (...given) => (requests++ === 0 ? model : calls).stream(...given) };
  const getFollowUpMessages = () => (requests === 1 ? ["and now"] : []);
  const script = createRuntime({ model: both }).run("go", {
    tools: [held],
    getFollowUpMessages,
    maxIterations: 2,
    atLimit: "stop",
  });
  const reader = script[Symbol.asyncIterator]();
  const events: AgentEvent[] = [];
  for (let pulled = 0; pulled < 10; pulled++) events.push((await reader.next()).value as AgentEvent);
  expect(events.some(({ gap }) => gap)).toBe(false);
  // Far behind now: the first reply has streamed to its end, and a call of the second is going on.
  await until(() => requests === 2);
  await sleep(5);
  expect(state.sent).toBe(5_000);
  gate.resolve();
  const { messages } = await script.result;
  for (let next = await reader.next(); !next.done; next = await reader.next()) events.push(next.value);
  checkReader(events);
  checkWhole(
    events,
    script,
    messages.filter((message) => message.role !== "tool"),
  );
  // What was held for it is bounded: the capacity, and the rest as a few finished messages and calls.
  expect(events.length).toBeLessThan(1_024 + 30);
  const from = events.findIndex(({ gap }) => gap);
  expect(from).toBeGreaterThanOrEqual(10);
  expect(events.filter(({ gap }) => gap)).toHaveLength(1);
  const whole = events.slice(from).find((event) => event.type === "message_end" && event.message.role === "assistant");
  expect(whole).toMatchObject({ message: { content: [{ text }] } });
  expect(events.slice(from).map(({ type }) => type)).toContain("tool_end");
});

test("whatever event a reader falls behind at, nothing of the history is lost to it", async () => {
  for (let deltas = 995; deltas <= 1_030; deltas++) {
    const model = scripted([{ text: digits(deltas), chunk: 1, calls: [call("a"), call("b")] }, "done"]);
    // Calls that are not run, and a message behind them: in history before anything of them is told.
    let asked = 0;
    const getSteeringMessages = () => (++asked === 2 ? ["one", "two"] : []);
    const run = createRuntime({ model }).run("go", { tools: [], getSteeringMessages });
    const reader = run[Symbol.asyncIterator]();
    const { messages } = await run.result;
    const told: unknown[] = [];
    for (let next = await reader.next(); !next.done; next = await reader.next()) {
      if (next.value.type === "message_end") told.push(next.value.message);
      if (next.value.type === "tool_end") told.push(next.value.result);
    }
    expect(told, `${deltas} deltas`).toEqual(messages);
  }
});

test("one that has heard of a reply without content, and lags behind it, is not told anew what it knows", async () => {
  const { model } = streaming(3_000);
  const empty = scripted([{ text: " " }]);
  let requests = 0;
  const both: Model = { id: "both", stream: (...given) => (requests++ === 0 ? empty : model).stream(...given) };
  const getFollowUpMessages = () => (requests === 1 ? ["more"] : []);
  const run = createRuntime({ model: both }).run("go", { tools: [], getFollowUpMessages });
  const events: AgentEvent[] = [];
  for await (const event of run) {
    events.push(event);
    if (event.type === "message_end" && event.message.role === "assistant") await run.result;
  }
  expect(events.some(({ gap }) => gap)).toBe(true);
  checkReader(events);
  const ends = events.flatMap((event) => (event.type === "message_end" ? [event.message.role] : []));
  expect(ends).toEqual(["user", "assistant", "user", "assistant"]);
});

test("one that is told of a long past while the run goes on is told it once, and then is not behind", async () => {
  const gate = Promise.withResolvers<void>();
  const { model, state } = streaming(2_000, (index) => (index === 0 ? gate.promise : microtasks(4)));
  const calls = Array.from({ length: 600 }, () => picks("a"));
  const before = scripted(calls);
  let requests = 0;
  const both: Model = { id: "both", stream: (...given) => (requests++ < 600 ? before : model).stream(...given) };
  const run = createRuntime({ model: both }).run("go", { tools: [logged("a", [])], maxIterations: 700, stuck: false });
  await until(() => state.sent === 1);
  const reading = readSlowly(run, [1]);
  gate.resolve();
  const events = await reading;
  checkReader(events);
  expect(events.length).toBeGreaterThan(2_400);
  expect(events.filter(({ gap }) => gap).length).toBeLessThan(4);
});
