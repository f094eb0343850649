import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { tool } from "../../src/core.ts";
import { answers, call, logged, microtasks, never, picks, start, warningsOf } from "./play.fixture.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** Lets the event loop turn, as a run wants on a busy machine. */
async function turns(): Promise<void> {
  for (let i = 0; i < 20; i++) {
    await microtasks(20);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Lets the clock go on by so many seconds; whether the run has ended. */
async function isOverIn(seconds: number, run: ReturnType<typeof start>["run"]): Promise<boolean> {
  let over = false;
  void run.result.then(() => {
    over = true;
  });
  await turns();
  await vi.advanceTimersByTimeAsync(seconds * 1_000);
  await turns();
  return over;
}

test("a rule of approval that never settles denies after 120 s", async () => {
  const log: string[] = [];
  const tools = [logged("w", log, { requiresApproval: never }), logged("r", log)];
  const { run } = start([picks("w", "r"), "done"], { tools });
  expect(await isOverIn(119, run)).toBe(false);
  expect(await isOverIn(2, run)).toBe(true);
  expect(answers((await run.result).messages)).toEqual([
    expect.stringMatching(/^! Denied: the checks of "w" .*did not end in 120 s/),
    expect.anything(),
  ]);
  expect(log).toEqual(["r"]);
});

test("so does a schema whose check never settles, and a tool with more time has it here too", async () => {
  const input = z.object({ n: z.number().refine(() => never()) });
  const slow = tool({ name: "s", input, timeoutMs: 300_000, execute: () => "ran" });
  const { run } = start([picks(call("s", { n: 1 })), "done"], { tools: [slow] });
  expect(await isOverIn(299, run)).toBe(false);
  expect(await isOverIn(2, run)).toBe(true);
  expect(answers((await run.result).messages)).toEqual([expect.stringMatching(/^! Denied: .*did not end in 300 s/)]);
});

test("an onAlways that never settles holds no call for longer than 30 s, and that is told", async () => {
  const log: string[] = [];
  const { run, events } = start(
    [picks("w"), "done"],
    { tools: [logged("w", log, { requiresApproval: true })] },
    { approve: () => ({ approved: true, scope: "always" }), approvals: { onAlways: never } },
  );
  expect(await isOverIn(29, run)).toBe(false);
  expect(await isOverIn(2, run)).toBe(true);
  expect(log).toEqual(["w"]);
  expect(warningsOf(events).map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/was not kept in 30 s/),
  );
});
