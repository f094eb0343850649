import { describe, expect, test } from "vitest";
import { createRuntime, type Run, tool, type When } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, during, logged, outline, picks, skipped, sleep, start, until, usersOf } from "./play.fixture.ts";

describe('send "now"', () => {
  test("while a tool runs: it ends, the calls behind it are skipped, the message stands behind the results", async () => {
    const log: string[] = [];
    const model = scripted([picks("a", "b", "c"), "done"]);
    const tools = [during("a", log, () => run.send("stop that")), logged("b", log), logged("c", log)];
    const run: Run = createRuntime({ model }).run("go", { tools });
    const result = await run.result;
    expect(log).toEqual(["a"]);
    expect(answers(result.messages)).toEqual(["a done", skipped, skipped]);
    expect(outline(model.requests[1]?.messages ?? [])).toEqual([
      "user: go",
      "assistant -> a,b,c",
      "tool a",
      "tool b",
      "tool c",
      "user: stop that",
    ]);
    expect(result).toMatchObject({ outcome: "stop", rounds: 2, undelivered: [] });
  });

  test("is what send does by default; skipped results say that no work was done", async () => {
    const log: string[] = [];
    const { run, ended } = start([picks("a", "b"), "done"], {
      tools: [during("a", log, () => run.send("x")), logged("b", log)],
    });
    const { result } = await ended();
    expect(answers(result.messages)[1]).toMatch(/^! Skipped due to queued user message.*(not|no work)/is);
  });

  test("while the reply streams: the first call runs all the same, those behind it are skipped", async () => {
    const log: string[] = [];
    const { run, ended } = start(
      [
        () => {
          run.send("early");
          return picks("a", "b");
        },
        "done",
      ],
      { tools: [logged("a", log), logged("b", log)] },
    );
    const { result } = await ended();
    expect(log).toEqual(["a"]);
    expect(answers(result.messages)).toEqual(["a done", skipped]);
  });

  test("STEER-01 with a single call: it is not cancelled", async () => {
    const log: string[] = [];
    const { run, ended, model } = start(
      [
        () => {
          run.send("also do X");
          return picks("write");
        },
        "done",
      ],
      { tools: [logged("write", log)] },
    );
    const { result } = await ended();
    expect(log).toEqual(["write"]);
    expect(answers(result.messages)).toEqual(["write done"]);
    expect(usersOf(model.requests[1]?.messages)).toEqual(["go", "also do X"]);
  });

  test("before the first request: it is read in round 1", async () => {
    const { run, ended, model } = start(["done"]);
    const receipt = run.send("and quickly");
    await ended();
    expect(usersOf(model.requests[0]?.messages)).toEqual(["go", "and quickly"]);
    expect(receipt).toMatchObject({ status: "delivered", round: 1 });
  });

  test("while a pure-text reply streams: the run goes on and exec resolves to the last reply's text", async () => {
    const { run, ended, model } = start([
      () => {
        run.send("and now?");
        return "first answer";
      },
      "second answer",
    ]);
    const { result } = await ended();
    expect(result).toMatchObject({ outcome: "stop", text: "second answer", rounds: 2 });
    expect(outline(model.requests[1]?.messages ?? [])).toEqual([
      "user: go",
      "assistant: first answer",
      "user: and now?",
    ]);
  });

  test("several keep their order and are read together", async () => {
    const { run, ended, model } = start([
      () => {
        run.send("1", { when: "after_round" });
        run.send("2");
        run.send("3", { when: "after_round" });
        return "text";
      },
      "done",
    ]);
    await ended();
    expect(usersOf(model.requests[1]?.messages).toSorted()).toEqual(["1", "2", "3", "go"]);
    expect(model.requests).toHaveLength(2);
  });

  test("a second one while calls are skipped is read in the same round", async () => {
    const log: string[] = [];
    const { run, ended, model } = start([picks("a", "b"), "done"], {
      tools: [
        during("a", log, () => {
          run.send("first");
          run.send("second");
        }),
        logged("b", log),
      ],
    });
    await ended();
    expect(usersOf(model.requests[1]?.messages)).toEqual(["go", "first", "second"]);
  });

  test("with overlap: started calls end, the others are skipped", async () => {
    const log: string[] = [];
    const { run, ended } = start([picks("a", "b", "write"), "done"], {
      tools: [
        { ...during("a", log, () => run.send("halt")), readOnly: true },
        { ...during("b", log, () => sleep(10)), readOnly: true },
        logged("write", log),
      ],
      toolExecution: "overlap",
    });
    const { result } = await ended();
    expect(log).toEqual(["a", "b"]);
    expect(answers(result.messages)).toEqual(["a done", "b done", skipped]);
  });

  test("parts of content are kept", async () => {
    const { run, ended, model } = start(["done"]);
    run.send([
      { type: "text", text: "see" },
      { type: "image", data: "AAAA", mediaType: "image/png" },
    ]);
    await ended();
    expect(model.requests[0]?.messages.at(-1)?.content).toEqual([
      { type: "text", text: "see" },
      { type: "image", data: "AAAA", mediaType: "image/png" },
    ]);
  });

  test("content that is none throws", () => {
    const { run } = start(["done"]);
    expect(() => run.send("")).toThrow(expect.objectContaining({ code: "invalid_option" }));
    expect(() => run.send(7 as unknown as string)).toThrow(expect.objectContaining({ code: "invalid_option" }));
    expect(() => run.send("x", { when: "soon" as When })).toThrow(expect.objectContaining({ code: "invalid_option" }));
  });
});

describe('send "after_round"', () => {
  test("skips nothing and is read behind the batch", async () => {
    const log: string[] = [];
    const { run, ended, model } = start([picks("a", "b"), "done"], {
      tools: [during("a", log, () => run.send("by the way", { when: "after_round" })), logged("b", log)],
    });
    await ended();
    expect(log).toEqual(["a", "b"]);
    expect(outline(model.requests[1]?.messages ?? []).slice(-3)).toEqual(["tool a", "tool b", "user: by the way"]);
  });

  test("is read when the batch is complete also if nothing of it ran", async () => {
    const { run, ended, model } = start(
      [
        () => {
          run.send("hint", { when: "after_round" });
          return picks("nope");
        },
        "done",
      ],
      {},
    );
    await ended();
    expect(usersOf(model.requests[1]?.messages)).toEqual(["go", "hint"]);
  });
});

describe('send "at_end"', () => {
  test("waits until the run would rest, behind steering", async () => {
    const { run, ended, model } = start(
      [
        () => {
          run.send("last", { when: "at_end" });
          return picks("a");
        },
        () => {
          run.send("steer");
          return "first";
        },
        "second",
        "third",
      ],
      { tools: [logged("a", [])] },
    );
    const { result } = await ended();
    expect(model.requests.map((request) => usersOf(request.messages).at(-1))).toEqual(["go", "go", "steer", "last"]);
    expect(result).toMatchObject({ text: "third", rounds: 4 });
  });
});

test("until a tool has ended a message waits: nothing interrupts a started call", async () => {
  const gate = Promise.withResolvers<void>();
  let ended = false;
  const slow = tool({
    name: "slow",
    execute: async (_args, { signal }) => {
      await gate.promise;
      ended = true;
      return signal.aborted;
    },
  });
  const started = start([picks("slow"), "done"], { tools: [slow] });
  await until(() => started.events.some((event) => event.type === "tool_start"));
  const receipt = started.run.send("hurry");
  await sleep(5);
  expect([receipt.status, ended]).toEqual(["queued", false]);
  gate.resolve();
  const { result } = await started.ended();
  expect(answers(result.messages)).toEqual(["false"]);
  expect(receipt.status).toBe("delivered");
});
