import { describe, expect, test } from "vitest";
import { type AgentEvent, createRuntime, type Run, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { logged, microtasks, picks, read, sleep, start, until } from "./play.fixture.ts";
import { brief, checkReader, digits, streaming, textIn } from "./reading.fixture.ts";

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
