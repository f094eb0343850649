import { describe, expect, test } from "vitest";
import { createRuntime, isRunError, method, RondoError, type Run, tool } from "../../src/core.ts";
import type { Host, HostFactory } from "../../src/host/host.ts";
import { memory } from "../../src/host/memory.ts";
import { scripted } from "../../src/testing/index.ts";
import { failure, never, picks, read, usersOf } from "../loop/play.fixture.ts";

const runOf = (script: Parameters<typeof scripted>[0], pick: ReturnType<typeof method>) =>
  createRuntime({ model: scripted(script) }).run("go", { tools: [], choices: { pick } });

const slow = method(
  { name: "slow" },
  (_args, ctx) =>
    new Promise<never>((_, reject) => {
      ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason));
    }),
);

/** Does something with the run as soon as the picked function runs; the result. */
async function onceStarted(run: Run<unknown>, act: () => void) {
  for await (const event of run) if (event.type === "tool_start") act();
  return await run.result;
}

describe("a picked function that takes too long", () => {
  test("makes exec reject with the whole result", async () => {
    const exec = createRuntime({ model: scripted(['{"call":"late"}']) }).exec("go", {
      tools: [],
      choices: { late: tool({ name: "late", timeoutMs: 5, execute: never }) },
    });
    const error = await failure(exec);
    expect(isRunError(error)).toBe(true);
    expect(error).toMatchObject({
      code: "error",
      message: expect.stringMatching(/"late" timed out/),
      result: { outcome: "error", text: '{"call":"late"}', error: { message: expect.stringMatching(/timed out/) } },
    });
  });

  test("what it throws itself stays that very object, also an error of ours", async () => {
    const own = new RondoError("error", "mine");
    const throws = method({ name: "throws" }, () => {
      throw own;
    });
    const exec = createRuntime({ model: scripted(['{"call":"throws"}']) }).exec("go", {
      tools: [],
      choices: { throws },
    });
    expect(await failure(exec)).toBe(own);
  });
});

describe("an abort while a picked function runs", () => {
  const why = "The run was aborted: the user has gone";

  test("tells its reason", async () => {
    const run = runOf(['{"call":"pick"}'], slow);
    const result = await onceStarted(run, () => run.abort("the user has gone"));
    expect(result).toMatchObject({ outcome: "aborted", error: { code: "aborted", message: why } });
  });

  test("that comes by a signal, too, and exec says it", async () => {
    const control = new AbortController();
    const aborts = method({ name: "aborts" }, () => {
      control.abort(new Error("the user has gone"));
      return never();
    });
    const exec = createRuntime({ model: scripted(['{"call":"aborts"}']) }).exec("go", {
      tools: [],
      choices: { aborts },
      signal: control.signal,
    });
    expect(await failure(exec)).toMatchObject({ code: "aborted", message: why });
  });

  test("makes up none", async () => {
    const run = runOf(['{"call":"pick"}'], slow);
    const result = await onceStarted(run, () => run.abort());
    expect(result.outcome).toBe("aborted");
    expect(result).not.toHaveProperty("error");
  });

  test("a deadline is a timeout, also that of a call around", async () => {
    const run = createRuntime({ model: scripted(['{"call":"slow"}']) }).run("go", {
      tools: [],
      choices: { slow },
      timeoutMs: 20,
    });
    expect((await run.result).outcome).toBe("timeout");

    const outcomes: unknown[] = [];
    const around = tool({
      name: "around",
      timeoutMs: 20,
      execute: async (_args, ctx) => {
        const inner = ctx.runtime.run("in", { tools: [], model: scripted(['{"call":"slow"}']), choices: { slow } });
        void inner.result.then(({ outcome, error }) => outcomes.push(outcome, error?.message));
        return await inner.result.then(never);
      },
    });
    await createRuntime({ model: scripted([picks("around"), "done"]) }).exec("go", { tools: [around] });
    expect(outcomes).toEqual(["timeout", expect.stringMatching(/"around" timed out/)]);
  });
});

describe("a message while the pick of a closing reply is approved", () => {
  const look = tool({ name: "look", execute: () => "seen" });
  const pay = method({ name: "pay", requiresApproval: true }, () => "PAID");

  test.each(["close", "stop"] as const)("is undelivered, and the asking goes on (atLimit %s)", async (atLimit) => {
    let asked = 0;
    let answer = (_approved: boolean): void => undefined;
    const approve = () => {
      asked++;
      return new Promise<boolean>((resolve) => {
        answer = resolve;
      });
    };
    const script = atLimit === "close" ? [picks("look"), '{"call":"pay"}'] : ['{"call":"pay"}'];
    const run = createRuntime({ model: scripted(script), approve }).run("go", {
      tools: [look],
      choices: { pay },
      maxIterations: 1,
      atLimit,
    });
    for await (const event of run) {
      if (event.type !== "approval_request") continue;
      if (asked > 1) {
        answer(true);
        continue;
      }
      const receipt = run.send("hurry");
      setTimeout(() => {
        expect(receipt.status).toBe("queued");
        answer(true);
      }, 10);
    }
    const result = await run.result;
    expect(result).toMatchObject({ value: "PAID", outcome: atLimit === "close" ? "max_iterations" : "stop" });
    expect(usersOf(result.undelivered)).toEqual(["hurry"]);
    expect(asked).toBe(1);
  });

  test("nor is a call beside the pick what is asked about", async () => {
    const asked: string[] = [];
    const write = tool({ name: "write", requiresApproval: true, execute: () => "WRITTEN" });
    const both = { text: '{"call":"pay"}', calls: [{ name: "write" }] };
    const model = scripted([picks("look"), both]);
    const runtime = createRuntime({ model, approve: ({ call }) => asked.push(call.name) > 0 });
    const options = { tools: [look, write], choices: { pay }, maxIterations: 1 };
    expect(await runtime.run("go", options).result).toMatchObject({ outcome: "max_iterations", value: "PAID" });
    expect(asked).toEqual(["pay"]);
  });

  test("an abort still ends it", async () => {
    const run = createRuntime({ model: scripted([picks("look"), '{"call":"pay"}']), approve: never }).run("go", {
      tools: [look],
      choices: { pay },
      maxIterations: 1,
    });
    for await (const event of run) if (event.type === "approval_request") run.abort("no");
    expect(await run.result).toMatchObject({ outcome: "aborted", error: { message: "The run was aborted: no" } });
  });
});

describe("readers of a run that runs the function it picked", () => {
  const flood = 3_000;

  /** Calls that are open at the end of what a reader was told, by the rule that a gap tells everything open anew. */
  function dangling(events: Awaited<ReturnType<typeof read>>): string[] {
    const open = new Set<string>();
    const wrong: string[] = [];
    for (const event of events) {
      if (event.gap) open.clear();
      if (event.type === "tool_start") open.add(event.call.id);
      if (event.type === "tool_end" && !open.delete(event.call.id)) wrong.push(`end of ${event.call.id}`);
    }
    return [...wrong, ...open];
  }

  const counted = (events: Awaited<ReturnType<typeof read>>) =>
    events.flatMap((event) => (event.type === "tool_start" || event.type === "tool_end" ? [event.type] : []));

  test("that come while it runs get its start and its end", async () => {
    let go = (_value: string): void => undefined;
    const waits = method(
      { name: "waits" },
      () =>
        new Promise<string>((resolve) => {
          go = resolve;
        }),
    );
    const run = runOf(['{"call":"pick"}'], waits);
    let late: ReturnType<typeof read> | undefined;
    for await (const event of run) {
      if (event.type !== "tool_start") continue;
      late = read(run);
      setTimeout(() => go("done"), 5);
    }
    const events = (await late) ?? [];
    expect(dangling(events)).toEqual([]);
    expect(counted(events)).toEqual(["tool_start", "tool_end"]);
  });

  test("are told its end also where the host fails meanwhile", async () => {
    const host: HostFactory = {
      open: (id) => {
        const open = memory().open(id);
        const step: Host["step"] = async (key, options, effect) => {
          if (key.endsWith("/decision")) throw new Error("disk full");
          return await open.host.step(key, options, effect);
        };
        const { inbox, signal } = open.host;
        return {
          host: {
            step,
            inbox,
            signal,
            settle: (...how) => open.host.settle(...how),
            sleep: (ms) => open.host.sleep(ms),
          },
          send: (message) => open.send(message),
          cancel: (...why) => open.cancel(...why),
          interrupt: (why) => open.interrupt(why),
        };
      },
    };
    const pick = method({ name: "pick" }, () => "done");
    const run = createRuntime({ model: scripted(['{"call":"pick"}']), host }).run("go", {
      tools: [],
      choices: { pick },
    });
    const events = await read(run);
    expect((await run.result).error).toMatchObject({ code: "host" });
    expect(dangling(events)).toEqual([]);
    expect(counted(events)).toEqual(["tool_start", "tool_end"]);
  });

  test("that come behind it get both or neither, and so do those that lag anywhere", async () => {
    for (let stop = 0; stop < 12; stop++) {
      const chatty = method({ name: "chatty" }, async (_args, ctx) => {
        for (let n = 0; n < flood; n++) ctx.update(n);
        await new Promise((resolve) => setImmediate(resolve));
        for (let n = 0; n < flood; n++) ctx.update(n);
        return "done";
      });
      const run = runOf(['{"call":"pick"}'], chatty);
      const reader = run[Symbol.asyncIterator]();
      const events: Awaited<ReturnType<typeof read>> = [];
      for (let i = 0; i < stop; i++) {
        const next = await reader.next();
        if (!next.done) events.push(next.value);
      }
      await run.result;
      events.push(...(await read({ [Symbol.asyncIterator]: () => reader })));
      expect(dangling(events)).toEqual([]);
      expect(counted(events).filter((type) => type === "tool_end")).toHaveLength(1);
      expect(dangling(await read(run))).toEqual([]);
    }
  });
});
