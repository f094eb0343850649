import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { type ExecOptions, type RuntimeOptions, tool } from "../../src/core.ts";
import { answers, call, logged, picks, start, until, warningsOf } from "./play.fixture.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const never = (): Promise<never> => new Promise(() => {});

/** A run whose code has begun to wait when `asked` is true, two minutes later. */
async function waited(
  script: Parameters<typeof start>[0],
  options: ExecOptions,
  asked: () => boolean,
  defaults: RuntimeOptions = {},
) {
  const started = start(script, options, defaults);
  await until(asked);
  await vi.advanceTimersByTimeAsync(120_000);
  return started.ended();
}

describe("code that is asked about a call and never answers", () => {
  test("a rule of approval denies", async () => {
    const log: string[] = [];
    let asked = false;
    const rule = () => {
      asked = true;
      return never();
    };
    const tools = [logged("pay", log, { requiresApproval: rule }), logged("a", log)];
    const { result, events } = await waited([picks("pay", "a"), "done"], { tools }, () => asked, {
      approve: () => true,
      approvalTimeoutMs: 5,
    });
    expect(answers(result.messages)[0]).toMatch(/^! Denied: whether "pay" needs .* could not be found out/);
    expect(log).toEqual(["a"]);
    expect(JSON.stringify(warningsOf(events))).toContain("it gave no answer within 120 s");
  });

  test("the check of a schema makes the arguments invalid, those of a decision and of a result too", async () => {
    let asked = 0;
    const input = z.object({ n: z.number() }).refine(() => {
      asked++;
      return never();
    });
    const one = tool({ name: "one", input, execute: () => "ran" });
    const { result } = await waited([picks(call("one", { n: 1 })), "done"], { tools: [one] }, () => asked === 1);
    expect(answers(result.messages)).toEqual([expect.stringMatching(/^! .*no answer within 120 s/s)]);
    const wanted = await waited(
      [JSON.stringify({ n: 1 }), "no", "no", "no", "no"],
      { output: input, tools: [] } as ExecOptions,
      () => asked === 2,
    );
    expect(wanted).toMatchObject({ result: { outcome: "undecided" } });
  });

  test("onAlways: what was agreed to runs, with a warning", async () => {
    const log: string[] = [];
    let asked = false;
    const onAlways = () => {
      asked = true;
      return never();
    };
    const { result, events } = await waited(
      [picks("pay"), "done"],
      { tools: [logged("pay", log, { requiresApproval: true })] },
      () => asked,
      { approve: () => ({ approved: true, scope: "always" }), approvals: { onAlways } },
    );
    expect(result.outcome).toBe("stop");
    expect(log).toEqual(["pay"]);
    expect(JSON.stringify(warningsOf(events))).toContain("it gave no answer within 120 s");
  });
});
