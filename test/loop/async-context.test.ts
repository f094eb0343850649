import { AsyncLocalStorage } from "node:async_hooks";
import { describe, expect, test } from "vitest";
import {
  createRuntime,
  type ExecOptions,
  type RondoError,
  type RuntimeOptions,
  type Tool,
  tool,
} from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { picks, sleep } from "./play.fixture.ts";

describe("CONC-08 the caller's AsyncLocalStorage", () => {
  const als = new AsyncLocalStorage<string>();
  const reader = (name: string, seen: unknown[], extra: Partial<Tool> = {}) =>
    tool({
      name,
      execute: async (_args, ctx) => {
        seen.push(als.getStore());
        await sleep(1);
        seen.push(als.getStore());
        if (name === "nest") await ctx.runtime.exec("inner", { tools: [reader("leaf", seen)] });
        return "ok";
      },
      ...extra,
    });

  test("is seen in tools, after steering, and in nested runs; the consumer is outside", async () => {
    const seen: unknown[] = [];
    const model = scripted([picks("a"), picks("nest"), picks("leaf"), "inner", "text", picks("a"), "done"]);
    const runtime = createRuntime({ model });
    const run = als.run("caller", () => runtime.run("go", { tools: [reader("a", seen), reader("nest", seen)] }));
    let sent = 0;
    for await (const event of run) {
      if (event.type === "round_end" && event.path === "" && event.round === 3 && sent++ === 0) run.send("more");
      else if (
        event.type === "message_update" &&
        event.update.type === "text" &&
        event.update.delta === "text" &&
        sent++ === 0
      )
        run.send("more");
    }
    expect((await run.result).text).toBe("done");
    expect(seen).toHaveLength(8);
    expect(new Set(seen)).toEqual(new Set(["caller"]));
    expect(als.getStore()).toBeUndefined();
  });

  test("is seen in calls that overlap, in both callbacks, in approve and requiresApproval", async () => {
    const seen: unknown[] = [];
    const see = <T>(value: T): T => {
      seen.push(als.getStore());
      return value;
    };
    const tools = [
      reader("a", seen, { readOnly: true }),
      reader("b", seen, { readOnly: true }),
      reader("c", seen, { requiresApproval: () => see(true) }),
    ];
    const runtime = createRuntime({ model: scripted([picks("a", "b", "c"), "done"]), approve: () => see(true) });
    const options: ExecOptions = {
      tools,
      toolExecution: "overlap",
      getSteeringMessages: () => see([]),
      getFollowUpMessages: () => see([]),
    };
    await als.run("caller", () => runtime.exec("go", options));
    expect(seen.length).toBeGreaterThanOrEqual(10);
    expect(new Set(seen)).toEqual(new Set(["caller"]));
  });

  test("two execs at once never mix", async () => {
    const seenOf = async (store: string) => {
      const seen: unknown[] = [];
      const runtime = createRuntime({ model: scripted([picks("a"), picks("a"), "done"]) });
      await als.run(store, () => runtime.exec("go", { tools: [reader("a", seen)] }));
      return seen;
    };
    const both = await Promise.all([seenOf("one"), seenOf("two")]);
    expect(both).toEqual([Array(4).fill("one"), Array(4).fill("two")]);
  });
});

describe("a tool that is given up", () => {
  /** Callers one after the other, whose tools share a timer: each listener belongs to its own caller. */
  async function givenUp(inListener: (name: string) => unknown, approve: (name: string) => RuntimeOptions["approve"]) {
    const seen: Record<string, unknown> = {};
    const one = async (name: string) => {
      const slow = tool({
        name: "slow",
        timeoutMs: 61,
        execute: (_args, ctx) =>
          new Promise(() => {
            ctx.signal.addEventListener("abort", () => {
              seen[name] = inListener(name);
            });
          }),
      });
      const rule = approve(name);
      const model = scripted([{ calls: [{ name: "slow" }] }, "done"]);
      await createRuntime({ model, ...(rule && { approve: rule }) }).exec("go", { tools: [slow] });
    };
    await Promise.all(["A", "B", "C"].map((name) => givenUpStore.run(name, () => one(name))));
    return seen;
  }
  const givenUpStore = new AsyncLocalStorage<string>();

  test("its listeners see the store of its caller, though the timer is shared", async () => {
    const seen = await givenUp(
      () => givenUpStore.getStore(),
      () => undefined,
    );
    expect(seen).toEqual({ A: "A", B: "B", C: "C" });
  });

  test("what its listeners begin is refused for its own call, never handed to another's run", async () => {
    const asked: string[] = [];
    const risky = tool({ name: "risky", requiresApproval: true, execute: () => "done" });
    const clean = createRuntime({ model: scripted([]), tools: [risky] });
    const seen = await givenUp(
      () =>
        clean.exec("clean up").then(
          () => "ran",
          (error: RondoError) => error.code,
        ),
      (name) => () => {
        asked.push(name);
        return true;
      },
    );
    expect(await Promise.all(Object.values(seen))).toEqual(["timeout", "timeout", "timeout"]);
    expect(asked).toEqual([]);
  });
});
