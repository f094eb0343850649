import { describe, expect, test } from "vitest";
import { createRuntime, type Model, type ModelEvent, RondoError, tool } from "../../src/core.ts";
import { type ScriptEntry, scripted } from "../../src/testing/index.ts";
import {
  answers,
  call,
  failure,
  logged,
  outline,
  picks,
  play,
  read,
  startsOf,
  tokens,
  warningsOf,
} from "./play.fixture.ts";

const ended = async (entry: ScriptEntry, log: string[] = []) =>
  (await play([entry], { tools: [logged("a", log)] })).result;

async function execFails(script: readonly ScriptEntry[]): Promise<RondoError> {
  const error = await failure(createRuntime({ model: scripted(script) }).exec("go", { tools: [logged("a", [])] }));
  if (!RondoError.isInstance(error)) throw error;
  return error;
}

describe("what exec does with an outcome", () => {
  test("stop: it resolves to the last reply's text", async () => {
    const model = scripted([{ text: "first", ...picks("a") }, "last"]);
    expect(await createRuntime({ model }).exec("go", { tools: [logged("a", [])] })).toBe("last");
  });

  test.each([
    ["error", { error: { kind: "auth", message: "bad key", status: 401 } }],
    ["refusal", { text: "I will not", stopReason: "refusal" }],
    ["aborted", { text: "so", stopReason: "aborted" }],
    ["length", { text: "and then", stopReason: "length" }],
    ["empty", ""],
  ] as const)("%s: it rejects with a RondoError of that code that holds the whole result", async (outcome, reply) => {
    const error = await execFails([reply as ScriptEntry]);
    expect(error).toBeInstanceOf(RondoError);
    expect(error.code).toBe(outcome);
    expect(error.result).toMatchObject({ outcome, rounds: 1, undelivered: [] });
    expect(error.message).not.toBe("");
  });

  test("error: its cause says what the provider said", async () => {
    const error = await execFails([{ error: { kind: "auth", message: "bad key", status: 401 } }]);
    expect(`${error.message} ${String(error.cause)}`).toMatch(/bad key/);
  });

  test("a model that throws: code error, and what was thrown is said", async () => {
    const error = await execFails([
      () => {
        throw new TypeError("socket gone");
      },
    ]);
    expect(error.code).toBe("error");
    expect(error.message).toMatch(/socket gone/);
    expect(error.cause).toBeInstanceOf(Error);
  });
});

describe("run.result never rejects", () => {
  test.each([
    ["stop", "done"],
    ["error", { error: { kind: "unknown", message: "boom" } }],
    ["refusal", { stopReason: "refusal" }],
    ["length", { text: "x", stopReason: "length" }],
    ["empty", ""],
  ] as const)("%s", async (outcome, reply) => {
    const result = await ended(reply as ScriptEntry);
    expect(result.outcome).toBe(outcome);
    expect(result.messages[0]).toEqual({ role: "user", content: "go" });
    if (outcome === "error") expect(result.error).toMatchObject({ message: expect.stringMatching(/boom/) });
    if (outcome === "stop") expect(result).not.toHaveProperty("error");
  });

  test("messages is what the run added, prompt first; earlier history is not in it", async () => {
    const { result } = await play(["fine"], {
      messages: [
        { role: "user", content: "before" },
        {
          role: "assistant",
          content: [{ type: "text", text: "yes" }],
          model: "m",
          usage: tokens(0, 0),
          stopReason: "stop",
        },
      ],
    });
    expect(outline(result.messages)).toEqual(["user: go", "assistant: fine"]);
  });

  test("a handle is not a promise", () => {
    const run = createRuntime({ model: scripted(["x"]) }).run("go", { tools: [] });
    expect(run).not.toHaveProperty("then");
  });
});

describe("error, refusal and aborted replies", () => {
  test.each(["error", "refusal", "aborted"] as const)(
    "%s: complete calls are kept, answered and never run",
    async (how) => {
      const log: string[] = [];
      const said = { text: "let me", ...picks("a") };
      const entry =
        how === "error"
          ? { ...said, error: { kind: "overloaded", message: "busy" } as const }
          : { ...said, stopReason: how };
      const result = await ended(entry, log);
      expect(result).toMatchObject({ outcome: how, text: "let me" });
      expect(log).toEqual([]);
      expect(answers(result.messages)).toEqual([expect.stringMatching(/^! .*not/i)]);
    },
  );

  test.each(["error", "refusal", "aborted"] as const)(
    "%s: half-streamed calls are dropped from the history",
    async (how) => {
      const calls = [call("a"), { name: "a", arguments: '{"path":"a","con', partial: true as const }];
      const entry =
        how === "error"
          ? { text: "let me", calls, error: { kind: "transport", message: "reset" } as const }
          : { text: "let me", calls, stopReason: how };
      const log: string[] = [];
      const result = await ended(entry, log);
      expect(log).toEqual([]);
      expect(outline(result.messages)).toEqual(["user: go", "assistant -> a", "tool a"]);
    },
  );

  test("a reply of nothing but a half-streamed call leaves nothing in the history", async () => {
    const { result, events } = await play(
      [{ calls: [{ name: "a", arguments: '{"x', partial: true }], stopReason: "aborted" }],
      {
        tools: [logged("a", [])],
      },
    );
    expect(outline(result.messages)).toEqual(["user: go"]);
    expect(startsOf(events)).toEqual([]);
  });

  test("a refusal without content has its own outcome and is not asked again", async () => {
    const { result, model } = await play([{ stopReason: "refusal" }]);
    expect(result.outcome).toBe("refusal");
    expect(model.requests).toHaveLength(1);
    expect(outline(result.messages)).toEqual(["user: go"]);
  });

  test("an error keeps the text that came before it", async () => {
    expect(await ended({ text: "half", error: { kind: "transport", message: "reset" } })).toMatchObject({
      outcome: "error",
      text: "half",
    });
  });
});

describe("cut replies", () => {
  const cutCall = {
    text: "writing",
    calls: [call("a"), { name: "a", arguments: '{"path":"a', partial: true as const }],
  };

  test("length: calls are kept, the half one marked, all answered as not run; the model may go on", async () => {
    const log: string[] = [];
    const { result } = await play([cutCall, "shorter"], { tools: [logged("a", log)] });
    expect(result).toMatchObject({ outcome: "stop", text: "shorter", rounds: 2 });
    expect(log).toEqual([]);
    const reply = result.messages[1];
    expect(
      reply?.role === "assistant" ? reply.content.map((part) => ("partial" in part ? part.partial : false)) : [],
    ).toEqual([false, false, true]);
    expect(answers(result.messages)).toEqual([expect.stringMatching(/^! .*not/i), expect.stringMatching(/^! .*not/i)]);
  });

  test("the second cut reply with calls in a row: outcome length", async () => {
    const { result } = await play([cutCall, cutCall], { tools: [logged("a", [])] });
    expect(result).toMatchObject({ outcome: "length", rounds: 2 });
    expect(answers(result.messages)).toHaveLength(4);
  });

  test("a good reply between two cut ones starts the count anew", async () => {
    const { result } = await play([cutCall, picks("a"), cutCall, "done"], { tools: [logged("a", [])] });
    expect(result.outcome).toBe("stop");
  });

  test("cut text without calls: outcome length, its text kept", async () => {
    expect(await ended({ text: "and then", stopReason: "length" })).toMatchObject({
      outcome: "length",
      text: "and then",
    });
  });

  test("a clean end of stream without a terminal event is length", async () => {
    expect(await ended({ text: "and", cut: 1 })).toMatchObject({ outcome: "length", text: "and" });
    expect(await ended({ cut: 0 })).toMatchObject({ outcome: "length", text: "" });
  });

  test("a stream that ends without an end behind whole calls runs none of them", async () => {
    const log: string[] = [];
    const { result } = await play([{ ...picks("a"), cut: 3 }, "done"], { tools: [logged("a", log)] });
    expect(log).toEqual([]);
    expect(result.outcome).toBe("stop");
  });
});

describe("content decides, not the finish reason", () => {
  test.each(["stop", "tool_calls"] as const)("calls behind stop reason %s are run", async (stopReason) => {
    const log: string[] = [];
    const { result } = await play([{ text: "on it", ...picks("a", "a"), stopReason }, "done"], {
      tools: [logged("a", log)],
    });
    expect(log).toHaveLength(2);
    expect(result.outcome).toBe("stop");
  });

  test("text behind stop reason tool_calls is the end", async () => {
    expect(await ended({ text: "done", stopReason: "tool_calls" })).toMatchObject({ outcome: "stop", text: "done" });
  });

  test("unterminated arguments behind a normal end are an error result", async () => {
    const { result } = await play([picks(call("a", '{"path":"a","content":"abc')), "ok"], { tools: [logged("a", [])] });
    expect(answers(result.messages)).toEqual([expect.stringMatching(/^! /)]);
  });
});

describe("paused replies", () => {
  const paused: ScriptEntry = { text: "searching", stopReason: "pause" };

  test("are sent back unchanged with nothing added, and the model goes on", async () => {
    const { model, result } = await play([paused, "found"]);
    expect(result).toMatchObject({ outcome: "stop", text: "found", rounds: 2 });
    expect(outline(model.requests[1]?.messages ?? [])).toEqual(["user: go", "assistant: searching"]);
    expect(model.requests[1]?.messages[1]).toBe(result.messages[1]);
  });

  test("with calls: only the results of the calls are added", async () => {
    const log: string[] = [];
    const { model } = await play([{ text: "searching", ...picks("a"), stopReason: "pause" }, "found"], {
      tools: [logged("a", log)],
    });
    expect(log).toEqual(["a"]);
    expect(outline(model.requests[1]?.messages ?? [])).toEqual(["user: go", "assistant -> a", "tool a"]);
  });

  test("ten in a row go on; the eleventh ends the run with length", async () => {
    const ten = Array.from({ length: 10 }, () => paused);
    expect((await play([...ten, "found"])).result).toMatchObject({ outcome: "stop", rounds: 11 });
    const eleven = (await play([...ten, paused])).result;
    expect(eleven).toMatchObject({ outcome: "length", rounds: 11 });
  });

  test("count as rounds", async () => {
    const { result } = await play([paused, paused, "closing"], { maxIterations: 2 });
    expect(result).toMatchObject({ outcome: "max_iterations", rounds: 2 });
  });
});

describe("empty replies", () => {
  test("no content: outcome empty, in events and usage but not in the history", async () => {
    const { result, events } = await play([picks("a"), { text: "", usage: tokens(7, 0) }], {
      tools: [logged("a", [])],
    });
    expect(result).toMatchObject({ outcome: "empty", text: "", usage: tokens(7, 0) });
    expect(outline(result.messages)).toEqual(["user: go", "assistant -> a", "tool a"]);
    const replies = events.filter((event) => event.type === "message_end" && event.message.role === "assistant");
    expect(replies).toHaveLength(2);
  });

  test("white space only: outcome empty", async () => {
    expect((await ended(" \n\t")).outcome).toBe("empty");
  });

  test("reasoning only: outcome empty", async () => {
    expect((await ended({ reasoning: "hm" })).outcome).toBe("empty");
  });

  test("the history is good for another run", async () => {
    const first = (await play([picks("a"), ""], { tools: [logged("a", [])] })).result;
    const { result, events } = await play(["fine"], { messages: first.messages });
    expect(result.outcome).toBe("stop");
    expect(warningsOf(events)).toEqual([]);
  });
});

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

test("a failed request does not run again tools that had succeeded", async () => {
  let charged = 0;
  const charge = tool({ name: "charge", execute: () => ++charged });
  const { result } = await play([picks("charge"), { error: { kind: "overloaded", message: "500" } }], {
    tools: [charge],
  });
  expect(result.outcome).toBe("error");
  expect(charged).toBe(1);
  expect(answers(result.messages)).toEqual(["1"]);
});
