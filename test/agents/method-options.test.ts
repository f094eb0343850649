import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { createRuntime, exec, type MethodOptions, memory, method, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, call, microtasks, picks, play, sleep } from "../loop/play.fixture.ts";
import { namesOf } from "./agents.fixture.ts";

const one = (options: MethodOptions, body: () => unknown = () => "done it") => method({ name: "m", ...options }, body);

describe("the wrapper options of a method", () => {
  test("readOnly: neighbours overlap", async () => {
    let going = 0;
    let most = 0;
    const body = async () => {
      most = Math.max(most, ++going);
      await sleep(2);
      going--;
    };
    const options = { toolExecution: "overlap" } as const;
    await play([picks("m", "m", "m"), "done"], { ...options, tools: [one({ readOnly: true }, body)] });
    expect(most).toBe(3);
    most = 0;
    await play([picks("m", "m", "m"), "done"], { ...options, tools: [one({}, body)] });
    expect(most).toBe(1);
  });

  test("repeatable: the stuck guard leaves it alone", async () => {
    const failing = () => {
      throw new Error("not yet");
    };
    const script = [picks("m"), picks("m"), picks("m"), "done"];
    const guarded = await play(script, { tools: [one({}, failing)] });
    expect(answers(guarded.result.messages)[2]).not.toBe("! not yet");
    const free = await play(script, { tools: [one({ repeatable: true }, failing)] });
    expect(answers(free.result.messages)).toEqual(Array(3).fill("! not yet"));
  });

  test("requiresApproval: a hook is asked, with the arguments; as code nobody is", async () => {
    const asked: unknown[] = [];
    const m = method(
      { name: "m", input: z.object({ n: z.number() }), requiresApproval: ({ n }) => n > 1 },
      ({ n }) => n,
    );
    const approve = ({ arguments: args }: { arguments: unknown }) => {
      asked.push(args);
      return false;
    };
    const { result } = await play(
      [picks(call("m", { n: 1 }), call("m", { n: 2 })), "done"],
      { tools: [m] },
      { approve },
    );
    expect(answers(result.messages)).toEqual(["1", expect.stringMatching(/^! /)]);
    expect(asked).toEqual([{ n: 2 }]);
    expect(await m({ n: 2 })).toBe(2);
  });

  test("timeoutMs: given up after that; as code it is not", async () => {
    const slow = () => sleep(30);
    const { result } = await play([picks("m"), "done"], { tools: [one({ timeoutMs: 5 }, slow)] });
    expect(answers(result.messages)).toEqual([expect.stringMatching(/^! Tool "m" timed out after 0.005 s/)]);
    expect(await one({ timeoutMs: 5 }, slow)()).toBeUndefined();
  });

  test("timeoutMs: none by default, where a tool has two minutes", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    try {
      const hour = () => new Promise((resolve) => setTimeout(resolve, 3_600_000));
      const plain = tool({ name: "t", execute: hour });
      const model = scripted([picks("m", "t"), "done"]);
      const run = createRuntime({ model }).run("go", { tools: [one({}, hour), plain] });
      let settled = false;
      void run.result.then(() => {
        settled = true;
      });
      while (!settled) {
        await vi.advanceTimersByTimeAsync(60_000);
        await microtasks(50);
      }
      expect(answers((await run.result).messages)).toEqual([
        "(no value)",
        expect.stringMatching(/^! Tool "t" timed out after 120 s/),
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("timeoutMs reaches the runs inside", async () => {
    const inner = scripted([{ hang: true }]);
    const m = one({ timeoutMs: 10 }, () => exec("inner", { model: inner, tools: [] }));
    const { result, events } = await play([picks("m"), { text: "done", delayMs: 20 }], { tools: [m] });
    expect(answers(result.messages)).toEqual([expect.stringMatching(/^! Tool "m" timed out/)]);
    expect(events.find((event) => event.type === "agent_end" && event.path !== "")).toMatchObject({
      outcome: "timeout",
    });
  });

  test("maxResultChars: a longer value is cut", async () => {
    const { result } = await play([picks("m"), "done"], {
      tools: [one({ maxResultChars: 100 }, () => "x".repeat(1000))],
    });
    expect(answers(result.messages)[0]?.length).toBeLessThan(250);
    expect(await one({ maxResultChars: 100 }, () => "x".repeat(1000))()).toHaveLength(1000);
  });

  test("unsafeIn: not offered there", async () => {
    const options = { tools: [one({ unsafeIn: ["web"] })] };
    expect(namesOf((await play(["done"], options)).model.requests[0])).toEqual(["m"]);
    expect(namesOf((await play(["done"], { ...options, toolsSource: "web" })).model.requests[0])).toEqual([]);
  });

  test("untrusted is on its entry, for whoever marks results", () => {
    expect(one({ untrusted: true })).toHaveProperty("untrusted", true);
    expect(one({})).not.toHaveProperty("untrusted");
  });

  test("idempotent: the host is told that it may be done again", async () => {
    const seen: unknown[] = [];
    const host = memory();
    const spying = {
      open(id: string) {
        const open = host.open(id);
        const { step } = open.host;
        open.host.step = (key, options, effect) => {
          if (key.endsWith("/0")) seen.push(options);
          return step.call(open.host, key, options, effect) as ReturnType<typeof step<never>>;
        };
        return open;
      },
    };
    await play([picks("m"), "done"], { tools: [one({ idempotent: true })] }, { host: spying });
    expect(seen).toEqual([{ onLost: "rerun" }]);
  });
});
