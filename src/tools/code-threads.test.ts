import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { expect, test } from "vitest";

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
