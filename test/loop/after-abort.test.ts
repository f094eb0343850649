import { describe, expect, test } from "vitest";
import { tool } from "../../src/core.ts";
import {
  answers,
  call,
  hanging,
  interrupted,
  logged,
  never,
  notRun,
  outline,
  picks,
  play,
  sleep,
  start,
  until,
} from "./play.fixture.ts";
import { expectNothingUnhandled } from "./unhandled.fixture.ts";

expectNothingUnhandled();

describe("after an abort", () => {
  test("PAIR-01 the history goes on: one result per call, directly behind the reply", async () => {
    const first = start([picks(call("sleep", {}, "c1"))], { tools: [tool({ name: "sleep", execute: never })] });
    await until(() => first.events.some((event) => event.type === "tool_start"));
    first.run.abort();
    const { messages } = (await first.ended()).result;
    const { model, events, result } = await play(["fine"], { messages });
    expect(outline(model.requests[0]?.messages ?? [])).toEqual([
      "user: go",
      "assistant -> sleep",
      "tool sleep",
      "user: go",
    ]);
    expect(answers(model.requests[0]?.messages ?? [])).toEqual([interrupted]);
    expect(events.filter((event) => event.type === "warning")).toEqual([]);
    expect(result.outcome).toBe("stop");
  });

  test("what a tool still returns, throws, reports or starts is dropped", async () => {
    const gate = Promise.withResolvers<void>();
    const seen: string[] = [];
    const late = tool({
      name: "late",
      readOnly: true,
      execute: async (_args, ctx) => {
        await gate.promise;
        ctx.update("too late");
        seen.push(await ctx.runtime.exec("too late").catch((error) => error.code));
        throw new Error("too late");
      },
    });
    const { run, ended, events, model } = start([picks("late", "late")], { tools: [late], toolExecution: "overlap" });
    await until(() => events.filter((event) => event.type === "tool_start").length === 2);
    run.abort();
    const { result } = await ended();
    const before = JSON.stringify([result, events]);
    gate.resolve();
    await until(() => seen.length === 2);
    await sleep(2);
    expect(JSON.stringify([result, events])).toBe(before);
    expect(seen).toEqual(["aborted", "aborted"]);
    expect(model.requests).toHaveLength(1);
  });

  test("TOOL-13 three tools that reject later and a nested run: settles once, no unhandled rejection", async () => {
    const late = (name: string, ms: number) =>
      tool({
        name,
        readOnly: true,
        execute: (_args, { signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener("abort", () => setTimeout(() => reject(new Error(`${name} late`)), ms));
          }),
      });
    const nest = tool({
      name: "nest",
      readOnly: true,
      execute: (_args, ctx) => ctx.runtime.exec("inner", { tools: [] }),
    });
    const { run, ended, events } = start([picks("x", "y", "z", "nest"), { hang: true }], {
      tools: [late("x", 5), late("y", 10), late("z", 15), nest],
      toolExecution: "overlap",
    });
    await until(() => events.filter((event) => event.type === "agent_start").length === 2);
    run.abort();
    const { result } = await ended();
    expect(result.outcome).toBe("aborted");
    await sleep(30);
  });

  test("a rejected exec that nobody awaits inside a tool is the tool's own affair, not ours", async () => {
    const nest = tool({
      name: "nest",
      execute: async (_args, ctx) => {
        const inner = ctx.runtime.run("inner", { tools: [] });
        await sleep(1);
        return inner.id.length > 0;
      },
    });
    const { result } = await play([picks("nest"), { text: "inner" }, "done"], { tools: [nest] });
    expect(result.outcome).toBe("stop");
  });

  test("CONC-02 the signal reaches the tool of a nested run", async () => {
    const fired = Promise.withResolvers<string>();
    const child = tool({
      name: "child",
      execute: (_args, { signal }) => {
        signal.addEventListener("abort", () => fired.resolve("fired"));
        return never();
      },
    });
    const nest = tool({ name: "nest", execute: (_args, ctx) => ctx.runtime.exec("inner", { tools: [child] }) });
    const { run, ended, events } = start([picks("nest"), picks("child")], { tools: [nest] });
    await until(() => events.some((event) => event.type === "tool_start" && event.call.name === "child"));
    run.abort();
    expect((await ended()).result.outcome).toBe("aborted");
    expect(await fired.promise).toBe("fired");
  });

  test("a tool's timeout reaches the run inside it, and the outer run goes on", async () => {
    const nest = tool({
      name: "nest",
      timeoutMs: 20,
      execute: (_args, ctx) => ctx.runtime.exec("inner", { tools: [], model: hanging() }),
    });
    const { result, events } = await play([picks("nest"), "done"], { tools: [nest] });
    expect(result).toMatchObject({ outcome: "stop", text: "done" });
    const inner = events.filter((event) => event.type === "agent_end" && event.path !== "");
    expect(inner).toMatchObject([{ outcome: expect.stringMatching(/aborted|timeout/) }]);
  });

  test("CONC-12 a call whose approval comes after the abort never starts", async () => {
    const log: string[] = [];
    const gate = Promise.withResolvers<boolean>();
    const { run, ended, events } = start(
      [picks("a", "b")],
      {
        tools: ["a", "b"].map((name) => logged(name, log, { requiresApproval: true, readOnly: true })),
        toolExecution: "overlap",
      },
      { approve: () => gate.promise },
    );
    await until(() => events.some((event) => event.type === "approval_request"));
    run.abort();
    const { result } = await ended();
    gate.resolve(true);
    await sleep(5);
    expect(log).toEqual([]);
    expect(answers(result.messages)).toEqual([notRun, notRun]);
  });
});

test("aborting a nested run by its own handle ends only that run", async () => {
  const nest = tool({
    name: "nest",
    execute: async (_args, ctx) => {
      const inner = ctx.runtime.run("inner", { tools: [] });
      setImmediate(() => inner.abort());
      return (await inner.result).outcome;
    },
  });
  const { result } = await play([picks("nest"), { hang: true }, "done"], { tools: [nest] });
  expect(answers(result.messages)).toEqual(["aborted"]);
  expect(result.outcome).toBe("stop");
});
