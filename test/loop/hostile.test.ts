import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRuntime, type ExecOptions, type Json, tool, type When } from "../../src/core.ts";
import { textOf } from "../../src/message/message.ts";
import type { ScriptEntry } from "../../src/testing/index.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, call, logged, microtasks, picks, play, sleep, start } from "./play.fixture.ts";

const noise: unknown[] = [];
const note = (what: unknown) => void noise.push(what);
beforeEach(() => {
  noise.length = 0;
  process.on("unhandledRejection", note);
  process.on("warning", note);
});
afterEach(async () => {
  await sleep(5);
  process.off("unhandledRejection", note);
  process.off("warning", note);
  expect(noise).toEqual([]);
});

describe("names that objects have", () => {
  const names = ["constructor", "__proto__", "toString", "hasOwnProperty", "then"];

  test.each(names)("an unknown tool %s is answered", async (name) => {
    const { result } = await play([picks(name), "done"], { tools: [logged("a", [])] });
    expect(answers(result.messages)).toEqual([expect.stringMatching(/^! /)]);
    expect(result.outcome).toBe("stop");
  });

  test.each(names)("a tool %s runs, and can be denied", async (name) => {
    const log: string[] = [];
    await play([picks(name), "done"], { tools: [logged(name, log)], toolChoice: [name] });
    expect(log).toEqual([name]);
    const { model } = await play(["done"], { tools: [logged(name, [])], toolsDeny: [name] });
    expect(model.requests[0]?.tools).toEqual([]);
  });

  test("arguments with __proto__ reach no prototype", async () => {
    const seen: unknown[] = [];
    const spy = tool({ name: "spy", input: { type: "object" }, execute: (args) => void seen.push(args) });
    await play(
      [picks(call("spy", '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')), "done"],
      { tools: [spy] },
    );
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(seen).toHaveLength(1);
    expect((seen[0] as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe("progress that is none", () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;

  test.each([
    ["a cycle", cycle],
    ["a BigInt", 1n],
    ["a function", () => 1],
    ["undefined", undefined],
    ["a symbol", Symbol("x")],
  ])("%s does not end the run, and what is shown is JSON", async (_, progress) => {
    const odd = tool({
      name: "odd",
      execute: (_args, ctx) => {
        ctx.update(progress as Json);
        return "ok";
      },
    });
    const { result, events } = await play([picks("odd"), "done"], { tools: [odd] });
    expect(result.outcome).toBe("stop");
    expect(() => JSON.stringify(events)).not.toThrow();
  });

  test("progress behind the end of its call is dropped", async () => {
    let late: ((progress: Json) => void) | undefined;
    const leaky = tool({
      name: "leaky",
      execute: (_args, ctx) => {
        late = ctx.update;
        return "ok";
      },
    });
    const { events } = await play(
      [
        picks("leaky"),
        () => {
          late?.("too late");
          return "done";
        },
      ],
      { tools: [leaky] },
    );
    expect(events.some((event) => event.type === "tool_update")).toBe(false);
  });

  test("an object changed behind the update is shown as it was", async () => {
    const progress = { done: 1 };
    const busy = tool({
      name: "busy",
      execute: async (_args, ctx) => {
        ctx.update(progress);
        progress.done = 2;
      },
    });
    const { events } = await play([picks("busy"), "done"], { tools: [busy] });
    expect(events.flatMap((event) => (event.type === "tool_update" ? [event.progress] : []))).toEqual([{ done: 1 }]);
  });
});

test("many runs at once under one signal warn of no leak and end together", async () => {
  const controller = new AbortController();
  const runs = Array.from({ length: 60 }, () =>
    createRuntime({ model: scripted([{ hang: true }]) }).run("go", { tools: [], signal: controller.signal }),
  );
  await sleep(2);
  controller.abort();
  const results = await Promise.all(runs.map((run) => run.result));
  expect(new Set(results.map((result) => result.outcome))).toEqual(new Set(["aborted"]));
});

test("a thenable that a tool returns is awaited; one that never settles is bound by the timeout", async () => {
  const thenable = tool({
    name: "thenable",
    // biome-ignore lint/suspicious/noThenProperty: it is the point
    execute: () => ({ then: (resolve: (value: string) => void) => resolve("awaited") }),
  });
  const stuck = tool({
    name: "stuck",
    timeoutMs: 10,
    // biome-ignore lint/suspicious/noThenProperty: it is the point
    execute: () => ({ then: () => {} }),
  });
  const bad = tool({
    name: "bad",
    execute: () => ({
      // biome-ignore lint/suspicious/noThenProperty: it is the point
      get then(): never {
        throw new Error("no then");
      },
    }),
  });
  const { result } = await play([picks("thenable", "stuck", "bad"), "done"], { tools: [thenable, stuck, bad] });
  expect(answers(result.messages)).toEqual(["awaited", expect.stringMatching(/^! /), expect.stringMatching(/^! /)]);
});

describe("any script, any messages, any abort", () => {
  const reply = fc.oneof(
    fc.constantFrom<ScriptEntry>(
      "text",
      "",
      picks("a"),
      picks("a", "slow"),
      picks("nope"),
      picks("bad", "a"),
      picks("slow", "b", "a"),
      picks("pay", "nest"),
      picks("nest", "slow", "pay", "a"),
    ),
    fc.constantFrom<ScriptEntry>(
      { text: "cut", stopReason: "length" },
      { ...picks("a", "b"), stopReason: "length" },
      { text: "wait", stopReason: "pause" },
      { text: "no", stopReason: "refusal" },
      { text: "x", error: { kind: "unknown", message: "down" } },
      { text: "x", ...picks("a"), throwAfter: 2 },
    ),
  );
  const arrival = fc.record({
    at: fc.integer({ min: 0, max: 120 }),
    what: fc.constantFrom<When | "abort">("now", "after_round", "at_end", "now", "abort"),
  });
  const options = fc.record({
    maxIterations: fc.constantFrom(1, 2, 20),
    atLimit: fc.constantFrom("close", "stop"),
    toolExecution: fc.constantFrom("sequential", "overlap"),
    toolChoice: fc.constantFrom("auto", "required", "none"),
  }) as fc.Arbitrary<ExecOptions>;

  test("the run settles, its history is valid, and every message is accounted for", async () => {
    const bad = tool({ name: "bad", execute: () => Promise.reject(new Error("no")) });
    const slow = tool({ name: "slow", readOnly: true, execute: () => microtasks(7) });
    const pay = logged("pay", [], { requiresApproval: true });
    const nest = tool({
      name: "nest",
      execute: (_args, ctx) => ctx.runtime.exec("inner", { tools: [], model: scripted(["inner"]) }),
    });
    const tools = [logged("a", [], { readOnly: true }), logged("b", []), bad, slow, pay, nest];
    let asked = 0;
    const approve = async () => {
      await microtasks(9);
      return ++asked % 3 > 0;
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(reply, { minLength: 1, maxLength: 5 }),
        fc.array(arrival, { maxLength: 3 }),
        options,
        async (script, arrivals, chosen) => {
          const rest = Array.from({ length: 12 }, () => "done");
          const { run, ended } = start([...script, ...rest], { ...chosen, tools }, { approve });
          let passed = 0;
          const sent: {
            readonly text: string;
            readonly atOnce: string;
            readonly receipt: ReturnType<typeof run.send>;
          }[] = [];
          for (const { at, what } of arrivals.toSorted((x, y) => x.at - y.at)) {
            await microtasks(at - passed);
            passed = at;
            if (what === "abort") run.abort();
            else {
              const receipt = run.send(`m${sent.length}`, { when: what });
              sent.push({ text: `m${sent.length}`, atOnce: receipt.status, receipt });
            }
          }
          const { result } = await ended();
          for (const { text, atOnce, receipt } of sent) {
            const read = result.messages.filter(
              (message) => message.role === "user" && textOf(message) === text,
            ).length;
            const back = result.undelivered.filter((message) => textOf(message) === text).length;
            const accepted = atOnce === "queued" ? 1 : 0;
            expect([read + back, read]).toEqual([accepted, receipt.status === "delivered" ? 1 : 0]);
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
