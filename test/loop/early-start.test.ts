import { describe, expect, test } from "vitest";
import { createRuntime, type Model, type Tool, tool } from "../../src/core.ts";
import { replyFromEvents } from "../../src/model/collect.ts";
import type { ModelEvent } from "../../src/model/model.ts";
import { called, done, gate, type Piece, played, reader, slow, text, typesOf } from "./early.fixture.ts";
import { answers, startsOf } from "./play.fixture.ts";

describe("an early start", () => {
  test("begins while the reply still streams; what is told of it comes in its turn", async () => {
    const log: string[] = [];
    const a = reader("a", log);
    // The reply does not go on before the tool has run.
    const model = slow([...called("1", "a"), a.began, text("!"), done]);
    const { result, events } = await played(model, [a.tool]);
    expect(result).toMatchObject({ outcome: "stop", text: "done" });
    expect(log).toEqual(["a"]);
    expect(answers(result.messages)).toEqual(["a done"]);
    const types = typesOf(events);
    expect(types.indexOf("tool_start")).toBeGreaterThan(types.indexOf("message_end", 3));
    expect(types.filter((type) => type.startsWith("tool_"))).toEqual(["tool_start", "tool_end"]);
  });

  test("progress is told behind tool_start, in order", async () => {
    const { promise: told, resolve } = gate();
    const a = tool({
      name: "a",
      readOnly: true,
      execute: (_, ctx) => {
        ctx.update(1);
        ctx.update(2);
        resolve();
        return "a done";
      },
    });
    const { events } = await played(slow([...called("1", "a"), told, done]), [a]);
    const about = events.flatMap((event) =>
      event.type === "tool_update" ? [event.progress] : event.type.startsWith("tool_") ? [event.type] : [],
    );
    expect(about).toEqual(["tool_start", 1, 2, "tool_end"]);
  });

  test.each([
    ["in sequence", {}, { toolExecution: "sequential" }],
    ["a tool that may change something", { readOnly: false }, {}],
    ["a tool that needs an approval", { requiresApproval: true }, {}],
    ["a tool with a rule of approval", { requiresApproval: () => false }, {}],
    ["a tool whose results are marked", { untrusted: true }, {}],
  ] as const)("never: %s", async (_, extra, options) => {
    const log: string[] = [];
    const a = reader("a", log, extra);
    let before: string[] = ["not looked at"];
    const looked = new Promise((resolve) =>
      setTimeout(() => {
        before = [...log];
        resolve(undefined);
      }, 20),
    );
    const runtime = { approve: () => true };
    const run = createRuntime({ model: slow([...called("1", "a"), looked, done]), ...runtime });
    await run.exec("go", { tools: [a.tool], toolExecution: "overlap", ...options });
    expect(before).toEqual([]);
    expect(log).toEqual(["a"]);
  });

  test("nothing is read before what stands in front of it was done", async () => {
    const log: string[] = [];
    const write = tool({ name: "write", execute: () => log.push("write") });
    const a = reader("a", log);
    const b = reader("b", log);
    const model = slow([...called("1", "a"), a.began, ...called("2", "write"), ...called("3", "b"), done]);
    const { result } = await played(model, [a.tool, write, b.tool]);
    expect(result.outcome).toBe("stop");
    expect(log).toEqual(["a", "write", "b"]);
  });

  test("calls whose pieces alternate", async () => {
    const log: string[] = [];
    const a = reader("a", log);
    const b = reader("b", log);
    const pieces: Piece[] = [
      { type: "call_start", id: "1", name: "a" },
      { type: "call_start", id: "2", name: "b" },
      { type: "call_delta", id: "2", delta: "{}" },
      { type: "call_delta", id: "1", delta: "{" },
      { type: "call_end", id: "2" },
      b.began,
      { type: "call_delta", id: "1", delta: "}" },
      { type: "call_end", id: "1" },
      a.began,
      done,
    ];
    const { result } = await played(slow(pieces), [a.tool, b.tool]);
    expect(log).toEqual(["b", "a"]);
    expect(answers(result.messages)).toEqual(["a done", "b done"]);
  });

  test("an empty object is no sign of the end: the arguments may still come", async () => {
    const log: string[] = [];
    const a = reader("a", log, { execute: (args: unknown) => log.push(JSON.stringify(args)) } as Partial<Tool>);
    const call: ModelEvent[] = [
      { type: "call_start", id: "1", name: "a" },
      { type: "call_delta", id: "1", delta: "{}" },
      { type: "call_delta", id: "1", delta: " " },
      { type: "call_end", id: "1" },
    ];
    await played(slow([...call.slice(0, 2), text("!"), ...call.slice(2), done]), [a.tool]);
    expect(log).toEqual(["{}"]);
    const whole: ModelEvent = { type: "end", message: replyFromEvents("m", called("1", "a", '{"x":1}'), "tool_calls") };
    const late: Model = {
      id: "m",
      async *stream() {
        if (log.length > 1) {
          yield { type: "end", message: replyFromEvents("m", [text("done")], "stop") };
          return;
        }
        yield* call.slice(0, 2);
        yield whole;
      },
    };
    await played(late, [a.tool]);
    expect(log).toEqual(["{}", '{"x":1}']);
  });

  test.each([
    ["of which nothing came before it ended", ""],
    ["whose arguments ended in the middle", '{"x":1'],
  ])("a call %s may be half of one", async (_, args) => {
    const log: string[] = [];
    const a = reader("a", log);
    const { result } = await played(slow([...called("1", "a", args), text("!"), { ends: "length" }]), [a.tool]);
    expect(result.outcome).toBe("stop");
    expect(log).toEqual([]);
  });

  test("bad arguments and an unknown tool are not begun", async () => {
    const log: string[] = [];
    const strict = reader("strict", log, { input: { type: "object", required: ["x"] } } as Partial<Tool>);
    const replies: Piece[] = [...called("1", "strict"), ...called("2", "nope"), text("!"), done];
    const { result } = await played(slow(replies), [strict.tool]);
    expect(result.outcome).toBe("stop");
    expect(log).toEqual([]);
  });
});

describe("a dropped start", () => {
  /** A reader that never ends by itself, and what became of its signal. */
  function hanging() {
    const began = gate();
    const stopped = gate<unknown>();
    let starts = 0;
    const made = tool({
      name: "hangs",
      readOnly: true,
      execute: (_, ctx) => {
        starts += 1;
        ctx.update("half");
        began.resolve();
        if (starts > 1) return "done at last";
        return new Promise((resolve) => {
          ctx.signal.addEventListener("abort", () => {
            stopped.resolve(ctx.signal.reason);
            resolve("too late");
          });
        });
      },
    });
    return { tool: made, began: began.promise, stopped: stopped.promise, starts: () => starts };
  }

  const failed: Piece = { ends: "error", error: { kind: "transport", message: "reset" } };

  test.each([
    ["cut", { ends: "length" }, ["! Not run: the reply was cut"]],
    ["failed", failed, []],
    ["refused", { ends: "refusal" }, []],
  ] as const)("a reply that was %s: aborted, and no event of it", async (_, ends, told) => {
    const one = hanging();
    const { result, events } = await played(slow([...called("1", "hangs"), one.began, ends as Piece]), [one.tool]);
    expect(String(await one.stopped)).toMatch(/cut, lost or sent again/);
    expect(one.starts()).toBe(1);
    expect(typesOf(events)).not.toContain("tool_update");
    // A failed or refused reply answers its calls as not run.
    for (const answer of answers(result.messages)) expect(answer).toMatch(/^! /);
    if (told.length > 0) expect(answers(result.messages)).toHaveLength(1);
  });

  test("a request that is sent again: begun anew, once", async () => {
    const one = hanging();
    const retry: ModelEvent = { type: "retry", attempt: 1, delayMs: 0, error: { kind: "transport", message: "reset" } };
    const model = slow([...called("1", "hangs"), one.began, retry, ...called("1", "hangs"), done]);
    const { result, events } = await played(model, [one.tool]);
    await one.stopped;
    expect(one.starts()).toBe(2);
    expect(answers(result.messages)).toEqual(["done at last"]);
    expect(startsOf(events)).toHaveLength(1);
    expect(events.filter(({ type }) => type === "tool_update")).toHaveLength(1);
  });

  test("a reply that holds the call otherwise at its end: what the end says is run", async () => {
    const log: string[] = [];
    const a = reader("a", log, { execute: (args: unknown) => log.push(JSON.stringify(args)) } as Partial<Tool>);
    const model: Model = {
      id: "m",
      async *stream() {
        if (log.length > 0) {
          yield { type: "end", message: replyFromEvents("m", [text("done")], "stop") };
          return;
        }
        yield* called("1", "a", '{"x":1}');
        yield { type: "end", message: replyFromEvents("m", called("1", "a", '{"x":2}'), "tool_calls") };
      },
    };
    await played(model, [a.tool]);
    expect(log).toEqual(['{"x":1}', '{"x":2}']);
  });

  test("of a run that was ended: aborted for what ended the run", async () => {
    const one = hanging();
    const never = new Promise(() => {});
    const control = new AbortController();
    const run = createRuntime({ model: slow([...called("1", "hangs"), never, done]) }).run("go", {
      tools: [one.tool],
      toolExecution: "overlap",
      signal: control.signal,
    });
    await one.began;
    control.abort("enough");
    expect(await run.result).toMatchObject({ outcome: "aborted" });
    expect(String(await one.stopped)).toContain("enough");
  });

  test("a limit on calls is kept", async () => {
    const log: string[] = [];
    const a = reader("a", log);
    const model = slow([...called("1", "a"), ...called("2", "a"), ...called("3", "a"), done]);
    const { result } = await played(model, [a.tool], { limits: { toolCalls: 2 } });
    expect(log).toEqual(["a", "a"]);
    expect(result.outcome).toBe("max_tool_calls");
  });
});
