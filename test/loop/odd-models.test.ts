import { describe, expect, test } from "vitest";
import { createRuntime, type Model, type ModelEvent } from "../../src/core.ts";
import { type ScriptEntry, scripted } from "../../src/testing/index.ts";
import { logged, play, read, tokens, warningsOf } from "./play.fixture.ts";

const ended = async (entry: ScriptEntry, log: string[] = []) =>
  (await play([entry], { tools: [logged("a", log)] })).result;

describe("a model that misbehaves", () => {
  const modelOf = (stream: Model["stream"]): Model => ({ id: "odd", stream });
  const runOf = (model: Model, signal?: AbortSignal) =>
    createRuntime({ model }).run("go", { tools: [], ...(signal === undefined ? {} : { signal }) });

  test("throwing from stream itself, or behind content: outcome error, content kept", async () => {
    const sync = runOf(
      modelOf(() => {
        throw new Error("no stream");
      }),
    );
    expect(await sync.result).toMatchObject({ outcome: "error", text: "" });
    expect(await ended({ text: "half", throwAfter: 1 })).toMatchObject({ outcome: "error", text: "half" });
  });

  test.each([[undefined], ["a string"], [null]])("throwing %s", async (thrown) => {
    const { result } = runOf(
      modelOf(() => {
        throw thrown;
      }),
    );
    expect((await result).outcome).toBe("error");
    expect((await result).error).toBeInstanceOf(Error);
  });

  test("ignoring the signal for ever does not hold the run", async () => {
    const controller = new AbortController();
    const never = modelOf(() => ({
      [Symbol.asyncIterator]: () => ({ next: () => new Promise<IteratorResult<ModelEvent>>(() => {}) }),
    }));
    const run = runOf(never, controller.signal);
    setImmediate(() => controller.abort());
    expect((await run.result).outcome).toBe("aborted");
  });

  test("going on behind its end: nothing of it counts", async () => {
    const message = {
      role: "assistant",
      content: [{ type: "text", text: "done" }],
      model: "odd",
      usage: tokens(0, 0),
      stopReason: "stop",
    } as const;
    const run = runOf(
      modelOf(async function* () {
        yield { type: "text", delta: "done" };
        yield { type: "end", message };
        yield { type: "text", delta: "more" };
        throw new Error("too late");
      }),
    );
    const events = await read(run);
    expect((await run.result).text).toBe("done");
    expect(events.filter((event) => event.type === "message_update")).toHaveLength(1);
  });

  test("its warnings and retries are events", async () => {
    const seen: number[] = [];
    const model = scripted([
      {
        deltas: [
          { type: "warning", code: "odd", message: "odd thing" },
          { type: "retry", attempt: 1, delayMs: 0, error: { kind: "overloaded", message: "busy" } },
          "hello",
        ],
      },
    ]);
    const run = createRuntime({ model }).run("go", { tools: [], onRetry: (info) => void seen.push(info.attempt) });
    const events = await read(run);
    expect(events).toContainEqual(expect.objectContaining({ type: "warning", code: "odd" }));
    expect(events).toContainEqual(expect.objectContaining({ type: "retry", attempt: 1 }));
    expect(seen).toEqual([1]);
    expect((await run.result).text).toBe("hello");
  });

  test("an onRetry that throws gives a warning and changes nothing", async () => {
    const { result, events } = await play(
      [
        {
          deltas: [{ type: "retry", attempt: 1, delayMs: 0, error: { kind: "overloaded", message: "busy" } }, "hello"],
        },
      ],
      {
        onRetry: () => {
          throw new Error("oops");
        },
      },
    );
    expect(result).toMatchObject({ outcome: "stop", text: "hello" });
    expect(warningsOf(events)).toHaveLength(1);
  });
});
