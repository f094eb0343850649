import { describe, expect, test } from "vitest";
import { createRuntime, exec, type Method, method, type RunResult, run, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, failure, hanging, never, picks, read, sleep } from "../loop/play.fixture.ts";
import { expectNothingUnhandled } from "../loop/unhandled.fixture.ts";
import { endOf } from "./agents.fixture.ts";

expectNothingUnhandled();

/** A root run that picks this method, read to its end. */
async function picked(m: Method) {
  const root = createRuntime({ model: scripted([picks("m"), "done"]) }).run("go", { tools: [m] });
  const events = await read(root);
  return { events, result: await root.result };
}

describe("a method whose own timeoutMs has passed", () => {
  const timeoutMs = 10;

  test("ends the run inside it as timeout, with a reason; the root goes on", async () => {
    const seen = Promise.withResolvers<unknown>();
    const m = method({ name: "m", timeoutMs }, async () => {
      seen.resolve(await failure(exec("in", { model: hanging(), tools: [] })));
      return never();
    });
    const { events, result } = await picked(m);
    expect(endOf(events, "1/0/0")).toMatchObject({ outcome: "timeout", error: { code: "timeout" } });
    expect(await seen.promise).toMatchObject({
      code: "timeout",
      message: expect.stringMatching(/"m" timed out after 10 ms/),
      result: { outcome: "timeout" },
    });
    expect(result).toMatchObject({ outcome: "stop", text: "done" });
    expect(answers(result.messages)).toEqual([expect.stringMatching(/^! .*timed out/)]);
  });

  test("and what is inside of that, at every depth", async () => {
    const leaf = method({ name: "leaf" }, () => exec("deep", { model: hanging(), tools: [] }));
    const m = method({ name: "m", timeoutMs }, () => exec("in", { model: scripted([picks("leaf")]), tools: [leaf] }));
    const { events } = await picked(m);
    expect(endOf(events, "1/0/0/1/0/0")).toMatchObject({ outcome: "timeout" });
    expect(endOf(events, "1/0/0")).toMatchObject({ outcome: "timeout" });
  });

  test("and a watched method", async () => {
    const inner = method({ name: "inner" }, () => exec("in", { model: hanging(), tools: [] }));
    const m = method({ name: "m", timeoutMs }, async () => (await inner.run().result).outcome);
    const { events } = await picked(m);
    expect(endOf(events, "1/0/0")).toMatchObject({ outcome: "timeout", error: { code: "timeout" } });
    expect(endOf(events, "1/0/0/0")).toMatchObject({ outcome: "timeout" });
  });

  test("and a watched method that ignores it", async () => {
    const m = method(
      { name: "m", timeoutMs },
      async () => (await method({ name: "deaf" }, never).run().result).outcome,
    );
    const { events } = await picked(m);
    expect(endOf(events, "1/0/0")).toMatchObject({
      outcome: "timeout",
      error: { message: expect.stringMatching(/timed out after 10 ms/) },
    });
  });

  test("refuses what is begun in that run behind it with the same code", async () => {
    const late = Promise.withResolvers<unknown>();
    const slow = tool({
      name: "slow",
      execute: async (_args, ctx) => {
        ctx.signal.addEventListener("abort", async () => late.resolve(await failure(exec("late", { tools: [] }))));
        return never();
      },
    });
    const m = method({ name: "m", timeoutMs }, () => exec("in", { model: scripted([picks("slow")]), tools: [slow] }));
    await picked(m);
    expect(await late.promise).toMatchObject({ code: "timeout" });
  });
});

test("a signal of the caller aborts, also one that fires by time", async () => {
  const results: RunResult[] = [];
  const m = method({ name: "m" }, async () => {
    results.push(await run("in", { model: hanging(), tools: [] }).result);
  });
  results.push(await run("root", { model: hanging(), tools: [], signal: AbortSignal.timeout(5) }).result);
  results.push(await m.run({}, { signal: AbortSignal.timeout(5) }).result);
  await sleep(1);
  expect(results.map(({ outcome }) => outcome)).toEqual(["aborted", "aborted", "stop"]);
});
