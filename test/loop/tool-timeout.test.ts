import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Tool, tool } from "../../src/core.ts";
import { answers, call, logged, picks, play, resultsOf, sleep, start, until } from "./play.fixture.ts";

const city = tool({
  name: "weather",
  input: z.object({ city: z.string() }),
  execute: ({ city }) => `Sunny in ${city}`,
});

/** Runs one call of this tool and gives its result message. */
async function answerOf(one: Tool, args: Parameters<typeof call>[1] = {}) {
  const log: string[] = [];
  const played = await play([picks(call(one.name, args), "next"), "done"], { tools: [one, logged("next", log)] });
  expect(played.result).toMatchObject({ outcome: "stop", text: "done" });
  expect(log).toEqual(["next"]);
  const [first] = resultsOf(played.result.messages);
  if (first === undefined) throw new Error("no result");
  return { ...played, first, text: answers([first])[0] ?? "" };
}

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
