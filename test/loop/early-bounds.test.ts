import { describe, expect, test } from "vitest";
import { createRuntime, type Model, type Tool, tool } from "../../src/core.ts";
import { replyFromEvents } from "../../src/model/collect.ts";
import type { ModelEvent } from "../../src/model/model.ts";
import { called, done, gate, type Piece, played, reader, slow, text } from "./early.fixture.ts";
import { answers } from "./play.fixture.ts";

/** A reader that goes on until its signal fires, and says why it did. */
function waiting(name: string) {
  const began = gate();
  const stopped = gate<unknown>();
  const made = tool({
    name,
    readOnly: true,
    execute: (_, { signal }) => {
      began.resolve();
      return new Promise((resolve) =>
        signal.addEventListener("abort", () => {
          stopped.resolve(signal.reason);
          resolve("stopped");
        }),
      );
    },
  });
  return { tool: made, began: began.promise, stopped: stopped.promise };
}

/** A model whose first reply streams these events and ends with those; then it says "done". */
function ends(streamed: readonly Piece[], whole: readonly ModelEvent[], usage?: number): Model {
  let asked = 0;
  return {
    id: "m",
    async *stream() {
      if (asked++ > 0) {
        yield { type: "end", message: replyFromEvents("m", [text("done")], "stop") };
        return;
      }
      for (const piece of streamed) {
        if (piece instanceof Promise) await piece;
        else yield piece as ModelEvent;
      }
      const message = replyFromEvents("m", whole, "tool_calls");
      const spent = { ...message.usage, inputTokens: usage ?? 0, totalTokens: usage ?? 0 };
      yield { type: "end", message: { ...message, usage: spent } };
    },
  };
}

describe("an early start is given up", () => {
  test("whose call the reply does not hold in the end", async () => {
    const one = waiting("waits");
    const a = reader("a", []);
    const { result } = await played(ends([...called("1", "waits"), one.began], called("2", "a")), [one.tool, a.tool]);
    expect(String(await one.stopped)).toMatch(/does not count/);
    expect(answers(result.messages)).toEqual(["a done"]);
  });

  test("whose call stands elsewhere in the end: its path was another", async () => {
    const paths: string[] = [];
    const log: string[] = [];
    const execute = (_: unknown, { path }: { path: string }) => paths.push(path);
    const a = reader("a", log, { execute } as Partial<Tool>);
    const b = reader("b", log);
    await played(ends(called("1", "a"), [...called("2", "b"), ...called("1", "a")]), [a.tool, b.tool]);
    expect(paths).toEqual(["1/0", "1/1"]);
  });

  test("whose call a limit keeps from running", async () => {
    const one = waiting("waits");
    const streamed = [...called("1", "waits"), one.began];
    const model = ends(streamed, called("1", "waits"), 50);
    const { result } = await played(model, [one.tool], { limits: { totalTokens: 10 } });
    expect(String(await one.stopped)).toMatch(/does not count/);
    expect(answers(result.messages)).toEqual([expect.stringMatching(/^! Not run/)]);
  });
});

test("an aborted run ends an early start that counts by now", async () => {
  const one = waiting("waits");
  const control = new AbortController();
  const model = slow([...called("1", "waits"), one.began, done]);
  const run = createRuntime({ model }).run("go", {
    tools: [one.tool],
    toolExecution: "overlap",
    signal: control.signal,
  });
  for await (const { type } of run) if (type === "tool_start") control.abort("enough");
  expect(String(await one.stopped)).toContain("enough");
  expect(await run.result).toMatchObject({ outcome: "aborted" });
});

test("a call that failed twice is not begun", async () => {
  const log: string[] = [];
  const execute = () => {
    log.push("fails");
    throw new Error("no");
  };
  const fails = reader("fails", log, { execute });
  const replies = ["f1", "f2", "f3"].map((id): Piece[] => [...called(id, "fails"), text("!"), done]);
  const { result } = await played(slow(...replies), [fails.tool]);
  expect(result.outcome).toBe("stop");
  expect(log).toEqual(["fails", "fails"]);
});

test("where only the first call runs no other is begun", async () => {
  const log: string[] = [];
  const a = reader("a", log);
  const b = reader("b", log);
  const model = slow([...called("1", "a"), ...called("2", "b"), text("!"), done]);
  await played(model, [a.tool, b.tool], { parallelToolCalls: "strict" });
  expect(log).toEqual(["a"]);
});

test("what stood in the way of one attempt does not stand in that of the next", async () => {
  const log: string[] = [];
  const write = tool({ name: "write", execute: () => log.push("write") });
  const a = reader("a", log);
  const retry: ModelEvent = { type: "retry", attempt: 1, delayMs: 0, error: { kind: "transport", message: "reset" } };
  const model = slow([...called("1", "write"), retry, ...called("2", "a"), a.began, done]);
  await played(model, [write, a.tool]);
  expect(log).toEqual(["a"]);
});

test("of two calls under one id the second is not begun, and each runs once", async () => {
  const log: string[] = [];
  const a = reader("a", log, { execute: (args: unknown) => log.push(JSON.stringify(args)) } as Partial<Tool>);
  await played(slow([...called("1", "a", '{"x":1}'), ...called("1", "a", '{"x":2}'), text("!"), done]), [a.tool]);
  expect(log).toEqual(['{"x":1}', '{"x":2}']);
});
