import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import {
  createRuntime,
  type ExecOptions,
  type Model,
  type ModelEvent,
  type RuntimeOptions,
  tool,
} from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";

const note = tool({ name: "note", execute: () => "noted" });
const calls = { calls: [{ name: "note" }, { name: "note" }] };

describe("defaults of the runtime", () => {
  test("an option given as undefined is not given: limits and model stay", async () => {
    const model = scripted([calls, "closing"]);
    const runtime = createRuntime({ model, limits: { toolCalls: 1 } });
    const options = { tools: [note], limits: undefined, model: undefined } as unknown as ExecOptions;
    const { outcome } = await runtime.run("go", options).result;
    expect(outcome).toBe("max_tool_calls");
    model.check();
  });

  test.each([null, "none", {}])("tools: %j is a caller mistake, never the full menu", async (tools) => {
    const runtime = createRuntime({ model: scripted([]), tools: [note] });
    const options = { tools } as unknown as ExecOptions;
    await expect(runtime.exec("go", options)).rejects.toMatchObject({ code: "invalid_tool" });
  });

  test("a runtime refuses what only a run can have", () => {
    const options = { toolset: "none" } as unknown as RuntimeOptions;
    expect(() => createRuntime(options)).toThrow(expect.objectContaining({ code: "invalid_option" }));
  });
});

describe("models that do not keep to the port", () => {
  const ending = (end: unknown): Model => ({
    id: "odd",
    async *stream() {
      yield end as ModelEvent;
    },
  });

  test.each([{ type: "end" }, { type: "end", message: { role: "assistant", stopReason: "stop" } }])(
    "%j is a failure of the model",
    async (end) => {
      const result = await createRuntime({ model: ending(end) }).run("go", { tools: [] }).result;
      expect(result).toMatchObject({ outcome: "error", error: { code: "error" } });
    },
  );

  test("an onRetry that rejects gives a warning and nothing else", async () => {
    const error = { kind: "overloaded", message: "busy" } as const;
    const model = scripted([
      {
        deltas: [
          { type: "retry", attempt: 1, delayMs: 0, error },
          { type: "text", delta: "ok" },
        ],
      },
    ]);
    const onRetry = async () => {
      throw new Error("mine");
    };
    expect(await createRuntime({ model }).exec("go", { tools: [], onRetry })).toBe("ok");
  });
});

test("what a nested run has used counts, also when its tool was given up", async () => {
  const usage = { inputTokens: 60, outputTokens: 40, totalTokens: 100 };
  const slow = tool({
    name: "slow",
    timeoutMs: 40,
    execute: async (_, ctx) => {
      await ctx.runtime.exec("inner", { tools: [] });
      await sleep(5_000, undefined, { signal: ctx.signal });
    },
  });
  const model = scripted([{ calls: [{ name: "slow" }] }, { text: "inner", usage }, "outer"]);
  const result = await createRuntime({ model }).run("go", { tools: [slow] }).result;
  expect(result).toMatchObject({ outcome: "stop", text: "outer", usage: { totalTokens: 100 } });
});

test("an abort's receipt settles", async () => {
  const run = createRuntime({ model: scripted([{ hang: true }]) }).run("go", { tools: [] });
  await sleep(5);
  const receipt = run.post({ kind: "control", control: { type: "abort" } });
  expect((await run.result).outcome).toBe("aborted");
  expect(await receipt.settled).toBe("delivered");
});

test("two pulls of text at once get one piece each", async () => {
  const run = createRuntime({ model: scripted([{ text: "ab", chunk: 1 }]) }).run("go", { tools: [] });
  const text = run.text[Symbol.asyncIterator]();
  const pieces = await Promise.all([text.next(), text.next(), text.next()]);
  expect(pieces.map(({ value }) => value ?? "").join("")).toBe("ab");
});

test("an empty message is refused by post as by send", async () => {
  const run = createRuntime({ model: scripted(["ok"]) }).run("go", { tools: [] });
  expect(() => run.post({ kind: "now", message: { role: "user", content: "" } })).toThrow(/empty/);
  expect((await run.result).outcome).toBe("stop");
});
