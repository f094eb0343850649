import { describe, expect, test } from "vitest";
import { Agent, type AgentEvent, createRuntime, exec, method, type RuntimeOptions, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { hanging, microtasks, never, picks, read, sleep, tokens } from "../loop/play.fixture.ts";
import { expectNothingUnhandled } from "../loop/unhandled.fixture.ts";
import { acting, promptOf, roundsOf } from "./agents.fixture.ts";

expectNothingUnhandled();

const startsOf = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === "agent_start" ? [event.path] : []));
const endsOf = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === "agent_end" ? [event.path] : []));

/** Methods that pick or watch each other, four levels of them. */
class Nesting extends Agent {
  leaf = this.method({}, async () => {
    await microtasks(3);
    return "leaf";
  });
  mid = this.method({}, () => this.runtime.exec("mid", { tools: [this.leaf] }));
  watching = this.method({}, async () => (await this.mid.run().result).outcome);
  twice = this.method({}, async () => (await this.watching.run().result).outcome);
  go = this.method({ name: "go" }, () => this.runtime.exec("go", { tools: [this.twice, this.watching, this.mid] }));
}

/** Aborts a root run with nested ones in it after so many microtasks; returns its events. */
async function abortedAfter(ticks: number, way: string, defaults: RuntimeOptions = {}) {
  const agent = new Nesting();
  const next: { readonly [prompt: string]: string } = { root: "go", go: way, mid: "leaf" };
  const model = acting((request) => {
    const usage = tokens(1, 0);
    return roundsOf(request) > 0 ? { text: "done", usage } : { ...picks(next[promptOf(request)] ?? ""), usage };
  });
  const run = createRuntime({ model, ...defaults }).run("root", { tools: [agent.go] });
  const reading = read(run);
  await microtasks(ticks);
  run.abort("enough");
  const result = await run.result;
  return { result, events: await reading };
}

describe.each(["mid", "watching", "twice"])("a root run that is aborted with %s inside", (way) => {
  test("ends last, behind every run that had begun, whenever that is", async () => {
    let cut = 0;
    for (let ticks = 0; ticks < 400; ticks += 3) {
      const { events, result } = await abortedAfter(ticks, way);
      expect(endsOf(events).toSorted(), `${ticks} microtasks`).toEqual(startsOf(events).toSorted());
      expect(endsOf(events).at(-1)).toBe("");
      if (result.outcome === "aborted") cut++;
    }
    expect(cut).toBeGreaterThan(30);
  });
});

test("the inner ones end first at every depth, and their usage is counted", async () => {
  class Deep extends Agent {
    go = this.method({}, (): Promise<string> => this.runtime.exec("down", { tools: [this.named("go"), hang] }));
  }
  const reached = Promise.withResolvers<void>();
  const hang = tool({
    name: "hang",
    execute: () => {
      reached.resolve();
      return never();
    },
  });
  let asked = 0;
  const model = acting(() => ({ ...picks(++asked < 5 ? "go" : "hang"), usage: tokens(1, 0) }));
  const run = createRuntime({ model }).run("root", { tools: [new Deep().go] });
  const reading = read(run);
  await reached.promise;
  run.abort("enough");
  const depths = endsOf(await reading).map((path) => path.split("/").length);
  expect(depths).toEqual([12, 9, 6, 3, 1]);
  expect((await run.result).usage).toMatchObject(tokens(5, 0));
});

test("a method that ignores its signal does not hold the root up", async () => {
  const began = Promise.withResolvers<void>();
  const deaf = method({ name: "deaf" }, () => {
    began.resolve();
    return never();
  });
  const go = method({ name: "go" }, async () => {
    void deaf.run().result;
    await deaf();
  });
  const run = createRuntime({ model: scripted([picks("go")]) }).run("root", { tools: [go] });
  const reading = read(run);
  await began.promise;
  run.abort("enough");
  const events = await reading;
  expect(await run.result).toMatchObject({ outcome: "aborted" });
  expect(endsOf(events)).toEqual(["1/0/0", ""]);
});

test("a model that ignores its signal does not either", async () => {
  const go = method({ name: "go" }, () => exec("in", { model: hanging(), tools: [] }));
  const run = createRuntime({ model: scripted([picks("go")]) }).run("root", { tools: [go] });
  const reading = read(run);
  await sleep(1);
  run.abort("enough");
  expect(endsOf(await reading)).toEqual(["1/0/0", ""]);
});

test("a watched method that is aborted ends behind a watched one inside it", async () => {
  const began = Promise.withResolvers<void>();
  const inner = method({ name: "inner" }, () => {
    began.resolve();
    return never();
  });
  const outer = method({ name: "outer" }, async () => (await inner.run().result).outcome);
  const run = outer.run();
  const reading = read(run);
  await began.promise;
  run.abort("enough");
  expect(endsOf(await reading)).toEqual(["0", ""]);
});

test("a run that was given up with its call ends before the root, though that goes on at once", async () => {
  const inner = method({ name: "inner" }, () => never());
  const go = method({ name: "go", timeoutMs: 5 }, async () => (await inner.run().result).outcome);
  const run = createRuntime({ model: scripted([picks("go"), "done"]) }).run("root", { tools: [go] });
  expect(endsOf(await read(run))).toEqual(["1/0/0", ""]);
});

test("the root does not wait for a run that goes on by itself", async () => {
  const gate = Promise.withResolvers<void>();
  const model = acting(async (request) => {
    if (promptOf(request) === "root") return roundsOf(request) === 0 ? picks("spawn") : "done";
    await gate.promise;
    return "late";
  });
  let spawned: Promise<unknown> | undefined;
  const spawn = tool({
    name: "spawn",
    execute: () => {
      spawned = exec("aside", { tools: [] });
    },
  });
  const run = createRuntime({ model }).run("root", { tools: [spawn] });
  expect(endsOf(await read(run))).toEqual([""]);
  gate.resolve();
  expect(await spawned).toBe("late");
});
