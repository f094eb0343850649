import { describe, expect, test } from "vitest";
import { tool } from "../../src/core.ts";
import { answers, call, endsOf, picks, play, sleep, startsOf } from "./play.fixture.ts";

describe("overlap", () => {
  /** Tools that say how many of them run at the same time. */
  function crowd() {
    const state = { now: 0, most: 0, order: [] as string[] };
    const make = (name: string, ms: number, readOnly = true) =>
      tool({
        name,
        readOnly,
        execute: async () => {
          state.order.push(`+${name}`);
          state.most = Math.max(state.most, ++state.now);
          await sleep(ms);
          state.now--;
          state.order.push(`-${name}`);
          return `${name} done`;
        },
      });
    return { state, make };
  }

  test("TOOL-17 neighbours run together, results stay in call order", async () => {
    const { state, make } = crowd();
    const { result: ended, events } = await play([picks("a", "b", "nope", "c"), "done"], {
      tools: [make("a", 40), make("b", 5), make("c", 20)],
      toolExecution: "overlap",
    });
    expect(state.most).toBeGreaterThan(1);
    expect(answers(ended.messages)).toEqual(["a done", "b done", expect.stringMatching(/^! /), "c done"]);
    expect(endsOf(events)).toHaveLength(4);
    expect(startsOf(events).map((one) => one.name)).toEqual(["a", "b", "nope", "c"]);
  });

  test("TOOL-17 other timings give byte-identical requests", async () => {
    const requestOf = async (times: readonly number[]) => {
      const { make } = crowd();
      const { model } = await play([picks("a", "b", "c"), "done"], {
        tools: ["a", "b", "c"].map((name, index) => make(name, times[index] ?? 0)),
        toolExecution: "overlap",
      });
      return JSON.stringify(model.requests[1]);
    };
    expect(await requestOf([20, 10, 1])).toBe(await requestOf([1, 10, 20]));
  });

  test("only neighbouring readOnly calls", async () => {
    const { state, make } = crowd();
    await play([picks("a", "b", "write", "c", "d"), "done"], {
      tools: [make("a", 10), make("b", 10), make("write", 10, false), make("c", 10), make("d", 10)],
      toolExecution: "overlap",
    });
    expect(state.order.slice(0, 4).toSorted()).toEqual(["+a", "+b", "-a", "-b"]);
    expect(state.order.slice(4, 6)).toEqual(["+write", "-write"]);
    expect(state.order.slice(6).toSorted()).toEqual(["+c", "+d", "-c", "-d"]);
  });

  test("is bounded", async () => {
    const { state, make } = crowd();
    await play([picks(...Array.from({ length: 60 }, (_, n) => call("a", { n }))), "done"], {
      tools: [make("a", 3)],
      toolExecution: "overlap",
    });
    expect(state.most).toBeGreaterThan(1);
    expect(state.most).toBeLessThan(60);
  });

  test("sequential is the default", async () => {
    const { state, make } = crowd();
    await play([picks("a", "b"), "done"], { tools: [make("a", 5), make("b", 5)] });
    expect(state.most).toBe(1);
  });

  test("one that throws does not touch its neighbours", async () => {
    const { make } = crowd();
    const bad = tool({
      name: "bad",
      readOnly: true,
      execute: () => {
        throw new Error("boom");
      },
    });
    const { result: ended } = await play([picks("a", "bad", "b"), "done"], {
      tools: [make("a", 10), bad, make("b", 5)],
      toolExecution: "overlap",
    });
    expect(answers(ended.messages)).toEqual(["a done", expect.stringMatching(/^! .*boom/), "b done"]);
  });
});
