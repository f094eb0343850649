import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createRuntime, tool } from "../core.ts";
import type { UserMessage } from "../message/message.ts";
import type { Model, ModelEvent, ModelRequest } from "../model/model.ts";
import { type ScriptEntry, type ScriptedOptions, scripted } from "./index.ts";

const look = tool({ name: "look", execute: () => "seen" });

const user = (content: string): UserMessage => ({ role: "user", content });
const request = (extra: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [user("go")],
  tools: [{ name: "look", description: "", parameters: {} }],
  toolChoice: "auto",
  ...extra,
});

async function ask(model: Model, asked = request(), signal = new AbortController().signal): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(asked, signal)) events.push(event);
  return events;
}
const one = async (entry: ScriptEntry) => await ask(scripted([entry]));
const quiet = (replies: readonly ScriptEntry[], options: ScriptedOptions = {}) => {
  const overruns: Error[] = [];
  return { overruns, model: scripted(replies, { ...options, onOverrun: (error) => overruns.push(error) }) };
};
const endOf = (events: readonly ModelEvent[]) => {
  const last = events.at(-1);
  if (last?.type !== "end") throw new Error(`no end in ${JSON.stringify(events)}`);
  return last;
};

afterEach(() => vi.useRealTimers());

describe("a reply", () => {
  test("of text is one delta and an end that holds it", async () => {
    expect(await one("Hello")).toEqual([
      { type: "text", delta: "Hello" },
      {
        type: "end",
        message: {
          role: "assistant",
          content: [{ type: "text", text: "Hello" }],
          model: "scripted",
          usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
          stopReason: "stop",
        },
      },
    ]);
  });

  test("of nothing is an end without content", async () => {
    const events = await one("");
    expect(events).toHaveLength(1);
    expect(endOf(events).message.content).toEqual([]);
  });

  test("has reasoning, text and calls in this order, cut into chunks", async () => {
    const events = await one({
      text: "a😀b",
      reasoning: "hm",
      calls: [
        { name: "look", arguments: { at: 1 } },
        { name: "see", id: "mine", arguments: '{"broken' },
      ],
      chunk: 2,
    });
    expect(events.slice(0, -1)).toEqual([
      { type: "reasoning", delta: "hm" },
      { type: "text", delta: "a😀" },
      { type: "text", delta: "b" },
      { type: "call_start", id: "call_1_1", name: "look" },
      { type: "call_delta", id: "call_1_1", delta: '{"' },
      { type: "call_delta", id: "call_1_1", delta: "at" },
      { type: "call_delta", id: "call_1_1", delta: '":' },
      { type: "call_delta", id: "call_1_1", delta: "1}" },
      { type: "call_end", id: "call_1_1" },
      { type: "call_start", id: "mine", name: "see" },
      { type: "call_delta", id: "mine", delta: '{"' },
      { type: "call_delta", id: "mine", delta: "br" },
      { type: "call_delta", id: "mine", delta: "ok" },
      { type: "call_delta", id: "mine", delta: "en" },
      { type: "call_end", id: "mine" },
    ]);
    expect(endOf(events).message).toMatchObject({
      stopReason: "tool_calls",
      content: [
        { type: "reasoning", text: "hm" },
        { type: "text", text: "a😀b" },
        { type: "tool_call", id: "call_1_1", name: "look", arguments: '{"at":1}' },
        { type: "tool_call", id: "mine", name: "see", arguments: '{"broken' },
      ],
    });
  });

  test("with a partial call is cut by length, its arguments without an end", async () => {
    const events = await one({ calls: [{ name: "look" }, { name: "look", arguments: '{"a', partial: true }] });
    expect(events.filter((event) => event.type === "call_end")).toHaveLength(1);
    const { content, stopReason } = endOf(events).message;
    expect(stopReason).toBe("length");
    expect(content[0]).not.toHaveProperty("partial");
    expect(content[1]).toMatchObject({ arguments: '{"a', partial: true });
  });

  test("says the stop reason and usage that it is given", async () => {
    const usage = { inputTokens: 3, outputTokens: 4, totalTokens: 7 };
    const { message } = endOf(await one({ text: "no", stopReason: "refusal", usage }));
    expect(message).toMatchObject({ stopReason: "refusal", usage });
  });

  test("may be its very events, interleaved calls and warnings among them", async () => {
    const deltas: readonly ModelEvent[] = [
      { type: "call_start", id: "a", name: "x" },
      { type: "call_start", id: "b", name: "y" },
      { type: "call_delta", id: "b", delta: "{}" },
      { type: "warning", code: "odd", message: "odd" },
      { type: "call_delta", id: "a", delta: '{"n":1}' },
      { type: "call_end", id: "b" },
      { type: "call_end", id: "a" },
    ];
    const events = await one({ deltas: ["So ", "be it", ...deltas] });
    expect(events.slice(0, 2)).toEqual([
      { type: "text", delta: "So " },
      { type: "text", delta: "be it" },
    ]);
    expect(events.slice(2, -1)).toEqual(deltas);
    expect(endOf(events).message.content).toEqual([
      { type: "text", text: "So be it" },
      { type: "tool_call", id: "a", name: "x", arguments: '{"n":1}' },
      { type: "tool_call", id: "b", name: "y", arguments: "{}" },
    ]);
  });

  test("ends at an end among its events", async () => {
    const end = endOf(await one("real"));
    expect(await one({ deltas: ["shown", end, "never"] })).toEqual([{ type: "text", delta: "shown" }, end]);
  });

  test("cut into any chunks adds up to the same message", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 5 }), async (text, chunk) => {
        const whole = await one({ text, calls: [{ name: "look", arguments: { text } }] });
        const cut = await one({ text, calls: [{ name: "look", arguments: { text } }], chunk });
        expect(endOf(cut)).toEqual(endOf(whole));
        const deltas = cut.flatMap((event) => (event.type === "text" ? [event.delta] : []));
        expect(deltas.join("")).toBe(text);
        for (const delta of deltas) expect(Array.from(delta).length).toBeLessThanOrEqual(chunk);
      }),
      { numRuns: 200 },
    );
  });
});

describe("a stream that goes wrong", () => {
  test("cut: it ends cleanly behind so many events, without an end", async () => {
    expect(await one({ text: "abc", chunk: 1, cut: 2 })).toEqual([
      { type: "text", delta: "a" },
      { type: "text", delta: "b" },
    ]);
    expect(await one({ cut: 0 })).toEqual([]);
  });

  test("throwAfter: it throws behind so many events", async () => {
    const seen: ModelEvent[] = [];
    const broken = async () => {
      const model = scripted([{ text: "abc", chunk: 1, throwAfter: 1 }]);
      for await (const event of model.stream(request(), new AbortController().signal)) seen.push(event);
    };
    await expect(broken()).rejects.toThrow("breaks after 1 events");
    expect(seen).toEqual([{ type: "text", delta: "a" }]);
  });

  test("error: it ends with the failure behind what it says", async () => {
    const failure = { kind: "overloaded", message: "busy", status: 529 } as const;
    const end = endOf(await one({ text: "Well", error: failure }));
    expect(end.error).toEqual(failure);
    expect(end.message).toMatchObject({ stopReason: "error", content: [{ text: "Well" }] });
  });

  test("a break behind more events than there are, or an empty chunk, throws at once", () => {
    expect(() => scripted(["x", { text: "abc", cut: 2 }])).toThrow(/Reply 2 .* after 2 events, but it has 1/);
    expect(() => scripted([{ throwAfter: -1 }])).toThrow(/from 0 to 0/);
    expect(() => scripted([{ text: "abc", chunk: 0 }])).toThrow(/chunk 0/);
  });
});

describe("the signal", () => {
  const aborted = (text: readonly string[]) => ({
    error: { kind: "aborted" },
    message: { stopReason: "aborted", content: text.map((part) => ({ type: "text", text: part })) },
  });

  test("fired before the request: nothing but an aborted end", async () => {
    const events = await ask(scripted(["never"]), request(), AbortSignal.abort());
    expect(events).toHaveLength(1);
    expect(endOf(events)).toMatchObject(aborted([]));
  });

  test("fired between two deltas: the end holds what was sent", async () => {
    const controller = new AbortController();
    const events: ModelEvent[] = [];
    for await (const event of scripted([{ text: "abc", chunk: 1 }]).stream(request(), controller.signal)) {
      events.push(event);
      if (event.type === "text" && event.delta === "b") controller.abort();
    }
    expect(endOf(events)).toMatchObject(aborted(["ab"]));
  });

  test.each([
    ["a hanging reply", { hang: true, text: "Hm" }, ["Hm"]],
    ["a delay before the reply", { text: "late", delayMs: 1e9 }, []],
    ["a delay before a delta", { text: "late", deltaDelayMs: 1e9 }, []],
    ["a function that never answers", () => new Promise<never>(() => {}), []],
  ] as const)("fired during %s: it ends at once and leaves no timer", async (_, entry, text) => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const events = ask(scripted([entry as ScriptEntry]), request(), controller.signal);
    await vi.advanceTimersByTimeAsync(1000);
    controller.abort();
    expect(endOf(await events)).toMatchObject(aborted([...text]));
    expect(vi.getTimerCount()).toBe(0);
  });
});

test("delays hold back the reply and each event", async () => {
  vi.useFakeTimers();
  const seen: string[] = [];
  const reading = (async () => {
    const model = scripted([{ text: "ab", chunk: 1, delayMs: 100, deltaDelayMs: 10 }]);
    for await (const event of model.stream(request(), new AbortController().signal)) seen.push(event.type);
  })();
  await vi.advanceTimersByTimeAsync(109);
  expect(seen).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(seen).toEqual(["text"]);
  await vi.advanceTimersByTimeAsync(10);
  await reading;
  expect(seen).toEqual(["text", "text", "end"]);
});

describe("the script", () => {
  test("answers request by request and keeps copies of what was asked", async () => {
    const model = scripted(["one", "two"], { id: "m", contextTokens: 10 });
    expect(model).toMatchObject({ id: "m", contextTokens: 10, remaining: 2 });
    const live = [user("go")];
    expect(endOf(await ask(model, request({ messages: live, system: "S" }))).message.content).toMatchObject([
      { text: "one" },
    ]);
    live.push(user("more"));
    await ask(model, request({ messages: live, toolChoice: "required" }));
    expect(model.requests.map(({ messages, system, toolChoice }) => [messages.length, system, toolChoice])).toEqual([
      [1, "S", "auto"],
      [2, undefined, "required"],
    ]);
    expect(model.requests[1]?.messages[0]).toBe(live[0]);
    expect(model.remaining).toBe(0);
    model.check();
  });

  test("asks functions with the request, its position and the signal", async () => {
    const model = scripted(["one", async (asked, index) => `${asked.messages.length} at ${index}`]);
    await ask(model);
    expect(endOf(await ask(model)).message.content).toMatchObject([{ text: "1 at 1" }]);
  });

  test("a function that throws, or returns what cannot be played, breaks the stream and fails the check", async () => {
    const model = scripted([
      () => {
        throw new Error("my own bug");
      },
      () => ({ text: "a", cut: 9 }),
    ]);
    await expect(ask(model)).rejects.toThrow("my own bug");
    await expect(ask(model)).rejects.toThrow("after 9 events");
    expect(() => model.check()).toThrow(/Entry 1 .*my own bug[\s\S]*Entry 2 .*9 events/);
  });

  test("left-over replies fail the check, also at the end of a using block", () => {
    expect(() => scripted(["one", "two"]).check()).toThrow("2 of 2 scripted replies were never asked for");
    expect(() => {
      using _model = scripted(["one"]);
    }).toThrow("1 of 1");
  });

  test("one request too many ends in an error, is reported, and fails the check", async () => {
    const { model, overruns } = quiet(["one"]);
    await ask(model);
    expect(overruns).toEqual([]);
    const end = endOf(await ask(model));
    expect(end.message.stopReason).toBe("error");
    expect(end.error?.message).toBe("The scripted model was asked for reply 2, but only 1 are scripted.");
    expect(overruns.map(String)).toEqual([`Error: ${end.error?.message}`]);
    expect(() => model.check()).toThrow(end.error?.message);
  });

  test("by default one request too many is an uncaught error", async () => {
    const queued: (() => void)[] = [];
    const spy = vi.spyOn(globalThis, "queueMicrotask").mockImplementation((task) => queued.push(task));
    await ask(scripted([]));
    spy.mockRestore();
    expect(queued).toHaveLength(1);
    expect(queued[0]).toThrow("asked for reply 1");
  });

  test("a closing request that is not scripted is answered with empty text, unless strict", async () => {
    const looped = async (options?: ScriptedOptions) => {
      const { model } = quiet([{ calls: [{ name: "look" }] }], options);
      const result = await createRuntime({ model }).run("go", { tools: [look], maxIterations: 1 }).result;
      return { model, result };
    };
    const { model, result } = await looped();
    expect(result).toMatchObject({ outcome: "max_iterations", text: "" });
    model.check();
    const strict = await looped({ strict: true });
    expect(strict.model.requests).toHaveLength(2);
    expect(() => strict.model.check()).toThrow("asked for reply 2");
  });

  test("other requests that may not pick have to be scripted", async () => {
    const none = quiet([]);
    expect(endOf(await ask(none.model, request({ toolChoice: "none" }))).message.stopReason).toBe("error");
    expect(() => none.model.check()).toThrow("asked for reply 1");
    const reasked = quiet(["neither of them"]);
    const asking = createRuntime({ model: reasked.model }).run("which?", { choices: ["A", "B"] });
    expect(await asking.result).toMatchObject({ outcome: "error" });
    expect(() => reasked.model.check()).toThrow("asked for reply 2");
  });
});

test("mistakes in replies do not compile", () => {
  const types = () => {
    // @ts-expect-error a misspelt field
    scripted([{ txt: "a" }]);
    // @ts-expect-error deltas and text say the same thing twice
    scripted([{ text: "a", deltas: ["a"] }]);
    // @ts-expect-error one way to end only
    scripted([{ text: "a", cut: 1, hang: true }]);
    // @ts-expect-error an error has its own stop reason
    scripted([{ error: { kind: "auth", message: "no" }, stopReason: "stop" }]);
    // @ts-expect-error not a stop reason
    scripted([{ stopReason: "tool_use" }]);
    // @ts-expect-error not a kind of failure
    scripted([{ error: { kind: "bad", message: "no" } }]);
    // @ts-expect-error a call has a name
    scripted([{ calls: [{ arguments: {} }] }]);
    // @ts-expect-error hang is true or absent
    scripted([{ hang: false }]);
  };
  expect(types).toBeTypeOf("function");
});
