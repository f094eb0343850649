import { describe, expect, test } from "vitest";
import { type AgentEvent, createRuntime, exec, method, type RunResult, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { failure, never, picks, read, sleep, until } from "../loop/play.fixture.ts";
import { expectNothingUnhandled } from "../loop/unhandled.fixture.ts";
import { routed } from "./agents.fixture.ts";

expectNothingUnhandled();

describe("aborting a method's run", () => {
  test("ends the run inside, and the outcome is aborted with the reason", async () => {
    const model = scripted([{ hang: true }]);
    const m = method({ name: "m" }, () => exec("go", { model, tools: [] }));
    const handle = m.run();
    await until(() => model.requests.length === 1);
    handle.abort("enough");
    expect(await handle.result).toMatchObject({
      outcome: "aborted",
      error: { code: "aborted", message: expect.stringMatching(/enough/) },
    });
  });

  test.each(["before it began", "while it goes on"])(
    "whose body ignores it: settles all the same, %s",
    async (when) => {
      let began = 0;
      const m = method({ name: "m" }, () => {
        began++;
        return never();
      });
      const handle = m.run();
      if (when === "while it goes on") await until(() => began === 1);
      handle.abort("enough");
      const events = await read(handle);
      expect(await handle.result).toMatchObject({ outcome: "aborted", error: { code: "aborted", message: "enough" } });
      expect(began).toBe(when === "while it goes on" ? 1 : 0);
      expect(events.at(-1)).toMatchObject({ type: "agent_end", outcome: "aborted" });
    },
  );

  test("fires the signal of its context, also for methods that it calls", async () => {
    const seen: string[] = [];
    const inner = method({ name: "inner" }, async (_args, ctx) => {
      await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
      seen.push(`inner ${String(ctx.signal.reason.message)}`);
    });
    const m = method({ name: "m" }, async (_args, ctx) => {
      ctx.signal.addEventListener("abort", () => seen.push("outer"));
      await inner();
    });
    const handle = m.run();
    await sleep(1);
    handle.abort("enough");
    await handle.result;
    await sleep(1);
    expect(seen.toSorted()).toEqual(["inner enough", "outer"]);
  });

  test("by the signal of its options; one that has fired already keeps the body from starting", async () => {
    const control = new AbortController();
    let began = 0;
    const m = method({ name: "m" }, () => {
      began++;
      return never();
    });
    const handle = m.run({}, { signal: control.signal });
    await until(() => began === 1);
    control.abort(new Error("from outside"));
    expect(await handle.result).toMatchObject({ outcome: "aborted", error: { message: "from outside" } });
    expect(await m.run({}, { signal: control.signal }).result).toMatchObject({ outcome: "aborted" });
    expect(began).toBe(1);
  });

  test("after the end changes nothing, and an exec that an ignoring body begins later is refused", async () => {
    const gate = Promise.withResolvers<void>();
    const late = Promise.withResolvers<unknown>();
    const model = scripted([]);
    const m = method({ name: "m" }, async () => {
      await gate.promise;
      late.resolve(await failure(exec("go", { model, tools: [] })));
    });
    const handle = m.run();
    await sleep(1);
    handle.abort();
    const result = await handle.result;
    handle.abort("again");
    expect(await handle.result).toBe(result);
    gate.resolve();
    expect(await late.promise).toMatchObject({ code: "aborted" });
    expect(model.requests).toHaveLength(0);
  });

  test("a body that throws later is heard no more", async () => {
    const gate = Promise.withResolvers<void>();
    const m = method({ name: "m" }, async () => {
      await gate.promise;
      throw new Error("late");
    });
    const handle = m.run();
    await sleep(1);
    handle.abort("enough");
    expect(await handle.result).toMatchObject({ outcome: "aborted", error: { message: "enough" } });
    gate.resolve();
    await sleep(1);
  });

  test("a body that returns a value at once when aborted has come to that value", async () => {
    const m = method({ name: "m" }, async (_args, ctx) => {
      await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve, { once: true }));
      return "partial";
    });
    const handle = m.run();
    await sleep(1);
    handle.abort();
    expect(await handle.result).toMatchObject({ outcome: "stop", value: "partial" });
  });
});

describe("a method's run inside a run", () => {
  const within = (body: () => Promise<unknown>, options: object = {}) => {
    const { model } = routed({ go: [picks("t"), "done"], inner: ["inner text"] });
    const t = tool({ name: "t", execute: body });
    return createRuntime({ model }).run("go", { tools: [t], ...options });
  };

  test("is aborted with it, though the call is over", async () => {
    const { model } = routed({ go: [picks("t"), { hang: true }] });
    const results: Promise<RunResult>[] = [];
    const hung = method({ name: "hung" }, () => never());
    const t = tool({
      name: "t",
      execute: () => {
        results.push(hung.run().result);
        return "left";
      },
    });
    const outer = createRuntime({ model }).run("go", { tools: [t] });
    for await (const event of outer) if (event.type === "tool_end") break;
    outer.abort("all of it");
    expect((await outer.result).outcome).toBe("aborted");
    expect(await results[0]).toMatchObject({ outcome: "aborted" });
  });

  test("is out of time with it", async () => {
    const hung = method({ name: "hung" }, () => never());
    const inner = Promise.withResolvers<RunResult>();
    const outer = within(
      async () => {
        inner.resolve(await hung.run().result);
      },
      { timeoutMs: 40 },
    );
    expect((await outer.result).outcome).toBe("timeout");
    expect(await inner.promise).toMatchObject({ outcome: "timeout", error: { code: "timeout" } });
  });

  test("begun behind the end of the run around is a root of its own", async () => {
    const gate = Promise.withResolvers<void>();
    const inner = Promise.withResolvers<readonly [AgentEvent[], RunResult]>();
    const m = method({ name: "m" }, () => exec("inner", { tools: [] }));
    const { model } = routed({ go: [picks("t"), "done"], inner: ["inner text"] });
    const t = tool({
      name: "t",
      execute: () => {
        void gate.promise.then(async () => {
          const handle = m.run();
          const events = await read(handle);
          inner.resolve([events, await handle.result]);
        });
        return "left";
      },
    });
    await createRuntime({ model }).exec("go", { tools: [t] });
    gate.resolve();
    const [events, result] = await inner.promise;
    expect(result).toMatchObject({ outcome: "stop", value: "inner text" });
    expect(events[0]).toMatchObject({ type: "agent_start", path: "" });
    expect(events.some((event) => event.type === "warning" && event.code === "outer_run_ended")).toBe(true);
  });

  test("begun behind an abort of the run around does not run its body", async () => {
    const gate = Promise.withResolvers<void>();
    const inner = Promise.withResolvers<RunResult>();
    let began = 0;
    const m = method({ name: "m" }, () => void began++);
    const { model } = routed({ go: [picks("t")] });
    const t = tool({
      name: "t",
      execute: async () => {
        await gate.promise;
        inner.resolve(await m.run().result);
      },
    });
    const outer = createRuntime({ model }).run("go", { tools: [t] });
    for await (const event of outer) if (event.type === "tool_start") outer.abort();
    gate.resolve();
    expect(await inner.promise).toMatchObject({ outcome: "aborted" });
    expect(began).toBe(0);
  });
});
