import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createRuntime,
  type ExecOptions,
  type Receipt,
  type Run,
  type RunResult,
  tool,
  type When,
} from "../../src/core.ts";
import { type ScriptEntry, scripted } from "../../src/testing/index.ts";
import { call, during, logged, microtasks, picks, start, usersOf } from "./play.fixture.ts";

describe("receipts", () => {
  test("live: queued, then delivered with the round that read it", async () => {
    const seen: unknown[] = [];
    const { run, ended } = start([picks("a"), "done"], {
      tools: [
        during("a", [], () => {
          const receipt = run.send("hello");
          seen.push(receipt);
          expect(receipt.status).toBe("queued");
          expect(receipt.round).toBeUndefined();
        }),
      ],
    });
    await ended();
    expect(seen).toMatchObject([{ status: "delivered", round: 2 }]);
  });

  test("the round of one that the closing request reads is absent: that is no round", async () => {
    const seen: Receipt[] = [];
    const { run, ended, model } = start([picks("a"), "closing"], {
      tools: [during("a", [], () => void seen.push(run.send("hello", { when: "after_round" })))],
      maxIterations: 1,
    });
    const { result } = await ended();
    expect(result).toMatchObject({ outcome: "max_iterations", rounds: 1 });
    expect(usersOf(model.requests[1]?.messages)).toContain("hello");
    expect(seen[0]?.status).toBe("delivered");
    expect(seen[0]?.round).toBeUndefined();
  });

  test("nor has one a round that is put in history and that no round reads", async () => {
    const seen: Receipt[] = [];
    const { run, ended } = start([picks("a"), picks("a")], {
      tools: [during("a", [], () => void seen.push(run.send(`hello ${seen.length}`, { when: "after_round" })))],
      stuck: { endAfter: 2 },
    });
    const { result } = await ended();
    expect(result).toMatchObject({ outcome: "stuck", rounds: 2 });
    expect(seen.map(({ status, round }) => [status, round])).toEqual([
      ["delivered", 2],
      ["delivered", undefined],
    ]);
  });

  test("settled resolves to the final status", async () => {
    const { run, ended } = start(["done"]);
    const receipt = run.send("hello");
    expect(await receipt.settled).toBe("delivered");
    await ended();
    const late = run.send("late");
    expect(await late.settled).toBe("undelivered");
  });

  test("a run that fails settles what waits as undelivered and gives it back", async () => {
    const { run, ended } = start([
      () => {
        run.send("1");
        run.send("2", { when: "at_end" });
        return { error: { kind: "auth", message: "no" } };
      },
    ]);
    const { result } = await ended();
    expect(result.outcome).toBe("error");
    expect(usersOf(result.undelivered)).toEqual(["1", "2"]);
  });

  test("what was taken but not read by a request is undelivered, and not in the history", async () => {
    const controller = new AbortController();
    const receipts: { status: string }[] = [];
    const { run, ended } = start([picks("a", "b")], {
      signal: controller.signal,
      tools: [
        during("a", [], () => {
          receipts.push(run.send("never read"));
          controller.abort();
        }),
        logged("b", []),
      ],
    });
    const { result } = await ended();
    expect(result).toMatchObject({ outcome: "aborted", undelivered: [{ content: "never read" }] });
    expect(usersOf(result.messages)).toEqual(["go"]);
    expect(receipts).toMatchObject([{ status: "undelivered" }]);
  });
});

describe("messages after the end", () => {
  test("STEER-07 are undelivered at once and not in the result", async () => {
    const { run, ended } = start(["done"]);
    const { result } = await ended();
    const receipt = run.send("anybody?");
    expect(receipt.status).toBe("undelivered");
    expect(result.undelivered).toEqual([]);
  });

  test("from a listener that sees agent_end: undelivered at once", async () => {
    const { run } = start(["done"]);
    const statuses: string[] = [];
    for await (const event of run) if (event.type === "agent_end") statuses.push(run.send("late").status);
    expect(statuses).toEqual(["undelivered"]);
  });

  test("STEER-07 while a nested run goes on: it waits and is read by the outer run", async () => {
    const nest = tool({
      name: "nest",
      execute: async (_args, ctx) => {
        outer.run.send("for the outer");
        return await ctx.runtime.exec("inner", { tools: [] });
      },
    });
    const outer = start([picks("nest"), "inner answer", "done"], { tools: [nest] });
    await outer.ended();
    expect(usersOf(outer.model.requests[1]?.messages)).toEqual(["inner"]);
    expect(usersOf(outer.model.requests[2]?.messages)).toEqual(["go", "for the outer"]);
  });
});

/** A message is in the history or given back, exactly once, and its receipt agrees; or it was never accepted. */
function accounted(result: RunResult, text: string, status: string): void {
  const read = usersOf(result.messages).filter((one) => one === text).length;
  const back = usersOf(result.undelivered).filter((one) => one === text).length;
  if (status === "delivered") expect([read, back]).toEqual([1, 0]);
  else expect([status, read, back <= 1]).toEqual(["undelivered", 0, true]);
}

describe("STEER-03 at any instant a message is read, given back, or refused at once", () => {
  const whens = fc.constantFrom<When>("now", "after_round", "at_end");

  test("fuzz over microtask offsets from the start", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 120 }), whens, fc.boolean(), async (offset, when, calls) => {
        const script: ScriptEntry[] = calls ? [picks("a"), "first", "second"] : ["first", "second"];
        const model = scripted(script);
        const run = createRuntime({ model }).run("go", { tools: [logged("a", [])] });
        await microtasks(offset);
        const receipt = run.send("ping", { when });
        const atOnce = receipt.status;
        const result = await run.result;
        accounted(result, "ping", await receipt.settled);
        if (atOnce === "undelivered") expect(result.undelivered).toEqual([]);
        else expect(receipt.status).toBe("delivered");
        expect(result.outcome).toBe("stop");
      }),
      { numRuns: 400 },
    );
  });

  test("fuzz over microtask offsets from the last text delta", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 80 }), whens, async (offset, when) => {
        const run = createRuntime({ model: scripted(["first", "second"]) }).run("go", { tools: [] });
        for await (const _ of run.text) break;
        await microtasks(offset);
        const receipt = run.send("ping", { when });
        const atOnce = receipt.status;
        const result = await run.result;
        accounted(result, "ping", await receipt.settled);
        if (atOnce === "queued") expect(result.text).toBe("second");
      }),
      { numRuns: 300 },
    );
  });

  test.each(["message_end", "round_end"] as const)("inside a listener of the last %s", async (type) => {
    const run: Run = createRuntime({ model: scripted(["first", "second"]) }).run("go", { tools: [] });
    let sent: { status: string } | undefined;
    for await (const event of run) {
      if (event.type === type && sent === undefined && (type === "round_end" || event.message.role === "assistant")) {
        sent = run.send("ping");
      }
    }
    accounted(await run.result, "ping", sent?.status ?? "never sent");
  });
});

test("a message that comes while a run is aborted is accounted for", async () => {
  for (let offset = 0; offset < 40; offset++) {
    const controller = new AbortController();
    const options: ExecOptions = { tools: [logged("a", [])], signal: controller.signal };
    const run = createRuntime({ model: scripted([picks(call("a")), "one", "two"]) }).run("go", options);
    await microtasks(offset);
    const receipt = run.send("ping");
    controller.abort();
    const result = await run.result;
    accounted(result, "ping", await receipt.settled);
  }
});
