import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test, vi } from "vitest";
import { runInThread } from "./code-threads.ts";

test("a thread that cannot be made is an error in words, and its place is given back", () => {
  const calls = 2 * Math.max(4, availableParallelism()) + 1;
  // Without a permission for threads, none can be made. Calls that wait for a place get it when the one before fails.
  const program = `
    const { runInThread } = await import(process.argv[1]);
    const job = { code: "1", timeMs: 1000, memoryBytes: 2 ** 26, maxText: 1000, maxPrinted: 1000 };
    const { signal } = new AbortController();
    const once = () => runInThread(job, signal);
    const all = [await once(), ...(await Promise.all(Array.from({ length: ${calls} }, once))), await once()];
    console.log(JSON.stringify(all));`;
  const file = new URL("./code-threads.ts", import.meta.url).href;
  const args = ["--permission", "--allow-fs-read=*", "--no-warnings", "--input-type=module", "-e", program, file];
  const answers: unknown = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8", timeout: 10_000 }));
  const text = expect.stringMatching(/^The thread for the code could not be started: .*(permission|restricted)/i);
  expect(answers).toEqual(Array(calls + 2).fill({ printed: "", ok: false, text }));
});

test("a thread is kept for the next call for a while, and is ended when none comes", async () => {
  // The clock is ours before the thread is made: nothing here waits for it.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const posted = vi.spyOn(Worker.prototype, "postMessage");
  const ended = vi.spyOn(Worker.prototype, "terminate");
  onTestFinished(() => void vi.restoreAllMocks());
  const job = { code: "6 * 7", timeMs: 60_000, memoryBytes: 2 ** 26, maxText: 1_000, maxPrinted: 1_000 };
  const once = () => runInThread(job, new AbortController().signal);
  const answer = { printed: "", ok: true, text: "42" };
  expect(await once()).toEqual(answer);
  vi.advanceTimersByTime(9_000);
  expect(await once()).toEqual(answer);
  // Had the first pause not been forgotten, it would be over now.
  vi.advanceTimersByTime(9_000);
  expect(await once()).toEqual(answer);
  const [first, ...rest] = posted.mock.contexts;
  expect(rest).toEqual([first, first]);
  expect(ended).not.toHaveBeenCalled();

  vi.advanceTimersByTime(10_000);
  expect(ended.mock.contexts).toEqual([first]);
  expect(await ended.mock.results[0]?.value).toBe(1);
  expect(await once()).toEqual(answer);
  expect(posted.mock.contexts[3]).not.toBe(first);
  vi.advanceTimersByTime(10_000);
  expect(ended).toHaveBeenCalledTimes(2);
});
