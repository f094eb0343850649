import { describe, expect, test } from "vitest";
import { createRuntime, type Model, type Run } from "../../src/core.ts";
import { call, logged, microtasks, picks, sleep, start, tokens, until } from "./play.fixture.ts";

/** A model that streams this many one-character deltas and says how far it has come. */
import { digits, streaming } from "./reading.fixture.ts";

describe("run.text loses no text", () => {
  const textOf = async (run: Run, pause?: () => Promise<void> | undefined) => {
    let text = "";
    for await (const delta of run.text) {
      text += delta;
      const wait = pause?.();
      if (wait !== undefined) await wait;
    }
    return text;
  };
  const two = () =>
    start(
      [
        { text: "one ", ...picks("a") },
        { text: "two", chunk: 1 },
      ],
      { tools: [logged("a", [])] },
    );

  test("for an early reader", async () => {
    expect(await textOf(two().run)).toBe("one two");
  });

  test("for a late reader, and a second time", async () => {
    const { run, ended } = two();
    await ended();
    expect(await textOf(run)).toBe("one two");
    expect(await textOf(run)).toBe("one two");
  });

  test("for a reader that comes at any microtask", async () => {
    for (let offset = 0; offset < 120; offset += 2) {
      const { run, ended } = two();
      await microtasks(offset);
      expect(await textOf(run)).toBe("one two");
      await ended();
    }
  });

  test("for a slow reader that lags", async () => {
    const { model } = streaming(5_000, (index) => (index % 500 === 0 ? sleep(1) : undefined));
    const run = createRuntime({ model }).run("go", { tools: [] });
    let count = 0;
    const text = await textOf(run, () => (++count % 50 === 0 ? sleep(2) : undefined));
    expect(text).toBe(digits(5_000));
  });

  test("of a run that fails", async () => {
    const { run } = start([{ text: "half", error: { kind: "transport", message: "reset" } }]);
    expect(await textOf(run)).toBe("half");
  });

  test("ends also for a run without text, and for one that is aborted", async () => {
    expect(await textOf(start([""]).run)).toBe("");
    const { run, events } = start([{ text: "so", hang: true }]);
    void until(() => events.some((event) => event.type === "message_update")).then(() => run.abort());
    expect(await textOf(run)).toBe("so");
  });

  test("several readers each get all of it", async () => {
    const { run } = two();
    expect(await Promise.all([textOf(run), textOf(run), textOf(run)])).toEqual(["one two", "one two", "one two"]);
  });

  /** A model that streams what is given, and ends with a message that holds this text. */
  const ending = (text: string, ...deltas: readonly string[]): Model => ({
    id: "ending",
    async *stream() {
      for (const delta of deltas) yield { type: "text", delta };
      yield {
        type: "end",
        message: {
          role: "assistant",
          content: [{ type: "text", text }],
          model: "ending",
          usage: tokens(0, 0),
          stopReason: "stop",
        },
      };
    },
  });

  test.each([
    ["nothing", []],
    ["the beginning", ["all ", "of "]],
    ["everything", ["all of ", "it"]],
  ])("of a model that streams %s of it: once, whenever the reader comes", async (_, deltas) => {
    for (let offset = 0; offset < 40; offset++) {
      const run = createRuntime({ model: ending("all of it", ...deltas) }).run("go", { tools: [] });
      await microtasks(offset);
      expect(await textOf(run)).toBe("all of it");
    }
  });

  test("of a model that ends with another text than it streamed: what was streamed", async () => {
    const run = createRuntime({ model: ending("other", "streamed") }).run("go", { tools: [] });
    expect(await textOf(run)).toBe("streamed");
  });

  test("also with the text of the closing request", async () => {
    const { run } = start([{ text: "a", ...picks(call("a")) }, "b"], { tools: [logged("a", [])], maxIterations: 1 });
    expect(await textOf(run)).toBe("ab");
  });
});
