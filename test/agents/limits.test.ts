import { describe, expect, test } from "vitest";
import {
  createRuntime,
  type ExecOptions,
  exec,
  type Limits,
  method,
  type RuntimeOptions,
  run,
  tool,
} from "../../src/core.ts";
import { type ScriptEntry, scripted } from "../../src/testing/index.ts";
import { answers, failure, logged, picks, play, read, resultsOf, tokens } from "../loop/play.fixture.ts";
import { acting, endOf, pathsOf, promptOf, roundsOf, routed } from "./agents.fixture.ts";

const said = (outcome: string) => `\n[the nested run ended at its limit: ${outcome}]`;
const t = tool({ name: "t", execute: () => "x" });

/** The result of a call of this method in a run, and what code that calls it gets. */
async function picked(m: ReturnType<typeof method>) {
  const { result } = await play([picks("m"), "done"], { tools: [m] });
  expect(result).toMatchObject({ outcome: "stop", text: "done" });
  const [message] = resultsOf(result.messages);
  return { texts: message?.content, isError: message?.isError, details: message?.details };
}

describe("LOOP-07 a picked method whose run ended at its limit says so beside its value", () => {
  const asking = (script: readonly ScriptEntry[], options: ExecOptions) => () =>
    exec("inner", {
      model: scripted(script, { id: "priced" }),
      tools: [t],
      ...options,
    });
  const limits: readonly (readonly [string, ExecOptions])[] = [
    ["max_iterations", { maxIterations: 1 }],
    ["max_tool_calls", { limits: { toolCalls: 1 } }],
    ["max_tokens", { limits: { totalTokens: 5 } }],
  ];
  const first = { ...picks("t"), usage: tokens(5, 1) };

  test.each(limits)("%s, closed with an answer", async (outcome, options) => {
    const m = method({ name: "m" }, asking([first, "an answer"], options));
    expect(await picked(m)).toEqual({
      texts: [
        { type: "text", text: "an answer" },
        { type: "text", text: said(outcome) },
      ],
      isError: false,
      details: { outcome },
    });
    expect(await method({ name: "m" }, asking([first, "an answer"], options))()).toBe("an answer");
  });

  test.each(limits)("%s, closed without an answer: exec rejects, and so does the method", async (outcome, options) => {
    const m = () => method({ name: "m" }, asking([first, ""], options));
    expect(await picked(m())).toMatchObject({
      texts: [{ type: "text", text: expect.stringMatching(/limit on .* without an answer/) }, { text: said(outcome) }],
      isError: true,
      details: { outcome },
    });
    expect(await failure(m()())).toMatchObject({ code: outcome });
  });

  test.each(limits)("%s, closed without an answer, and the method makes do", async (outcome, options) => {
    const m = method({ name: "m" }, () => asking([first, ""], options)().catch(() => "a guess"));
    expect(await picked(m)).toMatchObject({
      texts: [{ text: "a guess" }, { text: said(outcome) }],
      isError: true,
      details: { outcome },
    });
  });

  test.each(limits)("%s, with atLimit stop: the last text, an error if there is none", async (outcome, options) => {
    const stop = { ...options, atLimit: "stop" } as const;
    const silent = method({ name: "m" }, asking([first], stop));
    expect(await picked(silent)).toMatchObject({
      texts: [{ text: "(empty text)" }, { text: said(outcome) }],
      isError: true,
      details: { outcome },
    });
    const talking = method({ name: "m" }, asking([{ ...first, text: "so far" }], stop));
    expect(await picked(talking)).toMatchObject({
      texts: [{ text: "so far" }, { text: said(outcome) }],
      isError: false,
    });
  });

  test("max_cost", async () => {
    const m = method({ name: "m" }, () =>
      exec("inner", {
        model: scripted([{ ...picks("t"), usage: tokens(1_000_000, 0) }, "an answer"], { id: "priced" }),
        tools: [t],
        limits: { cost: 1 },
      }),
    );
    const prices = { priced: { input: 2, output: 2 }, scripted: { input: 0, output: 0 } };
    const { result } = await play([picks("m"), "done"], { tools: [m] }, { prices });
    expect(answers(result.messages)).toEqual([`an answer${said("max_cost")}`]);
  });

  test("only the run that was begun last counts: one of a method called as code too, not one with a handle of its own", async () => {
    const at = asking([first, "limited"], { maxIterations: 1 });
    const fine = asking(["fine"], {});
    const both = (...order: (() => Promise<unknown>)[]) =>
      method({ name: "m" }, async () => {
        const texts: unknown[] = [];
        for (const one of order) texts.push(await one());
        return texts.join(", ");
      });
    expect(await picked(both(at, fine))).toMatchObject({ texts: [{ text: "limited, fine" }], isError: false });
    const again = asking([first, "limited"], { maxIterations: 1 });
    expect((await picked(both(asking(["fine"], {}), again))).texts).toMatchObject([
      { text: "fine, limited" },
      { text: said("max_iterations") },
    ]);
    const inner = method({ name: "inner" }, asking([first, "limited"], { maxIterations: 1 }));
    expect((await picked(method({ name: "m" }, () => inner()))).texts).toMatchObject([
      { text: "limited" },
      { text: said("max_iterations") },
    ]);
    const watched = method({ name: "inner" }, asking([first, "limited"], { maxIterations: 1 }));
    const through = method({ name: "m" }, async () => (await watched.run().result).value as string);
    expect(await picked(through)).toMatchObject({ texts: [{ text: "limited" }], isError: false });
  });

  test("a run that goes on when the method returns counts as none", async () => {
    const m = method({ name: "m" }, () => {
      run("inner", { model: scripted([{ ...first, delayMs: 20 }]), tools: [t], maxIterations: 1, atLimit: "stop" });
      return "early";
    });
    expect(await picked(m)).toMatchObject({ texts: [{ text: "early" }], isError: false });
  });

  test("plain tools that exec say so too", async () => {
    const nest = { spec: { name: "m" }, execute: asking([first, "an answer"], { maxIterations: 1 }) };
    const { result } = await play([picks("m"), "done"], { tools: [nest] });
    expect(answers(result.messages)).toEqual([`an answer${said("max_iterations")}`]);
  });
});

describe("the root's one ledger", () => {
  /** Three levels: the model picks `m` on the way in and `t` for ever at the innermost; closing texts say who closes. */
  async function threeLevels(limits: Limits, prices?: RuntimeOptions["prices"]) {
    const closed: string[] = [];
    const log: string[] = [];
    const model = acting((request) => {
      const prompt = promptOf(request);
      if (request.toolChoice === "none") {
        closed.push(prompt);
        return { text: `closing ${prompt}`, usage: tokens(1, 0) };
      }
      const inwards = prompt !== "2" && roundsOf(request) === 0;
      return { ...picks(inwards ? "m" : "t"), usage: tokens(1, 0) };
    });
    const t = [logged("t", log)];
    const m = method(
      { name: "m" },
      (_args, ctx): Promise<string> => exec(ctx.path === "1/0" ? "1" : "2", { tools: [m, ...t] }),
    );
    const runtime = createRuntime({ model, ...(prices && { prices }) });
    const handle = runtime.run("0", { tools: [m, ...t], limits });
    const events = await read(handle);
    return { result: await handle.result, events, closed, log };
  }

  test.each([
    ["max_tool_calls", { toolCalls: 5 }, 3, undefined],
    ["max_tokens", { totalTokens: 6 }, 4, undefined],
    ["max_cost", { cost: 6 }, 4, { acting: { input: 1_000_000, output: 0 } }],
  ] as const)("%s: each level makes one closing request, innermost first", async (outcome, limits, ran, prices) => {
    const { result, events, closed, log } = await threeLevels(limits, prices);
    expect(result).toMatchObject({ outcome, text: "closing 0" });
    expect(closed).toEqual(["2", "1", "0"]);
    expect(log).toHaveLength(outcome === "max_tool_calls" ? ran : 3);
    expect(answers(result.messages)).toEqual([`closing 1${said(outcome)}`]);
    for (const path of ["", "1/0/0", "1/0/0/1/0/0"]) expect(endOf(events, path)).toMatchObject({ outcome });
    // Nested usage is counted once at each level.
    const inner = endOf(events, "1/0/0/1/0/0");
    expect(result.usage.inputTokens).toBe(2 + 3 + (inner?.type === "agent_end" ? inner.usage.inputTokens - 1 : 0));
  });

  test("rounds are those of each exec", async () => {
    const nest = method({ name: "nest" }, () => exec("inner", { tools: [t], maxIterations: 3 }));
    const { model } = routed({ go: [picks("nest"), "done"], inner: [picks("t"), picks("t"), "inner"] });
    const result = await createRuntime({ model }).run("go", { tools: [nest], maxIterations: 2 }).result;
    expect(result).toMatchObject({ outcome: "stop", rounds: 2 });
  });

  test("an inner limit of its own is the inner run's alone", async () => {
    const nest = method({ name: "nest" }, () => exec("inner", { tools: [t], limits: { toolCalls: 1 } }));
    const { model } = routed({ go: [picks("nest"), picks("t"), "done"], inner: [picks("t"), "inner"] });
    const result = await createRuntime({ model }).run("go", { tools: [nest, t], limits: { toolCalls: 9 } }).result;
    expect(result).toMatchObject({ outcome: "stop" });
    expect(answers(result.messages)).toEqual([`inner${said("max_tool_calls")}`, "x"]);
  });

  test("is drawn on by methods that are called as code and by watched ones too", async () => {
    const work = method({ name: "work" }, () => exec("inner", { tools: [t] }));
    const both = method({ name: "both" }, async () => [await work(), (await work.run().result).value]);
    const { model } = routed({
      go: [picks("both"), "closing"],
      inner: [picks("t"), "first", picks("t"), "second"],
    });
    const result = await createRuntime({ model }).run("go", { tools: [both, t], limits: { toolCalls: 3 } }).result;
    expect(result).toMatchObject({ outcome: "max_tool_calls", text: "closing" });
    expect(resultsOf(result.messages)[0]?.content).toEqual([{ type: "json", value: ["first", "second"] }]);
  });
});

describe("usage", () => {
  test("of a run that outlives the run around it goes to the next one around that still goes on", async () => {
    const gate = Promise.withResolvers<void>();
    const background = Promise.withResolvers<unknown>();
    const model = acting(async (request) => {
      const prompt = promptOf(request);
      const rounds = roundsOf(request);
      if (prompt === "aside") {
        await gate.promise;
        return { text: "late", usage: tokens(500_000, 0) };
      }
      if (prompt === "mid")
        return rounds === 0 ? { ...picks("spawn"), usage: tokens(10, 0) } : { text: "mid", usage: tokens(100, 0) };
      const steps = [picks("mid"), picks("wait")];
      return rounds < 2 ? { ...steps[rounds], usage: tokens(1000, 0) } : { text: "end", usage: tokens(10_000, 0) };
    });
    const runtime = createRuntime({ model });
    const spawn = tool({
      name: "spawn",
      execute: () => {
        background.resolve(runtime.exec("aside", { tools: [] }));
      },
    });
    const mid = tool({ name: "mid", execute: () => runtime.exec("mid", { tools: [spawn] }) });
    const wait = tool({
      name: "wait",
      execute: async () => {
        gate.resolve();
        await background.promise;
      },
    });
    const root = runtime.run("go", { tools: [mid, wait] });
    const events = await read(root);
    expect((await root.result).usage).toMatchObject(tokens(10 + 100 + 2000 + 10_000 + 500_000, 0));
    expect(endOf(events, "1/0/0")).toMatchObject({ usage: tokens(110, 0) });
  });

  test("adds up over methods that were picked, called as code, watched, and several at once", async () => {
    const used = { usage: tokens(10, 1) };
    const { model } = routed({
      go: [
        { ...picks("all"), ...used },
        { text: "done", ...used },
      ],
      inner: Array(5).fill({ text: "inner", ...used }),
    });
    const work = method({ name: "work" }, () => exec("inner", { tools: [] }));
    const all = method({ name: "all" }, async () => {
      await work();
      const watched = await work.run().result;
      await Promise.all([work(), work.run().result, exec("inner", { tools: [] })]);
      return watched.usage.inputTokens;
    });
    const handle = createRuntime({ model }).run("go", { tools: [all] });
    const events = await read(handle);
    const result = await handle.result;
    expect(result.usage).toMatchObject(tokens(70, 7));
    expect(answers(result.messages)).toEqual(["10"]);
    const paths = ["", "1/0/0/0", "1/0/1", "1/0/1/0", "1/0/2/0", "1/0/3", "1/0/3/0", "1/0/4"];
    expect(pathsOf(events).toSorted()).toEqual(paths);
    const seqs = events.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    expect(new Set(seqs).size).toBe(seqs.length);
  });
});
