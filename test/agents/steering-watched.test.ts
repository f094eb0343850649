import { describe, expect, test } from "vitest";
import { createRuntime, exec, method, type Receipt, type RunResult } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { during, picks, read, sleep, until, usersOf } from "../loop/play.fixture.ts";
import { expectNothingUnhandled } from "../loop/unhandled.fixture.ts";
import { endOf, routed } from "./agents.fixture.ts";

expectNothingUnhandled();

const said = (receipt: Receipt) => [receipt.status, receipt.round];
const messagesAt = (events: Awaited<ReturnType<typeof read>>, path: string) => {
  const end = endOf(events, path);
  return end?.type === "agent_end" ? end : undefined;
};

describe("a message for a method that is watched", () => {
  /** Two runs in a row, each with a call that waits for its turn. */
  function inARow() {
    const log: string[] = [];
    const turns = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const step = (i: number) => during(`step${i}`, log, () => turns[i]?.promise);
    const script = (i: number) => [picks(`step${i}`), `${i}`, `${i}`, `${i}`];
    const { model } = routed({ first: script(0), second: script(2) });
    const m = method({ name: "m" }, async () => {
      await exec("first", { model, tools: [step(0)] });
      log.push("between");
      await turns[1]?.promise;
      return exec("second", { model, tools: [step(2)] });
    });
    const handle = m.run();
    const events = read(handle);
    const go = async (i: number, until2?: string) => {
      turns[i]?.resolve();
      if (until2) await until(() => log.includes(until2));
    };
    return { handle, events, go, log };
  }

  test("is read by the run that goes on; between two runs it waits for the next", async () => {
    const { handle, events, go, log } = inARow();
    await until(() => log.includes("step0"));
    const receipts = [handle.send("one")];
    await go(0, "between");
    receipts.push(handle.send("two"), handle.send("three", { when: "at_end" }));
    expect(receipts.map(said)).toEqual([
      ["delivered", 2],
      ["queued", undefined],
      ["queued", undefined],
    ]);
    await go(1, "step2");
    receipts.push(handle.send("four"));
    await go(2);
    expect(await handle.result).toMatchObject({ outcome: "stop", undelivered: [] });
    const told = await events;
    expect(usersOf(messagesAt(told, "0")?.messages)).toEqual(["first", "one"]);
    expect(usersOf(messagesAt(told, "1")?.messages)).toEqual(["second", "two", "four", "three"]);
    expect(receipts.map(said)).toEqual([
      ["delivered", 2],
      ["delivered", 1],
      ["delivered", 3],
      ["delivered", 2],
    ]);
    expect(handle.send("late")).toMatchObject({ status: "undelivered" });
  });

  test("sent before it began waits for its first run", async () => {
    const model = scripted(["text"]);
    const handle = method({ name: "m" }, () => exec("go", { model, tools: [] })).run();
    const receipt = handle.send("early");
    const result = await handle.result;
    expect(usersOf(result.messages)).toEqual(["go", "early"]);
    expect(said(receipt)).toEqual(["delivered", 1]);
  });

  test("that ends first is undelivered, and in its result", async () => {
    const gate = Promise.withResolvers<void>();
    const handle = method({ name: "m" }, () => gate.promise).run();
    const receipts = [handle.send("one"), handle.send("two", { when: "after_round" })];
    expect(receipts.map(said)).toEqual(Array(2).fill(["queued", undefined]));
    gate.resolve();
    const events = await read(handle);
    expect((await handle.result).undelivered).toEqual([
      { role: "user", content: "one" },
      { role: "user", content: "two" },
    ]);
    expect(events.at(-1)).toMatchObject({ type: "agent_end", undelivered: [{ content: "one" }, { content: "two" }] });
    expect(receipts.map(said)).toEqual(Array(2).fill(["undelivered", undefined]));
  });

  test("that throws or is aborted first is undelivered too", async () => {
    const failing = method({ name: "m" }, () => Promise.reject(new Error("no"))).run();
    const one = failing.send("one");
    expect((await failing.result).undelivered).toHaveLength(1);
    const stopped = method({ name: "m" }, () => sleep(20)).run();
    const two = stopped.send("two");
    stopped.abort();
    expect((await stopped.result).undelivered).toHaveLength(1);
    expect([one.status, two.status]).toEqual(["undelivered", "undelivered"]);
  });

  test("goes to a run that still reads, though a newer one has closed its inbox", async () => {
    const hold = Promise.withResolvers<void>();
    const { model } = routed({ slow: [picks("wait"), "slow"], quick: ["quick"] });
    const wait = during("wait", [], () => hold.promise);
    const quick = Promise.withResolvers<void>();
    const m = method({ name: "m" }, async () => {
      const slow = exec("slow", { model, tools: [wait] });
      await exec("quick", { model, tools: [] });
      quick.resolve();
      return slow;
    });
    const handle = m.run();
    const events = read(handle);
    await quick.promise;
    const receipt = handle.send("for whoever reads");
    hold.resolve();
    await handle.result;
    expect(usersOf(messagesAt(await events, "0")?.messages)).toEqual(["slow", "for whoever reads"]);
    expect(said(receipt)).toEqual(["delivered", 2]);
  });

  test("side by side: the newest by default, any by its path", async () => {
    const holds = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const log: string[] = [];
    const { model } = routed({ a: [picks("wait0"), "a"], b: [picks("wait1"), "b"] });
    const side = (prompt: string, i: number) =>
      exec(prompt, { model, tools: [during(`wait${i}`, log, () => holds[i]?.promise)] });
    const handle = method({ name: "m" }, () => Promise.all([side("a", 0), side("b", 1)])).run();
    const events = read(handle);
    await until(() => log.length === 2);
    handle.send("for b");
    handle.send("for a", { to: "0" });
    handle.send("also for b", { to: "1" });
    for (const hold of holds) hold.resolve();
    expect(await handle.result).toMatchObject({ value: ["a", "b"], undelivered: [] });
    const told = await events;
    expect(usersOf(messagesAt(told, "0")?.messages)).toEqual(["a", "for a"]);
    expect(usersOf(messagesAt(told, "1")?.messages)).toEqual(["b", "for b", "also for b"]);
  });

  test("inside a run is sent to by its path like a run: it hands it to what goes on in it, or keeps it", async () => {
    const hold = Promise.withResolvers<void>();
    const log: string[] = [];
    const { model } = routed({ go: [picks("outer"), "done"], inner: ["inner", "inner"] });
    const results: RunResult[] = [];
    const watched = method({ name: "watched" }, async () => {
      log.push("watched");
      await hold.promise;
      return exec("inner", { tools: [] });
    });
    const outer = method({ name: "outer" }, async () => {
      results.push(await watched.run().result);
    });
    const handle = createRuntime({ model }).run("go", { tools: [outer] });
    await until(() => log.length === 1);
    const receipt = handle.send("for the watched", { to: "1/0/0" });
    expect(receipt.status).toBe("queued");
    hold.resolve();
    await handle.result;
    expect(usersOf(results[0]?.messages)).toEqual(["inner", "for the watched"]);
    expect(receipt.status).toBe("delivered");
    expect(handle.send("late", { to: "1/0/0" })).toMatchObject({ status: "undelivered" });
  });
});
