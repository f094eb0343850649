import { describe, expect, test } from "vitest";
import { createRuntime, exec, type Run, type RunResult, run, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, hanging, logged, never, outline, picks, play, sleep, start, tokens, until } from "./play.fixture.ts";

describe("the bound exec and run", () => {
  test("outside of any run use a default runtime; a model may be given", async () => {
    expect(await exec("go", { model: scripted(["done"]), tools: [] })).toBe("done");
    expect(await run("go", { model: scripted(["done"]), tools: [] }).result).toMatchObject({ outcome: "stop" });
  });

  test("inside a tool use the runtime of the run", async () => {
    const inner: RunResult[] = [];
    const nest = tool({
      name: "nest",
      execute: async () => {
        inner.push(await run("inner", { tools: [] }).result);
      },
    });
    const { model } = await play([picks("nest"), "inner text", "done"], { tools: [nest] });
    expect(inner).toMatchObject([{ text: "inner text" }]);
    expect(model.requests).toHaveLength(3);
  });
});

describe("a run of another runtime inside a tool", () => {
  test("is bound by the outer denials, allow-list and signal", async () => {
    const other = scripted(["inner", { hang: true }]);
    const foreign = createRuntime({ model: other });
    const held: Run[] = [];
    const nest = tool({
      name: "nest",
      execute: async () => {
        await foreign.exec("inner", { tools: [logged("a", []), logged("b", []), logged("c", [])] });
        held.push(foreign.run("inner", { tools: [] }));
        return (await held[0]?.result)?.outcome;
      },
    });
    const started = start([picks("nest")], { tools: [nest], toolsDeny: ["a"], toolsAllow: ["nest", "a", "b"] });
    await until(() => other.requests.length === 2);
    expect(other.requests[0]?.tools.map((one) => one.name)).toEqual(["b"]);
    started.run.abort();
    expect((await started.ended()).result.outcome).toBe("aborted");
    expect((await held[0]?.result)?.outcome).toBe("aborted");
  });

  test("asks the outer approver, and counts in the outer budget", async () => {
    const asked: string[] = [];
    const log: string[] = [];
    const foreign = createRuntime({
      model: scripted([picks("danger", "a", "a"), "inner closing"]),
      approve: () => true,
    });
    const nest = tool({
      name: "nest",
      execute: () =>
        foreign.exec("inner", { tools: [logged("danger", log, { requiresApproval: true }), logged("a", log)] }),
    });
    const { result } = await play(
      [picks("nest"), "outer closing"],
      { tools: [nest], limits: { toolCalls: 2 } },
      {
        approve: (request) => {
          asked.push(request.call.name);
          return false;
        },
      },
    );
    expect(asked).toEqual(["danger"]);
    expect(log).toEqual(["a"]);
    expect(result.outcome).toBe("max_tool_calls");
  });
});

describe("several runs inside one call", () => {
  test("have ids and paths of their own, and their usage adds up", async () => {
    const many = tool({
      name: "many",
      execute: (_args, ctx) => Promise.all(["1", "2", "3"].map((one) => ctx.runtime.exec(one, { tools: [] }))),
    });
    const reply = { text: "inner", usage: tokens(10, 1), delayMs: 2 };
    const { events, result } = await play([picks("many"), reply, reply, reply, { text: "done", usage: tokens(1, 1) }], {
      tools: [many],
    });
    const inner = events.filter((event) => event.type === "agent_end" && event.path !== "");
    expect(inner).toHaveLength(3);
    expect(new Set(inner.map((event) => event.path)).size).toBe(3);
    expect(new Set(inner.map((event) => event.runId)).size).toBe(3);
    expect(result.usage).toMatchObject(tokens(31, 4));
    expect(inner[0]).toMatchObject({ usage: tokens(10, 1) });
  });

  test("one that fails counts in the usage too, and is an error result of its call", async () => {
    const nest = tool({ name: "nest", execute: (_args, ctx) => ctx.runtime.exec("inner", { tools: [] }) });
    const failing = { text: "", usage: tokens(5, 0), error: { kind: "auth", message: "bad key" } } as const;
    const { result } = await play([picks("nest"), failing, "done"], { tools: [nest] });
    expect(result).toMatchObject({ outcome: "stop", usage: tokens(5, 0) });
    expect(answers(result.messages)).toEqual([expect.stringMatching(/^! .*bad key/s)]);
  });

  test("a shorter deadline inside ends only the inner one", async () => {
    const nest = tool({
      name: "nest",
      execute: (_args, ctx) => ctx.runtime.exec("inner", { tools: [], timeoutMs: 10, model: hanging() }),
    });
    const { result } = await play([picks("nest"), "done"], { tools: [nest], timeoutMs: 60_000 });
    expect(result).toMatchObject({ outcome: "stop", text: "done" });
    expect(answers(result.messages)).toEqual([expect.stringMatching(/^! /)]);
  });

  test("a caller mistake inside is an error result of the call", async () => {
    const nest = tool({
      name: "nest",
      execute: (_args, ctx) => ctx.runtime.exec("inner", { maxIterations: Number.NaN }),
    });
    const { result } = await play([picks("nest"), "done"], { tools: [nest] });
    expect(answers(result.messages)).toEqual([expect.stringMatching(/^! .*maxIterations/s)]);
  });

  test("a model without a known price inside a run with a cost limit is a caller mistake", async () => {
    const unknown = scripted([], { id: "unknown", onOverrun: () => {} });
    const nest = tool({
      name: "nest",
      execute: (_args, ctx) => ctx.runtime.exec("inner", { tools: [], model: unknown }),
    });
    const prices = { scripted: { input: 1, output: 1 } };
    const { result } = await play([picks("nest"), "done"], { tools: [nest], limits: { cost: 10 } }, { prices });
    expect(answers(result.messages)).toEqual([expect.stringMatching(/^! .*price/s)]);
    expect(unknown.requests).toHaveLength(0);
  });
});

describe("a run that its call has left behind", () => {
  test("goes on and settles; nothing comes behind the root's agent_end", async () => {
    const left = Promise.withResolvers<Run>();
    const leave = tool({
      name: "leave",
      execute: (_args, ctx) => {
        left.resolve(ctx.runtime.run("inner", { tools: [] }));
        return "left";
      },
    });
    const { result, events } = await play([picks("leave"), { text: "inner", delayMs: 20 }, "done"], { tools: [leave] });
    expect(result.outcome).toBe("stop");
    const count = events.length;
    const inner = await (await left.promise).result;
    expect(["stop", "aborted"]).toContain(inner.outcome);
    expect(events).toHaveLength(count);
  });

  test("begun by a call that its own timeout has ended: it rejects at once, before any request", async () => {
    const seen = Promise.withResolvers<unknown>();
    const late = tool({
      name: "late",
      timeoutMs: 10,
      execute: async (_args, ctx) => {
        await sleep(25);
        await ctx.runtime.exec("inner", { tools: [] }).then(seen.resolve, seen.resolve);
      },
    });
    const { model } = await play([picks("late"), { text: "done", delayMs: 60 }], { tools: [late] });
    expect(await seen.promise).toMatchObject({ code: expect.stringMatching(/aborted|timeout/) });
    expect(model.requests).toHaveLength(2);
  });

  test("by a nested handle's abort its tools are answered", async () => {
    const hung = tool({ name: "hung", execute: never });
    const inner: RunResult[] = [];
    const nest = tool({
      name: "nest",
      execute: async (_args, ctx) => {
        const nested = ctx.runtime.run("inner", { tools: [hung] });
        for await (const event of nested) if (event.type === "tool_start") nested.abort();
        inner.push(await nested.result);
      },
    });
    await play([picks("nest"), picks("hung"), "done"], { tools: [nest] });
    expect(inner.map((one) => outline(one.messages))).toEqual([["user: inner", "assistant -> hung", "tool hung"]]);
  });
});

test("a nested run steered by its own handle reads the message itself", async () => {
  const nest = tool({
    name: "nest",
    execute: async (_args, ctx) => {
      const nested = ctx.runtime.run("inner", { tools: [] });
      nested.send("for the inner");
      return outline((await nested.result).messages).join(", ");
    },
  });
  const { result } = await play([picks("nest"), "inner", "done"], { tools: [nest] });
  expect(answers(result.messages)[0]).toMatch(/for the inner/);
  expect(outline(result.messages).at(-1)).toBe("assistant: done");
});
