import { afterEach, describe, expect, test, vi } from "vitest";
import { createRuntime, exec, type Model, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { picks, sleep } from "./play.fixture.ts";

afterEach(() => {
  vi.useRealTimers();
});

const quick = tool({ name: "quick", execute: () => "ok" });

/** Calls a tool in every round, without waiting for anything; gives up after three seconds. */
function busy(): Model {
  const giveUpAt = Date.now() + 3_000;
  return {
    id: "busy",
    stream: (request, signal) => scripted([Date.now() < giveUpAt ? picks("quick") : "gave up"]).stream(request, signal),
  };
}

const endless = { tools: [quick], maxIterations: Number.POSITIVE_INFINITY, stuck: false as const };

/** Takes all the time there is. */
function block(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

describe("runs that never wait for anything", () => {
  test("let timers fire: one that aborts the run", async () => {
    const run = createRuntime({ model: busy() }).run("go", endless);
    setTimeout(() => run.abort("enough"), 60);
    const { outcome, error } = await run.result;
    expect(outcome).toBe("aborted");
    expect(error?.message).toContain("enough");
  });

  test("many at once, and runs begun one after the other, hold nothing up either", async () => {
    const runtime = createRuntime({ model: busy() });
    const runs = Array.from({ length: 100 }, () => runtime.run("go", endless));
    setTimeout(() => {
      for (const run of runs) run.abort();
    }, 60);
    const outcomes = await Promise.all(runs.map(async ({ result }) => (await result).outcome));
    expect(new Set(outcomes)).toEqual(new Set(["aborted"]));

    let over = false;
    setTimeout(() => {
      over = true;
    }, 60);
    const giveUpAt = Date.now() + 3_000;
    while (!over && Date.now() < giveUpAt) await createRuntime({ model: scripted(["hi"]) }).exec("go", { tools: [] });
    expect(over).toBe(true);
  });

  test("behind a tool that blocked, what came meanwhile is heeded before the model is asked again", async () => {
    const blocking = tool({ name: "blocking", execute: () => block(100) });
    const model = scripted([picks("blocking"), "not asked for"]);
    const run = createRuntime({ model }).run("go", { tools: [blocking] });
    setTimeout(() => run.abort(), 20);
    expect((await run.result).outcome).toBe("aborted");
    expect(model.requests).toHaveLength(1);
  });

  test("nor is another tool run, also where the loop had turned before", async () => {
    const ran: string[] = [];
    const waits = tool({ name: "waits", execute: () => sleep(5) });
    const blocking = tool({
      name: "blocking",
      execute: () => {
        ran.push("blocking");
        block(100);
      },
    });
    const run = createRuntime({ model: scripted([picks("waits", "blocking", "blocking")]) }).run("go", {
      tools: [waits, blocking],
    });
    setTimeout(() => run.abort(), 30);
    expect((await run.result).outcome).toBe("aborted");
    expect(ran).toEqual(["blocking"]);
  });

  test("nested ones too, and their readers are told the same", async () => {
    const nest = tool({ name: "nest", execute: () => exec("inner", { ...endless, model: busy() }) });
    const run = createRuntime({ model: scripted([picks("nest"), "done"]) }).run("go", { tools: [nest] });
    setTimeout(() => run.abort(), 60);
    let ends = "";
    for await (const event of run) if (event.type === "agent_end") ends += `${event.path} ${event.outcome};`;
    expect(ends).toBe("1/0/0 aborted; aborted;");
  });
});

test("runs that have just begun do not wait: nothing is put between two requests", async () => {
  await sleep(1);
  vi.useFakeTimers({ toFake: ["Date"] });
  let turned = false;
  const script = [...Array.from({ length: 500 }, () => picks("quick")), "done"];
  const run = createRuntime({ model: scripted(script) }).run("go", endless);
  setImmediate(() => {
    turned = true;
  });
  expect(await run.result).toMatchObject({ outcome: "stop", rounds: 501 });
  expect(turned).toBe(false);
});
