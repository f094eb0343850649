import { describe, expect, test } from "vitest";
import {
  createRuntime,
  exec,
  method,
  type Receipt,
  type Run,
  type RunResult,
  run,
  type SendOptions,
  tool,
} from "../../src/core.ts";
import { answers, during, logged, outline, picks, type read, skipped, until, usersOf } from "../loop/play.fixture.ts";
import { expectNothingUnhandled } from "../loop/unhandled.fixture.ts";
import { endOf, routed } from "./agents.fixture.ts";

expectNothingUnhandled();

const said = (receipt: Receipt) => [receipt.status, receipt.round];
const _messagesAt = (events: Awaited<ReturnType<typeof read>>, path: string) => {
  const end = endOf(events, path);
  return end?.type === "agent_end" ? end : undefined;
};

describe("a message for a nested run, by its path", () => {
  /** A run that holds a nested run, which waits in its first call; `act` sends meanwhile. */
  async function nested(act: (run: Run) => unknown) {
    const { model } = routed({
      go: [picks("nest"), "outer", "outer", "outer"],
      inner: [picks("wait", "other"), "inner", "inner", "inner"],
    });
    const log: string[] = [];
    const gate = Promise.withResolvers<void>();
    const wait = during("wait", log, () => gate.promise);
    const ended = Promise.withResolvers<RunResult>();
    const nest = method({ name: "nest" }, async () => {
      const inner = await run("inner", { tools: [wait, logged("other", log)] }).result;
      ended.resolve(inner);
      return inner.text;
    });
    const handle = createRuntime({ model }).run("go", { tools: [nest] });
    await until(() => log.includes("wait"));
    await act(handle);
    gate.resolve();
    return { result: await handle.result, inner: await ended.promise, log };
  }
  const to = "1/0/0";

  test("now: STEER-01 the started call ends, the others are skipped, the next request reads it", async () => {
    let receipt: Receipt | undefined;
    const { result, inner, log } = await nested((handle) => {
      receipt = handle.send("for the inner", { to });
      expect(said(receipt)).toEqual(["queued", undefined]);
    });
    expect(log).toEqual(["wait"]);
    expect(answers(inner.messages)).toEqual(["wait done", skipped]);
    expect(outline(inner.messages).slice(-3)).toEqual(["tool other", "user: for the inner", "assistant: inner"]);
    expect(usersOf(result.messages)).toEqual(["go"]);
    expect(receipt && said(receipt)).toEqual(["delivered", 2]);
    expect(await receipt?.settled).toBe("delivered");
  });

  test("after_round: the whole batch runs first; at_end: when it would rest", async () => {
    const receipts: Receipt[] = [];
    const { inner, log } = await nested((handle) => {
      receipts.push(handle.send("late", { to, when: "at_end" }), handle.send("round", { to, when: "after_round" }));
    });
    expect(log).toEqual(["wait", "other"]);
    expect(outline(inner.messages).slice(-4)).toEqual([
      "user: round",
      "assistant: inner",
      "user: late",
      "assistant: inner",
    ]);
    expect(receipts.map(said)).toEqual([
      ["delivered", 3],
      ["delivered", 2],
    ]);
  });

  test("STEER-07 to the root while the nested run goes on: read by the root behind the call", async () => {
    const receipts: Receipt[] = [];
    const { result, inner } = await nested((handle) => {
      receipts.push(handle.send("for the root"), handle.send("too", { to: "" }));
    });
    expect(usersOf(inner.messages)).toEqual(["inner"]);
    expect(answers(inner.messages)).toEqual(["wait done", "other done"]);
    expect(outline(result.messages)).toEqual([
      "user: go",
      "assistant -> nest",
      "tool nest",
      "user: for the root",
      "user: too",
      "assistant: outer",
    ]);
    expect(receipts.map(said)).toEqual(Array(2).fill(["delivered", 2]));
  });

  test("of a path that no run has ever had: a mistake, that names those that go on", async () => {
    await nested((handle) => {
      for (const path of ["1", "1/0", "1/0/1", "2/0/0", "x"])
        expect(() => handle.send("lost", { to: path })).toThrow(
          expect.objectContaining({
            code: "invalid_option",
            message: expect.stringMatching(/no run at path.*"1\/0\/0"/),
          }),
        );
    });
  });

  test("of a run that has ended: undelivered at once, and in no result", async () => {
    let receipt: Receipt | undefined;
    const { model } = routed({ go: [picks("nest"), () => sendLate(), "after"], inner: ["inner"] });
    const nest = method({ name: "nest" }, () => exec("inner", { tools: [] }));
    const handle = createRuntime({ model }).run("go", { tools: [nest] });
    const sendLate = () => {
      receipt = handle.send("late", { to });
      return "outer";
    };
    const result = await handle.result;
    expect(receipt?.status).toBe("undelivered");
    expect(await receipt?.settled).toBe("undelivered");
    expect(result).toMatchObject({ outcome: "stop", undelivered: [] });
    expect(handle.send("later", { to })).toMatchObject({ status: "undelivered" });
    expect(() => handle.send("lost", { to: "9/9/9" })).toThrow(/no run at path/);
  });

  test("that it does not come to read is undelivered, in its result alone", async () => {
    const receipts: Receipt[] = [];
    const { result, inner } = await nested((handle) => {
      receipts.push(handle.send("at the end", { to, when: "at_end" }));
      handle.abort();
    });
    expect(receipts.map(said)).toEqual([["undelivered", undefined]]);
    expect(inner).toMatchObject({ outcome: "aborted", undelivered: [{ content: "at the end" }] });
    expect(result).toMatchObject({ outcome: "aborted", undelivered: [] });
  });

  test("that is none, or has wrong options, is a mistake", async () => {
    await nested((handle) => {
      const wrong = (content: unknown, options: unknown) => () =>
        handle.send(content as string, options as SendOptions);
      expect(wrong("x", { to, when: "soon" })).toThrow(/"when" must be now, after_round, at_end/);
      expect(wrong(5, { to })).toThrow(expect.objectContaining({ code: "invalid_option" }));
      expect(wrong("x", { too: to })).toThrow(/no option of send "too".*"to"/);
      expect(wrong("x", { to: 5 })).toThrow(/"to" must be the path/);
    });
  });

  test("sent from a handle of the nested run itself reaches any run of the root", async () => {
    const receipts: Receipt[] = [];
    const { model } = routed({ go: [picks("nest"), "outer"], inner: ["inner"] });
    const nest = tool({
      name: "nest",
      execute: async () => {
        const inner = run("inner", { tools: [] });
        receipts.push(inner.send("to the root", { to: "" }), inner.send("to itself", { to }));
        return (await inner.result).text;
      },
    });
    const result = await createRuntime({ model }).run("go", { tools: [nest] }).result;
    expect(usersOf(result.messages)).toEqual(["go", "to the root"]);
    expect(receipts.map(said)).toEqual([
      ["delivered", 2],
      ["delivered", 1],
    ]);
  });
});
