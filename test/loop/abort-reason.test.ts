import { describe, expect, test } from "vitest";
import { createRuntime, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { during, failure, logged, never, picks, play, start, until } from "./play.fixture.ts";

const why = "The run was aborted: the user has gone";

describe("the reason of an abort", () => {
  test("is told by the result and by agent_end", async () => {
    const { run, ended, events } = start([picks("wait")], { tools: [tool({ name: "wait", execute: never })] });
    await until(() => events.some((event) => event.type === "tool_start"));
    run.abort("the user has gone");
    const { result } = await ended();
    expect(result).toMatchObject({ outcome: "aborted", error: { code: "aborted", message: why } });
    expect(events.at(-1)).toMatchObject({ type: "agent_end", error: { code: "aborted", message: why } });
  });

  test("is told before the first request, while a reply streams and when the run would rest", async () => {
    const early = start([]);
    early.run.abort("the user has gone");
    expect((await early.ended()).result.error?.message).toBe(why);

    const streaming = start([{ text: "so", hang: true }]);
    await until(() => streaming.events.some((event) => event.type === "message_update"));
    streaming.run.abort("the user has gone");
    expect((await streaming.ended()).result.error?.message).toBe(why);

    const resting = start([
      () => {
        resting.run.abort("the user has gone");
        return "done";
      },
    ]);
    expect((await resting.ended()).result.error?.message).toBe(why);
  });

  test("is in the error of exec", async () => {
    const exec = (reason: unknown) =>
      failure(createRuntime({ model: scripted([]) }).exec("go", { tools: [], signal: AbortSignal.abort(reason) }));
    expect(await exec("the user has gone")).toMatchObject({ code: "aborted", message: why });
    expect(await exec(new Error("the user has gone"))).toMatchObject({ code: "aborted", message: why });
  });

  test("where there is none, none is made up", async () => {
    const { run, ended } = start([]);
    run.abort();
    expect((await ended()).result).not.toHaveProperty("error");
    const exec = createRuntime({ model: scripted([]) }).exec("go", { tools: [], signal: AbortSignal.abort() });
    expect(await failure(exec)).toMatchObject({ code: "aborted", message: "The run was aborted." });
  });

  test("of the first abort counts, and reaches the runs inside", async () => {
    const errors: unknown[] = [];
    const inner = tool({
      name: "inner",
      execute: async (_args, ctx) => {
        const run = ctx.runtime.run("inner", { tools: [tool({ name: "wait", execute: never })] });
        void run.result.then(({ error }) => errors.push(error?.message));
        return await run.result.then(never);
      },
    });
    const { run, ended, events } = start([picks("inner"), picks("wait")], { tools: [inner] });
    await until(() => events.some((event) => event.type === "tool_start" && event.call.name === "wait"));
    run.abort("the user has gone");
    run.abort("something else");
    expect((await ended()).result.error?.message).toBe(why);
    await until(() => errors.length > 0);
    expect(errors).toEqual([why]);
  });
});

describe("the signal of a call", () => {
  test("has fired when abort returns, also while the tool is still in its first tick", async () => {
    const seen: unknown[] = [];
    const aborting = (read: "before" | "behind") =>
      tool({
        name: read,
        execute: (_args, ctx) => {
          if (read === "before") expect(ctx.signal.aborted).toBe(false);
          run.abort("enough");
          seen.push(ctx.signal.aborted, (ctx.signal.reason as Error).message);
          return never();
        },
      });
    let { run, ended } = start([picks("before")], { tools: [aborting("before")] });
    expect((await ended()).result.outcome).toBe("aborted");
    ({ run, ended } = start([picks("behind")], { tools: [aborting("behind")] }));
    expect((await ended()).result.outcome).toBe("aborted");
    expect(seen).toEqual([true, "enough", true, "enough"]);
  });

  test("has fired when abort returns, for a tool that waits", async () => {
    let signal: AbortSignal | undefined;
    const wait = tool({
      name: "wait",
      execute: (_args, ctx) => {
        signal = ctx.signal;
        return never();
      },
    });
    const { run, ended, events } = start([picks("wait")], { tools: [wait] });
    await until(() => events.some((event) => event.type === "tool_start"));
    expect(signal?.aborted).toBe(false);
    run.abort();
    expect(signal?.aborted).toBe(true);
    await ended();
  });

  test("does not fire behind the end of the call", async () => {
    const signals: AbortSignal[] = [];
    const quick = tool({
      name: "quick",
      execute: (_args, { signal }) => {
        signals.push(signal);
        return "ok";
      },
    });
    const { run, ended } = start([picks("quick", "stop")], {
      tools: [quick, during("stop", [], () => run.abort())],
    });
    expect((await ended()).result.outcome).toBe("aborted");
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });

  test("leaves nothing behind on the run", async () => {
    const log: string[] = [];
    const looks = logged("looks", log, { execute: (_args, { signal }) => String(signal.aborted) });
    const { result } = await play([picks("looks", "looks"), "done"], { tools: [looks] });
    expect(result.outcome).toBe("stop");
  });
});
