import { describe, expect, test } from "vitest";
import { createRuntime, type ExecOptions, type Tool, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, call, failure, logged, picks, play, refuses, warningsOf } from "./play.fixture.ts";

/** A tool that fails as long as it is told to, and remembers when it ran. */
function flaky(name: string, log: string[], extra: Partial<Tool> = {}, fails = () => true): Tool {
  return tool({
    name,
    input: { type: "object" },
    execute: () => {
      log.push(name);
      if (fails()) throw new Error("no");
      return `${name} done`;
    },
    ...extra,
  });
}

const failed = "! no";
const notRun = expect.stringMatching(/^! (?!no$).*(twice|again|same|identical|already)/is);

describe("the same call that failed twice is answered, not run, the third time", () => {
  test("in rounds of their own", async () => {
    const log: string[] = [];
    const same = picks(call("bad", { n: 1 }));
    const { result } = await play([same, same, same, same, "done"], { tools: [flaky("bad", log)] });
    expect(log).toHaveLength(2);
    expect(
      answers(result.messages)
        .slice(0, 2)
        .every((text) => /no/.test(text)),
    ).toBe(true);
    expect(answers(result.messages).slice(2)).toEqual([notRun, notRun]);
    expect(result.outcome).toBe("stop");
  });

  test("in one batch", async () => {
    const log: string[] = [];
    const one = call("bad", { n: 1 });
    const { result } = await play([picks(one, one, one), "done"], { tools: [flaky("bad", log)] });
    expect(log).toHaveLength(2);
    expect(answers(result.messages)[2]).toEqual(notRun);
  });

  test("arguments in another order or spacing are the same", async () => {
    const log: string[] = [];
    const { result } = await play(
      [
        picks(call("bad", '{"a":1,"b":{"x":1,"y":[1,2]}}')),
        picks(call("bad", '{ "b": {"y":[1, 2],"x":1}, "a": 1 }')),
        picks(call("bad", '{"b":{"x":1,"y":[1,2]},"a":1}')),
        "done",
      ],
      { tools: [flaky("bad", log)] },
    );
    expect(log).toHaveLength(2);
    expect(answers(result.messages)[2]).toEqual(notRun);
  });

  test("other arguments, another order in a list, or another tool are other calls", async () => {
    const log: string[] = [];
    const tools = [flaky("bad", log), flaky("worse", log)];
    await play(
      [
        picks(call("bad", { l: [1, 2] }), call("bad", { l: [1, 2] })),
        picks(call("bad", { l: [2, 1] }), call("worse", { l: [1, 2] }), call("bad", { l: [1, "2"] })),
        "done",
      ],
      { tools },
    );
    expect(log).toHaveLength(5);
  });

  test("only results of calls that ran count: unknown and invalid ones do not", async () => {
    const log: string[] = [];
    const { result } = await play(
      [picks("nope", "nope", "nope", call("bad", "{"), call("bad", "{"), call("bad", "{")), "done"],
      {
        tools: [flaky("bad", log)],
      },
    );
    const texts = answers(result.messages);
    expect(texts[2]).toBe(texts[0]);
    expect(texts[5]).toBe(texts[3]);
  });
});

describe("what resets the count", () => {
  const sequence = async (between: Tool) => {
    const log: string[] = [];
    const bad = picks(call("bad"));
    await play([bad, bad, picks(between.name), bad, "done"], { tools: [flaky("bad", log), between] });
    return log.length;
  };

  test("a call that writes and succeeds", async () => {
    expect(await sequence(logged("write", []))).toBe(3);
  });

  test("not a readOnly success", async () => {
    expect(await sequence(logged("look", [], { readOnly: true }))).toBe(2);
  });

  test("not a writing call that fails", async () => {
    expect(await sequence(flaky("write", []))).toBe(2);
  });

  test("its own success", async () => {
    const log: string[] = [];
    const bad = picks(call("bad"));
    let round = 0;
    await play([bad, bad, "done"], { tools: [flaky("bad", log, {}, () => ++round === 1)] });
    expect(log).toHaveLength(2);
  });
});

describe("what it leaves alone", () => {
  test("repeatable tools", async () => {
    const log: string[] = [];
    const bad = picks(call("bad"));
    await play([bad, bad, bad, bad, "done"], { tools: [flaky("bad", log, { repeatable: true })] });
    expect(log).toHaveLength(4);
  });

  test("everything with stuck: false", async () => {
    const log: string[] = [];
    const bad = picks(call("bad"));
    const options: ExecOptions = { tools: [flaky("bad", log)], stuck: false };
    await play([bad, bad, bad, bad, "done"], options);
    expect(log).toHaveLength(4);
  });

  test("60 equal successful calls run to their end, with a warning event", async () => {
    const log: string[] = [];
    const script = [...Array.from({ length: 60 }, () => picks(call("ok", { n: 1 }))), "done"];
    const { result, events } = await play(script, {
      tools: [logged("ok", log)],
      maxIterations: Number.POSITIVE_INFINITY,
    });
    expect(log).toHaveLength(60);
    expect(result).toMatchObject({ outcome: "stop", rounds: 61 });
    expect(warningsOf(events).length).toBeGreaterThanOrEqual(1);
    expect(warningsOf(events).length).toBeLessThanOrEqual(6);
  });

  test("an exec of 20 equal rounds runs to its cap, with a warning event", async () => {
    const log: string[] = [];
    const script = [...Array.from({ length: 20 }, () => picks(call("ok", { n: 1 }))), "closing"];
    const { result, events } = await play(script, { tools: [logged("ok", log)] });
    expect(log).toHaveLength(20);
    expect(result).toMatchObject({ outcome: "max_iterations", text: "closing" });
    expect(warningsOf(events).length).toBeGreaterThanOrEqual(2);
  });

  test("alternations raise a warning only", async () => {
    const log: string[] = [];
    const script = [...Array.from({ length: 18 }, (_, n) => picks(call(n % 2 === 0 ? "a" : "b"))), "done"];
    const { result, events } = await play(script, { tools: [logged("a", log), logged("b", log)] });
    expect(log).toHaveLength(18);
    expect(result.outcome).toBe("stop");
    expect(warningsOf(events).length).toBeGreaterThanOrEqual(1);
  });

  test("different calls raise no warning", async () => {
    const script = [...Array.from({ length: 18 }, (_, n) => picks(call("a", { n }))), "done"];
    expect(warningsOf((await play(script, { tools: [logged("a", [])] })).events)).toEqual([]);
  });
});

describe("stuck: { endAfter }", () => {
  test("ends the run when so many equal calls came in a row", async () => {
    const log: string[] = [];
    const same = picks(call("ok", { n: 1 }));
    const { result } = await play([same, same, same], { tools: [logged("ok", log)], stuck: { endAfter: 3 } });
    expect(result).toMatchObject({ outcome: "stuck", rounds: 3 });
    expect(answers(result.messages)).toHaveLength(3);
  });

  test("another call in between starts the count anew", async () => {
    const same = picks(call("ok", { n: 1 }));
    const { result } = await play([same, same, picks(call("ok", { n: 2 })), same, same, "done"], {
      tools: [logged("ok", [])],
      stuck: { endAfter: 3 },
    });
    expect(result.outcome).toBe("stop");
  });

  test("exec rejects with code stuck", async () => {
    const same = picks(call("ok", { n: 1 }));
    const runtime = createRuntime({ model: scripted([same, same]) });
    const error = await failure(runtime.exec("go", { tools: [logged("ok", [])], stuck: { endAfter: 2 } }));
    expect(error).toMatchObject({ code: "stuck", result: { outcome: "stuck" } });
  });

  test.each([[{ endAfter: 0 }], [{ endAfter: Number.NaN }], [{ endAfter: "3" }], [{}], ["yes"]])(
    "stuck %j is a caller mistake",
    async (stuck) => {
      await refuses({ tools: [], stuck } as unknown as ExecOptions, "invalid_option", /stuck/);
    },
  );
});

test("the text of a failure is the tool's own", async () => {
  const { result } = await play([picks("bad"), "done"], { tools: [flaky("bad", [])] });
  expect(answers(result.messages)).toEqual([expect.stringContaining(failed.slice(2))]);
});
