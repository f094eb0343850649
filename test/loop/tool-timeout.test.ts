import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Tool, tool } from "../../src/core.ts";
import { answerOf } from "./answer.fixture.ts";
import { answers, logged, picks, play, sleep, start, until } from "./play.fixture.ts";

const city = tool({
  name: "weather",
  input: z.object({ city: z.string() }),
  execute: ({ city }) => `Sunny in ${city}`,
});

describe("a tool's own timeout", () => {
  test("ends that tool only: error result, its signal fires, its siblings go on", async () => {
    const seen: unknown[] = [];
    const slow = tool({
      name: "slow",
      timeoutMs: 20,
      execute: (_args, { signal }) => {
        signal.addEventListener("abort", () => seen.push(signal.reason));
        return new Promise(() => {});
      },
    });
    const log: string[] = [];
    const { result: ended } = await play([picks("slow", "a"), "done"], { tools: [slow, logged("a", log)] });
    expect(ended.outcome).toBe("stop");
    expect(answers(ended.messages)).toEqual([expect.stringMatching(/^! .*(time|20)/i), "a done"]);
    expect(seen).toHaveLength(1);
    expect(log).toEqual(["a"]);
  });

  test("ends one of several that overlap", async () => {
    const fired: string[] = [];
    const make = (name: string, ms: number, timeoutMs: number) =>
      tool({
        name,
        readOnly: true,
        timeoutMs,
        execute: async (_args, { signal }) => {
          signal.addEventListener("abort", () => fired.push(name));
          await sleep(ms);
          return `${name} done`;
        },
      });
    const { result: ended } = await play([picks("a", "b"), "done"], {
      tools: [make("a", 60, 10), make("b", 30, 10_000)],
      toolExecution: "overlap",
    });
    expect(answers(ended.messages)).toEqual([expect.stringMatching(/^! /), "b done"]);
    expect(fired).toEqual(["a"]);
  });

  test("what it returns, throws or reports later is dropped", async () => {
    const gate = Promise.withResolvers<void>();
    let returned = 0;
    const late = (fails: boolean) =>
      tool({
        name: fails ? "fails" : "late",
        timeoutMs: 10,
        execute: async (_args, ctx) => {
          await gate.promise;
          ctx.update("too late");
          returned++;
          if (fails) throw new Error("too late");
          return "too late";
        },
      });
    const { result: ended, events } = await play(
      [
        picks("late", "fails"),
        async () => {
          gate.resolve();
          await until(() => returned === 2);
          return "done";
        },
      ],
      { tools: [late(false), late(true)] },
    );
    expect(JSON.stringify([ended.messages, events])).not.toMatch(/too late/);
  });

  test.each([[0], [-1], [Number.NaN], ["1000"]])("timeoutMs %s is a mistake of the tool", async (timeoutMs) => {
    const bad = { ...city, timeoutMs } as unknown as Tool;
    const { runtime } = start(["x"]);
    expect(() => runtime.run("go", { tools: [bad] })).toThrow(expect.objectContaining({ code: "invalid_tool" }));
  });

  test("Infinity never gives up", async () => {
    const { text } = await answerOf(
      tool({ name: "t", timeoutMs: Number.POSITIVE_INFINITY, execute: async () => sleep(5).then(() => "x") }),
    );
    expect(text).toBe("x");
  });
});
