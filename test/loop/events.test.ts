import { describe, expect, test } from "vitest";
import { type AgentEvent, createRuntime, type Model, type ModelEvent, type Run, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { call, logged, microtasks, picks, play, read, sleep, start, tokens, until } from "./play.fixture.ts";

/** An event in a word or two. */
const brief = (event: AgentEvent): string => {
  switch (event.type) {
    case "round_start":
    case "round_end":
      return `${event.type} ${event.round}`;
    case "message_start":
      return `message_start ${event.role}`;
    case "message_update":
      return `update ${event.update.type}`;
    case "message_end":
      return `message_end ${event.message.role}`;
    case "tool_start":
    case "tool_end":
      return `${event.type} ${event.call.name}`;
    default:
      return event.type;
  }
};

/** A model that streams this many one-character deltas and says how far it has come. */
function streaming(deltas: number, pause?: (index: number) => Promise<void> | undefined) {
  const state = { sent: 0 };
  const model: Model = {
    id: "streaming",
    async *stream(): AsyncGenerator<ModelEvent> {
      let text = "";
      for (let index = 0; index < deltas; index++) {
        const delta = String(index % 10);
        text += delta;
        state.sent++;
        yield { type: "text", delta };
        const wait = pause?.(index);
        if (wait !== undefined) await wait;
      }
      yield {
        type: "end",
        message: {
          role: "assistant",
          content: [{ type: "text", text }],
          model: "streaming",
          usage: tokens(0, 0),
          stopReason: "stop",
        },
      };
    },
  };
  return { model, state };
}
const digits = (count: number) => Array.from({ length: count }, (_, index) => String(index % 10)).join("");
const textIn = (events: readonly AgentEvent[]) =>
  events
    .map((event) => (event.type === "message_update" && event.update.type === "text" ? event.update.delta : ""))
    .join("");

/** What holds for any reader, also a late or lagging one: pairs, order, one end. */
function checkReader(events: readonly AgentEvent[]): void {
  const seqs = events.map((event) => event.seq);
  expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
  if (events[0]?.gap === undefined) expect(new Set(seqs).size).toBe(seqs.length);
  expect(events.at(-1)?.type).toBe("agent_end");
  let open = 0;
  for (const event of events) {
    if (event.path !== "") continue;
    if (event.type === "message_start") expect(++open).toBe(1);
    if (event.type === "message_update") expect(open).toBe(1);
    if (event.type === "message_end") expect(--open).toBe(0);
  }
  const started = events.flatMap((event) => (event.type === "tool_start" ? [event.call.id] : []));
  const ended = events.flatMap((event) => (event.type === "tool_end" ? [event.call.id] : []));
  expect(started.toSorted()).toEqual(ended.toSorted());
}

describe("the order of events", () => {
  test("of a run of two rounds with steering", async () => {
    const { run, ended, events } = start([{ text: "let me", ...picks("a", "b") }, "done"], {
      tools: [
        tool({
          name: "a",
          execute: (_args, ctx) => {
            ctx.update("half");
            run.send("hurry");
            return "ok";
          },
        }),
        logged("b", []),
      ],
    });
    await ended();
    expect(events.map(brief)).toEqual([
      "agent_start",
      "message_start user",
      "message_end user",
      "round_start 1",
      "message_start assistant",
      "update text",
      "update call_start",
      "update call_delta",
      "update call_end",
      "update call_start",
      "update call_delta",
      "update call_end",
      "message_end assistant",
      "tool_start a",
      "tool_update",
      "tool_end a",
      "tool_start b",
      "tool_end b",
      "round_end 1",
      "message_start user",
      "message_end user",
      "round_start 2",
      "message_start assistant",
      "update text",
      "message_end assistant",
      "round_end 2",
      "agent_end",
    ]);
    checkReader(events);
  });

  test("every event carries runId, path and seq; seq grows", async () => {
    const { run, events } = await play([picks("a"), "done"], { tools: [logged("a", [])] });
    for (const event of events) expect(event).toMatchObject({ runId: run.id, path: "", seq: expect.any(Number) });
    checkReader(events);
    expect(events.some((event) => event.gap)).toBe(false);
  });

  test("round_end holds the reply and its results; agent_end holds the result", async () => {
    const { events, result } = await play([picks("a", "nope"), "done"], { tools: [logged("a", [])] });
    const ends = events.flatMap((event) => (event.type === "round_end" ? [event] : []));
    expect(ends[0]).toMatchObject({ round: 1, message: { role: "assistant" } });
    expect(ends[0]?.toolResults.map((one) => one.toolName)).toEqual(["a", "nope"]);
    expect(ends[0]?.message).toBe(result.messages[1]);
    expect(ends[1]?.toolResults).toEqual([]);
    const end = events.at(-1);
    expect(end).toMatchObject({
      type: "agent_end",
      outcome: "stop",
      text: "done",
      rounds: 2,
      undelivered: [],
      usage: result.usage,
    });
    expect(end?.type === "agent_end" ? end.messages : []).toEqual(result.messages);
  });

  test("message_start and message_end of a user message hold it whole", async () => {
    const { events } = await play(["done"]);
    expect(events.slice(1, 3)).toMatchObject([
      { type: "message_start", role: "user", message: { role: "user", content: "go" } },
      { type: "message_end", message: { role: "user", content: "go" } },
    ]);
  });

  test("tool results have no message events", async () => {
    const { events } = await play([picks("a"), "done"], { tools: [logged("a", [])] });
    expect(events.filter((event) => event.type === "message_start")).toHaveLength(3);
  });

  test("deltas are passed on one by one, as they come", async () => {
    const { model, state } = streaming(5, (index) => (index === 2 ? sleep(5) : undefined));
    const run = createRuntime({ model }).run("go", { tools: [] });
    const sentAt: number[] = [];
    for await (const event of run) if (event.type === "message_update") sentAt.push(state.sent);
    expect(sentAt).toHaveLength(5);
    expect(sentAt[0]).toBeLessThanOrEqual(3);
  });

  test("reasoning is an update of its own kind", async () => {
    const { events } = await play([{ reasoning: "hm", text: "done" }]);
    expect(events.flatMap((event) => (event.type === "message_update" ? [event.update] : []))).toEqual([
      { type: "reasoning", delta: "hm" },
      { type: "text", delta: "done" },
    ]);
  });
});

describe("nested runs", () => {
  const nest = tool({
    name: "nest",
    execute: (_args, ctx) => ctx.runtime.exec("inner", { tools: [logged("leaf", [])] }),
  });

  test("their events come between those of the call, with its path and a seq of the same order", async () => {
    const { run, events } = await play([picks("nest"), picks("leaf"), "inner text", "done"], { tools: [nest] });
    const inner = events.filter((event) => event.path !== "");
    expect(inner.at(0)?.type).toBe("agent_start");
    expect(inner.at(-1)).toMatchObject({ type: "agent_end", text: "inner text" });
    expect(new Set(inner.map((event) => event.path)).size).toBe(1);
    expect(new Set(inner.map((event) => event.runId)).size).toBe(1);
    expect(inner[0]?.runId).not.toBe(run.id);
    const kinds = events.map((event) => (event.path === "" ? event.type : "inner"));
    const from = kinds.indexOf("tool_start");
    expect(kinds.slice(from + 1, kinds.indexOf("tool_end")).every((kind) => kind === "inner")).toBe(true);
    checkReader(events);
  });

  test("the path is that of the call they run in", async () => {
    const paths: string[] = [];
    const spy = tool({
      name: "spy",
      execute: async (_args, ctx) => {
        paths.push(ctx.path);
        return await ctx.runtime.exec("inner", { tools: [] });
      },
    });
    const { events } = await play([picks("spy", "spy"), "1", "2", "done"], { tools: [spy] });
    const seen = [...new Set(events.filter((event) => event.path !== "").map((event) => event.path))];
    expect(paths).toHaveLength(2);
    for (const [index, path] of seen.entries()) expect(path.startsWith(paths[index] ?? "?")).toBe(true);
  });

  test("run.text is the root's alone", async () => {
    const { run, ended } = start([{ text: "a", ...picks("nest") }, picks("leaf"), "inner text", "b"], {
      tools: [nest],
    });
    let text = "";
    for await (const delta of run.text) text += delta;
    await ended();
    expect(text).toBe("ab");
  });

  test("a nested handle has its own events", async () => {
    const seen: string[] = [];
    const watch = tool({
      name: "watch",
      execute: async (_args, ctx) => {
        for await (const event of ctx.runtime.run("inner", { tools: [] })) seen.push(brief(event));
        return "ok";
      },
    });
    await play([picks("watch"), "inner", "done"], { tools: [watch] });
    expect(seen.at(0)).toBe("agent_start");
    expect(seen.at(-1)).toBe("agent_end");
    expect(seen).toContain("update text");
  });
});

describe("a late reader", () => {
  const reader = (run: Run) => read(run);

  test("taken in the tick of run misses nothing", async () => {
    const run = createRuntime({ model: scripted(["done"]) }).run("go", { tools: [] });
    const events = await reader(run);
    expect(events[0]?.type).toBe("agent_start");
    expect(events.some((event) => event.gap)).toBe(false);
  });

  test("after the end: finished messages and tools as pairs, then agent_end; the first is marked", async () => {
    const { run, ended } = start([{ text: "let me", ...picks("a") }, "done"], { tools: [logged("a", [])] });
    const { result } = await ended();
    const events = await reader(run);
    expect(events.map(brief).filter((one) => !/^(agent_start|round_)/.test(one))).toEqual([
      "message_start user",
      "message_end user",
      "message_start assistant",
      "message_end assistant",
      "tool_start a",
      "tool_end a",
      "message_start assistant",
      "message_end assistant",
      "agent_end",
    ]);
    expect(events.map((event) => event.gap ?? false)).toEqual([true, ...events.slice(1).map(() => false)]);
    expect(events.at(-1)).toMatchObject({ outcome: "stop", messages: result.messages });
    checkReader(events);
  });

  test("in the middle of a reply: the open message is one update, then it is live", async () => {
    const gate = Promise.withResolvers<void>();
    const { model, state } = streaming(20, (index) => (index === 9 ? gate.promise : undefined));
    const run = createRuntime({ model }).run("go", { tools: [] });
    await until(() => state.sent === 10);
    await sleep(2);
    const events: AgentEvent[] = [];
    const reading = read(run, events);
    await sleep(2);
    gate.resolve();
    await reading;
    const updates = events.flatMap((event) =>
      event.type === "message_update" && event.update.type === "text" ? [event.update.delta] : [],
    );
    expect(updates[0]).toBe(digits(10));
    expect(updates).toHaveLength(11);
    expect(updates.join("")).toBe(digits(20));
    expect(events[0]?.gap).toBe(true);
    expect(events.filter((event) => event.gap)).toHaveLength(1);
    checkReader(events);
  });

  test("while a tool runs: its start, then it is live", async () => {
    const gate = Promise.withResolvers<void>();
    const slow = tool({ name: "slow", execute: () => gate.promise });
    const { run, ended, events } = start([picks("a", "slow"), "done"], { tools: [logged("a", []), slow] });
    await until(() => events.some((event) => event.type === "tool_start" && event.call.name === "slow"));
    const late: AgentEvent[] = [];
    const reading = read(run, late);
    await sleep(2);
    gate.resolve();
    await Promise.all([reading, ended()]);
    const kinds = late.map(brief);
    expect(kinds.indexOf("tool_start slow")).toBeGreaterThan(kinds.indexOf("tool_end a"));
    expect(kinds.indexOf("tool_end slow")).toBeGreaterThan(kinds.indexOf("tool_start slow"));
    checkReader(late);
  });

  test("at any microtask sees every message and every tool once", async () => {
    for (let offset = 0; offset < 120; offset += 3) {
      const { run, ended } = start([{ text: "let me", ...picks("a", "a") }, "done"], { tools: [logged("a", [])] });
      await microtasks(offset);
      const events = await reader(run);
      const { result } = await ended();
      checkReader(events);
      const messages = events.flatMap((event) => (event.type === "message_end" ? [event.message] : []));
      expect(messages).toEqual(result.messages.filter((message) => message.role !== "tool"));
      expect(events.filter((event) => event.type === "tool_end")).toHaveLength(2);
      const open = textIn(events.slice(events.findLastIndex((event) => event.type === "message_start")));
      expect(["", "done"]).toContain(open);
    }
  });
});

describe("CONC-10 a slow or absent reader costs nothing", () => {
  test("nobody reads: the run ends, and what a late reader gets is coalesced", async () => {
    const { model } = streaming(5_000);
    const run = createRuntime({ model }).run("go", { tools: [] });
    expect((await run.result).text).toBe(digits(5_000));
    const events = await read(run);
    expect(events.length).toBeLessThan(20);
  });

  test("a reader that stops after 10 holds nothing up", async () => {
    const { model } = streaming(5_000);
    const run = createRuntime({ model }).run("go", { tools: [] });
    const iterator = run[Symbol.asyncIterator]();
    for (let index = 0; index < 10; index++) await iterator.next();
    expect((await run.result).text).toHaveLength(5_000);
    const rest: AgentEvent[] = [];
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) rest.push(next.value);
    expect(rest.length).toBeLessThan(1_100);
    expect(rest.at(-1)?.type).toBe("agent_end");
  });

  test("a reader more than 1,024 behind lags: it gets a gap, then the rest coalesced", async () => {
    const { model } = streaming(3_000);
    const run = createRuntime({ model }).run("go", { tools: [] });
    const events: AgentEvent[] = [];
    for await (const event of run) {
      events.push(event);
      if (events.length === 6) await run.result;
    }
    expect(events.length).toBeLessThan(1_100);
    expect(events.filter((event) => event.gap)).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: "agent_end", text: digits(3_000) });
    const last = events.findLast((event) => event.type === "message_end");
    expect(last).toMatchObject({ message: { role: "assistant", content: [{ text: digits(3_000) }] } });
    const seqs = events.map((event) => event.seq);
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
  });

  test("a reader at most 1,024 behind misses nothing", async () => {
    const { model } = streaming(900);
    const run = createRuntime({ model }).run("go", { tools: [] });
    const events: AgentEvent[] = [];
    for await (const event of run) {
      events.push(event);
      if (events.length === 6) await run.result;
    }
    expect(events.some((event) => event.gap)).toBe(false);
    expect(textIn(events)).toBe(digits(900));
    checkReader(events);
  });

  test("a lagging reader in the middle of a reply gets what is open as one update, and loses no text", async () => {
    const gate = Promise.withResolvers<void>();
    const { model, state } = streaming(4_000, (index) => (index === 2_999 ? gate.promise : undefined));
    const run = createRuntime({ model }).run("go", { tools: [] });
    const events: AgentEvent[] = [];
    for await (const event of run) {
      events.push(event);
      if (events.length === 10) {
        await until(() => state.sent === 3_000);
        await sleep(2);
        setImmediate(() => gate.resolve());
      }
    }
    const open = events.slice(events.findLastIndex((event) => event.type === "message_start"));
    expect(textIn(open)).toBe(digits(4_000));
  });

  test("a slow reader does not slow a fast one", async () => {
    const { model } = streaming(2_500, (index) => (index % 100 === 0 ? sleep(1) : undefined));
    const run = createRuntime({ model }).run("go", { tools: [] });
    const slow = (async () => {
      let count = 0;
      for await (const event of run) {
        if (++count % 200 === 0) await sleep(3);
        if (event.type === "agent_end") return count;
      }
      return -1;
    })();
    const fast = await read(run);
    expect(fast.filter((event) => event.type === "message_update")).toHaveLength(2_500);
    expect(textIn(fast)).toBe(digits(2_500));
    expect(await slow).toBeGreaterThan(0);
  });

  test("memory of a run that nobody reads does not grow with its deltas", async () => {
    const { model } = streaming(300_000);
    const events = createRuntime({ model }).run("go", { tools: [] });
    const iterator = events[Symbol.asyncIterator]();
    await iterator.next();
    await events.result;
    let count = 0;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) count++;
    expect(count).toBeLessThan(1_100);
  });
});

describe("readers", () => {
  test("two see the same", async () => {
    const { run, ended, events } = start([picks("a"), "done"], { tools: [logged("a", [])] });
    const other = read(run);
    await ended();
    expect(await other).toEqual(events);
  });

  test("one that breaks out of the loop ends nothing but itself", async () => {
    const { run, ended, events } = start([picks("a"), "done"], { tools: [logged("a", [])] });
    let seen = 0;
    for await (const _ of run) if (++seen === 3) break;
    const { result } = await ended();
    expect(result.outcome).toBe("stop");
    expect(events.length).toBeGreaterThan(3);
  });

  test("one that throws out of the loop likewise", async () => {
    const { run, ended } = start([picks("a"), "done"], { tools: [logged("a", [])] });
    const broken = (async () => {
      for await (const _ of run) throw new Error("reader");
    })();
    await expect(broken).rejects.toThrow("reader");
    expect((await ended()).result.outcome).toBe("stop");
  });

  test("next() called many times at once gives the events in order", async () => {
    const run = createRuntime({ model: scripted(["done"]) }).run("go", { tools: [] });
    const iterator = run[Symbol.asyncIterator]();
    const all = await Promise.all(Array.from({ length: 12 }, () => iterator.next()));
    const events = all.flatMap((one) => (one.done ? [] : [one.value]));
    checkReader(events);
    expect(all.at(-1)?.done).toBe(true);
  });
});

describe("run.text loses no text", () => {
  const textOf = async (run: Run, pause?: () => Promise<void> | undefined) => {
    let text = "";
    for await (const delta of run.text) {
      text += delta;
      const wait = pause?.();
      if (wait !== undefined) await wait;
    }
    return text;
  };
  const two = () =>
    start(
      [
        { text: "one ", ...picks("a") },
        { text: "two", chunk: 1 },
      ],
      { tools: [logged("a", [])] },
    );

  test("for an early reader", async () => {
    expect(await textOf(two().run)).toBe("one two");
  });

  test("for a late reader, and a second time", async () => {
    const { run, ended } = two();
    await ended();
    expect(await textOf(run)).toBe("one two");
    expect(await textOf(run)).toBe("one two");
  });

  test("for a reader that comes at any microtask", async () => {
    for (let offset = 0; offset < 120; offset += 2) {
      const { run, ended } = two();
      await microtasks(offset);
      expect(await textOf(run)).toBe("one two");
      await ended();
    }
  });

  test("for a slow reader that lags", async () => {
    const { model } = streaming(5_000, (index) => (index % 500 === 0 ? sleep(1) : undefined));
    const run = createRuntime({ model }).run("go", { tools: [] });
    let count = 0;
    const text = await textOf(run, () => (++count % 50 === 0 ? sleep(2) : undefined));
    expect(text).toBe(digits(5_000));
  });

  test("of a run that fails", async () => {
    const { run } = start([{ text: "half", error: { kind: "transport", message: "reset" } }]);
    expect(await textOf(run)).toBe("half");
  });

  test("ends also for a run without text, and for one that is aborted", async () => {
    expect(await textOf(start([""]).run)).toBe("");
    const { run } = start([{ text: "so", hang: true }]);
    setTimeout(() => run.abort(), 5);
    expect(await textOf(run)).toBe("so");
  });

  test("several readers each get all of it", async () => {
    const { run } = two();
    expect(await Promise.all([textOf(run), textOf(run), textOf(run)])).toEqual(["one two", "one two", "one two"]);
  });

  test("also with the text of the closing request", async () => {
    const { run } = start([{ text: "a", ...picks(call("a")) }, "b"], { tools: [logged("a", [])], maxIterations: 1 });
    expect(await textOf(run)).toBe("ab");
  });
});
