import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Agent, createRuntime, result, type ToolEntry, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, call, endsOf, picks, play, refuses, resultsOf } from "./play.fixture.ts";

const minute = 60_000;
const parameters = { type: "object" } as const;

/** A tool that counts, whatever its arguments; `log` holds those. */
function counting(name = "count", extra = {}) {
  const log: unknown[] = [];
  const one = tool({
    name,
    input: parameters,
    readOnly: true,
    cacheMs: minute,
    execute: (args) => {
      log.push(args);
      return `run ${log.length}`;
    },
    ...extra,
  });
  return { one, log };
}

describe("an equal call of a tool with cacheMs", () => {
  class Counts extends Agent {
    runs = 0;
    count = this.method(
      { description: "", input: parameters, readOnly: true, cacheMs: minute },
      () => `run ${++this.runs}`,
    );
  }
  let runs = 0;
  const forms: readonly (readonly [string, () => ToolEntry])[] = [
    ["tool()", () => counting().one],
    [
      "spec and execute",
      () => {
        runs = 0;
        return {
          spec: { name: "count", parameters },
          readOnly: true,
          cacheMs: minute,
          execute: () => `run ${++runs}`,
        } as ToolEntry;
      },
    ],
    ["an Agent's method", () => new Counts().count as unknown as ToolEntry],
    ["a registered name", () => tool.named("count")],
  ];

  test.each(forms)("%s: gets the result without running, is shown and counted all the same", async (_, make) => {
    const script = [
      picks(call("count", { a: 1, b: 2 }), call("count", ' { "b":2, "a":1 }'), call("count", { a: 2 })),
      "done",
    ];
    const { result: run, events } = await play(
      script,
      { tools: [make()], limits: { toolCalls: 3 } },
      { tools: [counting().one] },
    );
    expect(answers(run.messages)).toEqual(["run 1", "run 1", "run 2"]);
    expect(endsOf(events).map((event) => event.result.details)).toEqual([undefined, { cached: true }, undefined]);
    // Three calls were counted.
    expect(run.outcome).toBe("max_tool_calls");
  });

  test("a number that JSON has no room for is neither null nor its opposite", async () => {
    const { one } = counting();
    const raw = ['{"n":1e400}', '{"n":null}', '{"n":-1e400}', '{"n":1e400}'];
    const { result: run } = await play([picks(...raw.map((args) => call("count", args))), "done"], { tools: [one] });
    expect(answers(run.messages)).toEqual(["run 1", "run 2", "run 3", "run 1"]);
  });

  test("in later runs and runs inside too, but of the same tool, runtime and workspace only", async () => {
    const { one, log } = counting();
    const folder = mkdtempSync(join(tmpdir(), "rondo-cache-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const runtime = createRuntime({
      model: scripted(
        Array(4)
          .fill([picks("count"), "done"])
          .flat(),
      ),
    });
    await runtime.exec("go", { tools: [one] });
    await runtime.exec("go", { tools: [one] });
    expect(log).toHaveLength(1);
    const nested = tool({
      name: "nested",
      execute: (_, ctx) => ctx.runtime.exec("go", { tools: [one], model: scripted([picks("count"), "inside"]) }),
    });
    await runtime.exec("go", { tools: [nested], model: scripted([picks("nested"), "done"]) });
    expect(log).toHaveLength(1);
    const other = counting();
    await runtime.exec("go", { tools: [other.one] });
    expect([log.length, other.log.length]).toEqual([1, 1]);
    await createRuntime({ model: scripted([picks("count"), "done"]), workspace: folder }).exec("go", { tools: [one] });
    expect(log).toHaveLength(2);
  });

  test("is done again when the time is over, and behind an error", async () => {
    let now = 1_000;
    vi.spyOn(performance, "now").mockImplementation(() => now);
    onTestFinished(() => void vi.restoreAllMocks());
    let fails = true;
    const { one, log } = counting("count", {
      execute: () => {
        log.push(1);
        if (fails) throw new Error("not yet");
        return `run ${log.length}`;
      },
    });
    const pass =
      (ms: number, text = "") =>
      () => {
        now += ms;
        fails = false;
        return { ...picks("count"), text };
      };
    const { result: run } = await play([picks("count"), pass(0), pass(minute - 1), pass(1), "done"], { tools: [one] });
    expect(answers(run.messages)).toEqual(["! not yet", "run 2", "run 2", "run 3"]);
  });

  test("large images, results that say error, and answers of runs that ended at a limit are not remembered", async () => {
    const image = (chars: number) =>
      counting("count", {
        execute: () => {
          made++;
          return result({ content: [{ type: "image", data: "A".repeat(chars), mediaType: "image/png" }] });
        },
      }).one;
    let made = 0;
    await play([picks("count", "count"), "done"], { tools: [image(2_000_000)] });
    expect(made).toBe(2);
    await play([picks("count", "count"), "done"], { tools: [image(2_000)] });
    expect(made).toBe(3);
    const wrong = counting("count", { execute: () => result({ content: `no ${++made}`, isError: true }) }).one;
    const { result: run } = await play([picks("count"), picks("count"), "done"], { tools: [wrong] });
    expect(answers(run.messages)).toEqual(["! no 4", "! no 5"]);
    const limited = counting("count", {
      execute: (_: unknown, ctx: { runtime: ReturnType<typeof createRuntime> }) => {
        made++;
        const model = scripted([picks("x"), "closed"]);
        return ctx.runtime.exec("go", { model, maxIterations: 1, tools: [tool({ name: "x", execute: () => "x" })] });
      },
    }).one;
    await play([picks("count", "count"), "done"], { tools: [limited] });
    expect(made).toBe(7);
  });

  test("is asked about as ever, and goes by the arguments that a person gave", async () => {
    const { one, log } = counting();
    const asked: unknown[] = [];
    const { result: run } = await play(
      [picks(call("count", { n: 1 }), call("count", { n: 2 }), call("count", { n: 1 })), "done"],
      { tools: [one] },
      {
        requiresApproval: ["count"],
        approve: ({ arguments: args }) => {
          asked.push(args);
          return { approved: true, arguments: { n: 2 } };
        },
      },
    );
    expect(asked).toHaveLength(3);
    expect(log).toEqual([{ n: 2 }]);
    expect(answers(run.messages)).toEqual(["run 1", "run 1", "run 1"]);
  });

  test("gets it cut and marked as its own run does, and as an object of its own", async () => {
    const { one } = counting("count", { untrusted: true, execute: () => ({ list: ["x".repeat(3_000)] }) });
    const runtime = createRuntime({
      model: scripted(
        Array(2)
          .fill([picks("count"), "done"])
          .flat(),
      ),
    });
    const marked: string[] = [];
    for (let i = 0; i < 2; i++) {
      const { messages } = await runtime.run("go", { tools: [one] }).result;
      const { value } = resultsOf(messages)[0]!.content[1] as unknown as { value: { list: unknown[] } };
      marked.push(answers(messages)[0]!);
      value.list.push("changed");
      expect(value.list).toHaveLength(2);
    }
    expect(marked[0]).toMatch(/^\[untrusted content/);
    expect(marked[0]).not.toBe(marked[1]);
  });

  test("those not used for longest go", async () => {
    const { one, log } = counting();
    const calls = (from: number, to: number) =>
      picks(...Array.from({ length: to - from }, (_, i) => call("count", { n: from + i })));
    const script = [calls(0, 500), calls(0, 1), calls(500, 501), calls(0, 2), "done"];
    await play(script, { tools: [one] });
    // 0 was used again, so 1 had to go for 500.
    expect(log).toHaveLength(502);
    expect(log.at(-1)).toEqual({ n: 1 });
  });

  test("hostile names and arguments are names and arguments like any other", async () => {
    const tools = ["__proto__", "constructor", "toString"].map((name) => counting(name));
    const odd = call("__proto__", '{"__proto__":{"polluted":1},"constructor":1}');
    const script = [
      picks(odd, odd, call("__proto__", "{}"), ...tools.slice(1).flatMap(({ one }) => [one.name, one.name])),
      "done",
    ];
    const { result: run } = await play(script, { tools: tools.map(({ one }) => one) });
    expect(answers(run.messages)).toEqual(["run 1", "run 1", "run 2", "run 1", "run 1", "run 1", "run 1"]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe("cacheMs", () => {
  test("of a tool that may change something is a mistake", async () => {
    const one = tool({ name: "pay", cacheMs: 5, execute: () => "ok" });
    await refuses(
      { tools: [one] },
      "invalid_tool",
      /"pay"\): it has cacheMs without readOnly: true; what changes something/,
    );
    expect(
      () =>
        new (class extends Agent {
          pay = this.method({ cacheMs: 5 }, () => "ok");
        })(),
    ).toThrow(/cacheMs without readOnly/);
  });

  test.each([0, -1, Number.NaN, "5"])("%s is a mistake", async (cacheMs) => {
    const one = tool({ name: "a", readOnly: true, cacheMs: cacheMs as number, execute: () => "ok" });
    await refuses({ tools: [one] }, "invalid_tool", /cacheMs must be a number above 0/);
  });

  test("of a function that is picked as the decision: it runs, and its own value is the result", async () => {
    const { one, log } = counting();
    const runtime = createRuntime({ model: scripted([picks("count"), "done", '{"call":"count"}']) });
    await runtime.exec("go", { tools: [one] });
    expect(await runtime.exec("go", { tools: [], choices: { count: one } })).toBe("run 2");
    expect(log).toHaveLength(2);
  });
});
