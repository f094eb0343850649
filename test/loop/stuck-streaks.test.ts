import { describe, expect, test } from "vitest";
import { type ExecOptions, type Tool, tool } from "../../src/core.ts";
import { answers, call, logged, picks, play, warningsOf } from "./play.fixture.ts";

const failing = (log: string[]): Tool =>
  tool({
    name: "bad",
    input: { type: "object" },
    execute: (args) => {
      log.push(JSON.stringify(args));
      throw new Error("no");
    },
  });

describe("what is remembered of failures", () => {
  /** A call that fails twice, others that fail, and the first again: how often that one ran. */
  const ran = async (others: number) => {
    const log: string[] = [];
    const first = picks(call("bad", { first: true }));
    const rest = Array.from({ length: others }, (_, n) => picks(call("bad", { n })));
    await play([first, first, ...rest, first, "done"], { tools: [failing(log)], maxIterations: 500 });
    return log.filter((args) => args.includes("first")).length;
  };

  test("the last 64 different calls that failed, and no more", async () => {
    expect(await ran(63)).toBe(2);
    expect(await ran(64)).toBe(3);
  });

  test("one that fails again counts as new", async () => {
    const log: string[] = [];
    const first = picks(call("bad", { first: true }));
    const others = (from: number) => Array.from({ length: 40 }, (_, n) => picks(call("bad", { n: from + n })));
    await play([first, ...others(0), first, ...others(40), first, "done"], {
      tools: [failing(log)],
      maxIterations: 500,
    });
    expect(log.filter((args) => args.includes("first"))).toHaveLength(2);
  });
});

describe("calls that come again and again", () => {
  const repeats = async (script: Parameters<typeof play>[0], options: ExecOptions) => {
    const played = await play([...script, "done"], { maxIterations: 100, ...options });
    return { ...played, warnings: warningsOf(played.events).filter(({ code }) => code === "repeated") };
  };
  const poll = (log: string[] = []) => logged("poll", log, { repeatable: true });

  test("repeatable tools raise no warning and do not end the run", async () => {
    const log: string[] = [];
    const script = Array.from({ length: 12 }, () => picks("poll"));
    const { result, warnings } = await repeats(script, { tools: [poll(log)], stuck: { endAfter: 3 } });
    expect(result.outcome).toBe("stop");
    expect(warnings).toEqual([]);
    expect(log).toHaveLength(12);
  });

  test("nor where they alternate with another call, or are not run", async () => {
    const script = Array.from({ length: 12 }, () => picks("poll", "look"));
    const looks = { tools: [poll(), logged("look", [], { readOnly: true })], stuck: { endAfter: 3 } };
    const { result, warnings } = await repeats(script, looks);
    expect(result.outcome).toBe("stop");
    expect(warnings).toEqual([]);
    const invalid = Array.from({ length: 12 }, () => picks(call("poll", "{")));
    const wrong = await repeats(invalid, { tools: [poll()], stuck: { endAfter: 3 } });
    expect(wrong.result.outcome).toBe("stop");
    expect(wrong.warnings).toEqual([]);
  });

  test("arguments in another order or spacing are the same call", async () => {
    const spellings = ['{"a":1,"b":{"x":1,"y":2}}', '{ "b": {"y":2, "x":1}, "a": 1 }', '{"b":{"x":1,"y":2},"a":1}'];
    const script = spellings.map((raw) => picks(call("ok", raw)));
    const options = { tools: [logged("ok", [])], stuck: { endAfter: 3 } };
    expect((await play(script, options)).result.outcome).toBe("stuck");
  });

  test("also in an alternation of two", async () => {
    const a = ['{"a":1,"b":2}', '{"b":2,"a":1}', '{ "a":1,"b":2 }'];
    const script = a.flatMap((raw) => [picks(call("ok", raw)), picks(call("ok", '{"c":3}'))]).slice(0, 5);
    const options = { tools: [logged("ok", [])], stuck: { endAfter: 3 } };
    expect((await play(script, options)).result.outcome).toBe("stuck");
  });

  test("the same letters in other places are another call, also where one is no JSON", async () => {
    const script = ['{"a":12,"b":21}', '{"a":21,"b":12}', '{"b":1,"a":212}', "", "{}"].map((raw) =>
      picks(call("ok", raw)),
    );
    const { result, warnings } = await repeats(script, { tools: [logged("ok", [])], stuck: { endAfter: 2 } });
    expect(result.outcome).toBe("stop");
    expect(warnings).toEqual([]);
    expect(answers(result.messages)).toHaveLength(5);
  });
});
