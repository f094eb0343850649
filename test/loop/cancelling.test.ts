import { describe, expect, test, vi } from "vitest";
import { createRuntime, type ExecOptions, type Model, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import {
  answers,
  failure,
  interrupted,
  logged,
  microtasks,
  never,
  notRun,
  once,
  outline,
  picks,
  play,
  sleep,
  start,
  until,
} from "./play.fixture.ts";
import { expectNothingUnhandled } from "./unhandled.fixture.ts";

expectNothingUnhandled();

/** A tool that takes no notice of its signal. */
const deaf = tool({ name: "deaf", execute: never });

describe("abort at any await", () => {
  test("before the first request: no request is made", async () => {
    const { run, ended, model } = start([]);
    run.abort();
    const { result } = await ended();
    expect(result).toMatchObject({ outcome: "aborted", text: "", rounds: 0 });
    expect(model.requests).toHaveLength(0);
    expect(outline(result.messages)).toEqual(["user: go"]);
  });

  test("while the model streams: what it said is kept", async () => {
    const { run, ended, events } = start([{ text: "so far", hang: true }]);
    await until(() => events.some((event) => event.type === "message_update"));
    run.abort("enough");
    const { result } = await ended();
    expect(result).toMatchObject({ outcome: "aborted", text: "so far", rounds: 1 });
    expect(outline(result.messages)).toEqual(["user: go", "assistant: so far"]);
  });

  test("PAIR-05 while arguments stream: the half call is not in the history and never runs", async () => {
    const log: string[] = [];
    const calls = [{ name: "write", arguments: '{"path":"a","con', partial: true as const }];
    const { run, ended, events } = start([{ text: "let me", calls, hang: true }], { tools: [logged("write", log)] });
    await until(() => events.some((event) => event.type === "message_update" && event.update.type === "call_delta"));
    run.abort();
    const { result } = await ended();
    expect(outline(result.messages)).toEqual(["user: go", "assistant: let me"]);
    expect(JSON.stringify(result.messages)).not.toMatch(/path/);
    expect(log).toEqual([]);
  });

  test("PAIR-05 by a model that ignores the signal: the same", async () => {
    const model: Model = {
      id: "deaf",
      async *stream() {
        yield { type: "text", delta: "let me" };
        yield { type: "call_start", id: "c0", name: "write" };
        yield { type: "call_delta", id: "c0", delta: "{}" };
        yield { type: "call_end", id: "c0" };
        yield { type: "call_start", id: "c1", name: "write" };
        yield { type: "call_delta", id: "c1", delta: '{"path":"a","con' };
        await never();
      },
    };
    const log: string[] = [];
    const { run, ended, events } = start([], { model, tools: [logged("write", log)] });
    await until(() => JSON.stringify(events).includes("con"));
    run.abort();
    const { result } = await ended();
    expect(result.outcome).toBe("aborted");
    expect(outline(result.messages)).toEqual(["user: go", "assistant -> write", "tool write"]);
    expect(JSON.stringify(result.messages)).not.toMatch(/path/);
    expect(log).toEqual([]);
  });

  test("while a tool runs that ignores the signal: interrupted, outcome unknown; the rest not run", async () => {
    const log: string[] = [];
    const { run, ended, events } = start([picks("a", "deaf", "b")], {
      tools: [logged("a", log), deaf, logged("b", log)],
    });
    await until(() => events.some((event) => event.type === "tool_start" && event.call.name === "deaf"));
    run.abort();
    const { result } = await ended();
    expect(result.outcome).toBe("aborted");
    expect(answers(result.messages)).toEqual(["a done", interrupted, notRun]);
    expect(answers(result.messages)[2]).not.toMatch(/interrupted.*unknown/is);
    expect(log).toEqual(["a"]);
  });

  test("while a tool runs that heeds it: its signal fires with the reason", async () => {
    const seen: unknown[] = [];
    const heeds = tool({
      name: "heeds",
      execute: (_args, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            seen.push(signal.aborted);
            reject(signal.reason);
          });
        }),
    });
    const { run, ended, events } = start([picks("heeds")], { tools: [heeds] });
    await until(() => events.some((event) => event.type === "tool_start"));
    run.abort("because");
    const { result } = await ended();
    expect(seen).toEqual([true]);
    expect(answers(result.messages)).toEqual([interrupted]);
  });

  test("while several overlap: every open call is answered", async () => {
    const { run, ended, events } = start([picks("a", "b", "c")], {
      tools: ["a", "b", "c"].map((name) => tool({ name, readOnly: true, execute: never })),
      toolExecution: "overlap",
    });
    await until(() => events.filter((event) => event.type === "tool_start").length === 3);
    run.abort();
    expect(answers((await ended()).result.messages)).toEqual([interrupted, interrupted, interrupted]);
  });

  test.each(["getSteeringMessages", "getFollowUpMessages"] as const)("while %s is asked", async (name) => {
    const { run, ended } = start(["never read"], { [name]: never } as ExecOptions);
    await sleep(2);
    run.abort();
    expect((await ended()).result.outcome).toBe("aborted");
  });

  test("while an approval is waited for", async () => {
    const asked = Promise.withResolvers<AbortSignal>();
    const { run, ended } = start(
      [picks("write", "b")],
      { tools: [logged("write", [], { requiresApproval: true }), logged("b", [])] },
      {
        approve: (request) => {
          asked.resolve(request.signal);
          return never();
        },
      },
    );
    const signal = await asked.promise;
    expect(signal.aborted).toBe(false);
    run.abort();
    const { result } = await ended();
    expect(result.outcome).toBe("aborted");
    expect(signal.aborted).toBe(true);
    expect(answers(result.messages)).toEqual([notRun, notRun]);
  });

  test("at every microtask: outcome aborted or stop, and the history is valid", async () => {
    const outcomes = new Set<string>();
    for (let offset = 0; offset < 140; offset++) {
      const { run, ended } = start([picks("a", "b"), "done"], { tools: [logged("a", []), logged("b", [])] });
      await microtasks(offset);
      run.abort();
      outcomes.add((await ended()).result.outcome);
    }
    expect([...outcomes].toSorted()).toEqual(["aborted", "stop"]);
  });

  test("after the end: nothing changes", async () => {
    const { run, ended } = start(["done"]);
    const { result } = await ended();
    run.abort();
    run.abort("again");
    expect(await run.result).toBe(result);
    expect(result.outcome).toBe("stop");
  });

  test("twice: the run ends once", async () => {
    const { run, ended } = start([{ hang: true }]);
    await sleep(1);
    run.abort("one");
    run.abort("two");
    expect((await ended()).result.outcome).toBe("aborted");
  });

  test("makes no closing request", async () => {
    const { run, ended, model, events } = start([picks("deaf")], { tools: [deaf], maxIterations: 1 });
    await until(() => events.some((event) => event.type === "tool_start"));
    run.abort();
    expect((await ended()).result.outcome).toBe("aborted");
    expect(model.requests).toHaveLength(1);
  });
});

describe("the signal option", () => {
  test("already aborted: no request is made, exec rejects with code aborted", async () => {
    const model = scripted([]);
    const error = await failure(createRuntime({ model }).exec("go", { tools: [], signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ code: "aborted", result: { outcome: "aborted" } });
    expect(model.requests).toHaveLength(0);
  });

  test.each([["a string"], [{ an: "object" }], [undefined], [null], [new Error("an error")], [0]])(
    "NET-08 fired while the model streams, with reason %s: aborted, asked once",
    async (reason) => {
      const controller = new AbortController();
      const { ended, model, events } = start([{ text: "x", hang: true }], { signal: controller.signal });
      await until(() => events.some((event) => event.type === "message_update"));
      controller.abort(reason);
      const { result } = await ended();
      expect(result.outcome).toBe("aborted");
      expect(model.requests).toHaveLength(1);
    },
  );

  test("its listeners are removed when the run has ended", async () => {
    const controller = new AbortController();
    let listeners = 0;
    const add = vi.spyOn(controller.signal, "addEventListener").mockImplementation(() => void listeners++);
    const remove = vi.spyOn(controller.signal, "removeEventListener").mockImplementation(() => void listeners--);
    await play([picks("a"), "done"], { signal: controller.signal, tools: [logged("a", [])] });
    expect(add).toHaveBeenCalled();
    expect(remove).toHaveBeenCalled();
    expect(listeners).toBe(0);
  });

  test("that is none is a caller mistake", () => {
    const { runtime } = start(["x"]);
    const signal = {} as AbortSignal;
    expect(() => runtime.run("go", { signal })).toThrow(expect.objectContaining({ code: "invalid_option" }));
  });
});

test("NET-08 a foreign AbortError from a tool is an ordinary error result", async () => {
  const foreign = tool({
    name: "foreign",
    execute: () => {
      throw new DOMException("mine, not yours", "AbortError");
    },
  });
  const { result } = await play([picks("foreign"), "done"], { tools: [foreign] });
  expect(result.outcome).toBe("stop");
  expect(answers(result.messages)).toEqual([expect.stringMatching(/^! .*mine, not yours/)]);
});

test("an abort wins over a finished text that no record has closed yet", async () => {
  const { run, ended } = start(
    [
      () => {
        run.abort();
        return "done";
      },
    ],
    { getFollowUpMessages: once() },
  );
  expect((await ended()).result.outcome).toBe("aborted");
});
