import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type AgentEvent, createRuntime, exec, method, RondoError, type RunResult, run, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { failure, hanging, never, outline, picks, read, sleep, tokens, until } from "../loop/play.fixture.ts";
import { checkReader, streaming } from "../loop/reading.fixture.ts";
import { expectNothingUnhandled } from "../loop/unhandled.fixture.ts";
import { routed } from "./agents.fixture.ts";

expectNothingUnhandled();

const asking = (model: ReturnType<typeof scripted>, ...prompts: string[]) =>
  method({ name: "m" }, async () => {
    const texts: string[] = [];
    for (const prompt of prompts) texts.push(await exec(prompt, { model, tools: [] }));
    return texts;
  });

async function textOf(text: AsyncIterable<string>): Promise<string> {
  let all = "";
  for await (const delta of text) all += delta;
  return all;
}

describe("the result of a method's run", () => {
  test("has its value, the sum of the usage, and text, messages and rounds of the last run in it", async () => {
    const nothing = tool({ name: "t", execute: () => "x" });
    const model = scripted([
      { text: "one", usage: tokens(3, 1) },
      { ...picks("t"), usage: tokens(5, 1) },
      { text: "two", usage: tokens(7, 1) },
    ]);
    const m = method({ name: "m" }, async () => {
      await exec("first", { model, tools: [] });
      await exec("second", { model, tools: [nothing] });
      return { mine: true };
    });
    const result = await m.run().result;
    expect(result).toMatchObject({ outcome: "stop", value: { mine: true }, text: "two", rounds: 2 });
    expect(result.usage).toMatchObject(tokens(15, 3));
    expect(outline(result.messages)).toEqual(["user: second", "assistant -> t", "tool t", "assistant: two"]);
    expect(result.undelivered).toEqual([]);
    expect(result.error).toBeUndefined();
  });

  test("of one that holds no run is its value alone", async () => {
    const m = method({ name: "m", input: z.object({ n: z.number() }) }, ({ n }) => n + 1);
    const handle = m.run({ n: 1 });
    const events = await read(handle);
    expect(events.map(({ type }) => type)).toEqual(["agent_start", "agent_end"]);
    expect(await handle.result).toEqual({
      outcome: "stop",
      value: 2,
      text: "",
      usage: tokens(0, 0),
      messages: [],
      undelivered: [],
      rounds: 0,
    });
  });

  test("of one that returns undefined has that value", async () => {
    const result = await method({ name: "m" }, () => {}).run().result;
    expect(result).toMatchObject({ outcome: "stop", value: undefined });
    expect("value" in result).toBe(true);
  });

  test.each([
    ["an Error", new TypeError("bad thing"), "error", /^bad thing$/],
    ["text", "bad text", "error", /bad text/],
    ["nothing", undefined, "error", /undefined/],
    ["an object without a prototype", Object.create(null), "error", /threw/],
    ["a RondoError of another code", new RondoError("unknown_tool", "no such tool"), "error", /no such tool/],
    ["a RondoError of an outcome", new RondoError("refusal", "will not"), "refusal", /will not/],
  ] as const)("of one that throws %s is that failure", async (_, thrown, outcome, says) => {
    const m = method({ name: "m" }, () => {
      throw thrown;
    });
    const handle = m.run();
    const events = await read(handle);
    const result = await handle.result;
    expect(result).toMatchObject({ outcome, error: { message: expect.stringMatching(says) } });
    if ((thrown as unknown) instanceof Error) expect(result.error).toBe(thrown);
    else expect(result.error).toBeInstanceOf(RondoError);
    expect(result).not.toHaveProperty("value");
    expect(events.at(-1)).toMatchObject({ type: "agent_end", outcome, error: { message: result.error?.message } });
  });

  test("of one whose run ends at its limit without an answer has that outcome and error", async () => {
    const model = scripted([picks("t")]);
    const t = tool({ name: "t", execute: () => "x" });
    const m = method({ name: "m" }, () => exec("go", { model, tools: [t], maxIterations: 1 }));
    const result = await m.run().result;
    expect(result).toMatchObject({ outcome: "max_iterations", error: { code: "max_iterations" } });
  });

  test("comes though a run that was begun in it goes on; what that does later is told nowhere", async () => {
    const gate = Promise.withResolvers<string>();
    const model = scripted([() => gate.promise]);
    const left: Promise<RunResult>[] = [];
    const m = method({ name: "m" }, () => {
      left.push(run("go", { model, tools: [] }).result);
      return "returned";
    });
    const handle = m.run();
    const events: AgentEvent[] = [];
    const reading = read(handle, events);
    expect(await handle.result).toMatchObject({ outcome: "stop", value: "returned", text: "" });
    await reading;
    const count = events.length;
    expect(handle.send("late")).toMatchObject({ status: "undelivered" });
    gate.resolve("in the end");
    expect(await left[0]).toMatchObject({ outcome: "stop", text: "in the end", undelivered: [] });
    expect(events).toHaveLength(count);
    expect(events.at(-1)).toMatchObject({ type: "agent_end", runId: handle.id });
  });

  test("arguments that do not fit throw at once; those of an asynchronous schema end the run", async () => {
    const m = method({ name: "m", input: z.object({ n: z.number() }) }, ({ n }) => n);
    expect(() => m.run({ n: "1" as unknown as number })).toThrow(
      expect.objectContaining({ code: "invalid_arguments", message: expect.stringMatching(/"m"[\s\S]*n: /) }),
    );
    const slow = z.object({ n: z.number().refine((n) => sleep(1).then(() => n > 1), "too small") });
    const later = method({ name: "later", input: slow }, ({ n }) => n);
    expect(await later.run({ n: 1 }).result).toMatchObject({ outcome: "error", error: { code: "invalid_arguments" } });
    expect(await later.run({ n: 2 }).result).toMatchObject({ outcome: "stop", value: 2 });
  });

  test("options that do not exist throw at once", () => {
    const m = method({ name: "m" }, () => 1);
    expect(() => m.run({}, { singal: new AbortController().signal } as object)).toThrow(/"singal".*"signal"/);
    expect(() => m.run({}, { signal: {} as AbortSignal })).toThrow(/"signal" must be an AbortSignal/);
    expect(() => m.run({}, null as unknown as object)).toThrow(/must be an object/);
  });
});

describe("aborting a method's run", () => {
  test("ends the run inside, and the outcome is aborted with the reason", async () => {
    const model = scripted([{ hang: true }]);
    const m = method({ name: "m" }, () => exec("go", { model, tools: [] }));
    const handle = m.run();
    await until(() => model.requests.length === 1);
    handle.abort("enough");
    expect(await handle.result).toMatchObject({
      outcome: "aborted",
      error: { code: "aborted", message: expect.stringMatching(/enough/) },
    });
  });

  test.each(["before it began", "while it goes on"])(
    "whose body ignores it: settles all the same, %s",
    async (when) => {
      let began = 0;
      const m = method({ name: "m" }, () => {
        began++;
        return never();
      });
      const handle = m.run();
      if (when === "while it goes on") await until(() => began === 1);
      handle.abort("enough");
      const events = await read(handle);
      expect(await handle.result).toMatchObject({ outcome: "aborted", error: { code: "aborted", message: "enough" } });
      expect(began).toBe(when === "while it goes on" ? 1 : 0);
      expect(events.at(-1)).toMatchObject({ type: "agent_end", outcome: "aborted" });
    },
  );

  test("fires the signal of its context, also for methods that it calls", async () => {
    const seen: string[] = [];
    const inner = method({ name: "inner" }, async (_args, ctx) => {
      await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
      seen.push(`inner ${String(ctx.signal.reason.message)}`);
    });
    const m = method({ name: "m" }, async (_args, ctx) => {
      ctx.signal.addEventListener("abort", () => seen.push("outer"));
      await inner();
    });
    const handle = m.run();
    await sleep(1);
    handle.abort("enough");
    await handle.result;
    await sleep(1);
    expect(seen.toSorted()).toEqual(["inner enough", "outer"]);
  });

  test("by the signal of its options; one that has fired already keeps the body from starting", async () => {
    const control = new AbortController();
    let began = 0;
    const m = method({ name: "m" }, () => {
      began++;
      return never();
    });
    const handle = m.run({}, { signal: control.signal });
    await until(() => began === 1);
    control.abort(new Error("from outside"));
    expect(await handle.result).toMatchObject({ outcome: "aborted", error: { message: "from outside" } });
    expect(await m.run({}, { signal: control.signal }).result).toMatchObject({ outcome: "aborted" });
    expect(began).toBe(1);
  });

  test("after the end changes nothing, and an exec that an ignoring body begins later is refused", async () => {
    const gate = Promise.withResolvers<void>();
    const late = Promise.withResolvers<unknown>();
    const model = scripted([]);
    const m = method({ name: "m" }, async () => {
      await gate.promise;
      late.resolve(await failure(exec("go", { model, tools: [] })));
    });
    const handle = m.run();
    await sleep(1);
    handle.abort();
    const result = await handle.result;
    handle.abort("again");
    expect(await handle.result).toBe(result);
    gate.resolve();
    expect(await late.promise).toMatchObject({ code: "aborted" });
    expect(model.requests).toHaveLength(0);
  });

  test("a body that throws later is heard no more", async () => {
    const gate = Promise.withResolvers<void>();
    const m = method({ name: "m" }, async () => {
      await gate.promise;
      throw new Error("late");
    });
    const handle = m.run();
    await sleep(1);
    handle.abort("enough");
    expect(await handle.result).toMatchObject({ outcome: "aborted", error: { message: "enough" } });
    gate.resolve();
    await sleep(1);
  });

  test("a body that returns a value at once when aborted has come to that value", async () => {
    const m = method({ name: "m" }, async (_args, ctx) => {
      await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve, { once: true }));
      return "partial";
    });
    const handle = m.run();
    await sleep(1);
    handle.abort();
    expect(await handle.result).toMatchObject({ outcome: "stop", value: "partial" });
  });
});

describe("a method's run inside a run", () => {
  const within = (body: () => Promise<unknown>, options: object = {}) => {
    const { model } = routed({ go: [picks("t"), "done"], inner: ["inner text"] });
    const t = tool({ name: "t", execute: body });
    return createRuntime({ model }).run("go", { tools: [t], ...options });
  };

  test("is aborted with it, though the call is over", async () => {
    const { model } = routed({ go: [picks("t"), { hang: true }] });
    const results: Promise<RunResult>[] = [];
    const hung = method({ name: "hung" }, () => never());
    const t = tool({
      name: "t",
      execute: () => {
        results.push(hung.run().result);
        return "left";
      },
    });
    const outer = createRuntime({ model }).run("go", { tools: [t] });
    for await (const event of outer) if (event.type === "tool_end") break;
    outer.abort("all of it");
    expect((await outer.result).outcome).toBe("aborted");
    expect(await results[0]).toMatchObject({ outcome: "aborted" });
  });

  test("is out of time with it", async () => {
    const hung = method({ name: "hung" }, () => never());
    const inner = Promise.withResolvers<RunResult>();
    const outer = within(
      async () => {
        inner.resolve(await hung.run().result);
      },
      { timeoutMs: 40 },
    );
    expect((await outer.result).outcome).toBe("timeout");
    expect(await inner.promise).toMatchObject({ outcome: "timeout", error: { code: "timeout" } });
  });

  test("begun behind the end of the run around is a root of its own", async () => {
    const gate = Promise.withResolvers<void>();
    const inner = Promise.withResolvers<readonly [AgentEvent[], RunResult]>();
    const m = method({ name: "m" }, () => exec("inner", { tools: [] }));
    const { model } = routed({ go: [picks("t"), "done"], inner: ["inner text"] });
    const t = tool({
      name: "t",
      execute: () => {
        void gate.promise.then(async () => {
          const handle = m.run();
          const events = await read(handle);
          inner.resolve([events, await handle.result]);
        });
        return "left";
      },
    });
    await createRuntime({ model }).exec("go", { tools: [t] });
    gate.resolve();
    const [events, result] = await inner.promise;
    expect(result).toMatchObject({ outcome: "stop", value: "inner text" });
    expect(events[0]).toMatchObject({ type: "agent_start", path: "" });
    expect(events.some((event) => event.type === "warning" && event.code === "outer_run_ended")).toBe(true);
  });

  test("begun behind an abort of the run around does not run its body", async () => {
    const gate = Promise.withResolvers<void>();
    const inner = Promise.withResolvers<RunResult>();
    let began = 0;
    const m = method({ name: "m" }, () => void began++);
    const { model } = routed({ go: [picks("t")] });
    const t = tool({
      name: "t",
      execute: async () => {
        await gate.promise;
        inner.resolve(await m.run().result);
      },
    });
    const outer = createRuntime({ model }).run("go", { tools: [t] });
    for await (const event of outer) if (event.type === "tool_start") outer.abort();
    gate.resolve();
    expect(await inner.promise).toMatchObject({ outcome: "aborted" });
    expect(began).toBe(0);
  });
});

describe("readers of a method's run", () => {
  test("that come late are told of it, then hear the rest; several at once", async () => {
    const gate = Promise.withResolvers<string>();
    const model = scripted(["one", () => gate.promise]);
    const handle = asking(model, "first", "second").run();
    await until(() => model.requests.length === 2);
    const late = [read(handle), read(handle)];
    gate.resolve("two");
    for (const events of await Promise.all(late)) {
      checkReader(events);
      expect(events[0]).toMatchObject({ type: "agent_start", path: "", gap: true });
      expect(events.filter(({ type }) => type === "agent_end").map(({ path }) => path)).toEqual(["1", ""]);
    }
    const after = await read(handle);
    expect(after[0]).toMatchObject({ type: "agent_start", gap: true });
    expect(after.at(-1)).toMatchObject({ type: "agent_end", path: "", outcome: "stop" });
  });

  test("that stop reading hold nothing up", async () => {
    const model = scripted([{ text: "a long text", chunk: 1 }]);
    const handle = asking(model, "go").run();
    for await (const event of handle) if (event.type === "message_update") break;
    expect(await handle.result).toMatchObject({ value: ["a long text"] });
  });

  test("that read slowly, or never, cost nothing: they lag and are told in short", async () => {
    const { model } = streaming(5000);
    const m = method({ name: "m" }, () => exec("go", { model, tools: [] }));
    const handle = m.run();
    const iterator = handle[Symbol.asyncIterator]();
    const absent = handle[Symbol.asyncIterator]();
    const first = await iterator.next();
    expect(first.value).toMatchObject({ type: "agent_start" });
    const result = await handle.result;
    const rest = await read({ [Symbol.asyncIterator]: () => iterator });
    expect(rest.length).toBeLessThan(1100);
    checkReader([first.value as AgentEvent, ...rest]);
    expect(rest.at(-1)).toMatchObject({ type: "agent_end", path: "", text: result.text });
    await absent.return?.();
  });

  test("of text get that of the runs directly in it, and only theirs", async () => {
    const { model } = routed({ first: [picks("t"), "one "], second: ["two"], deep: ["not this"] });
    const t = tool({ name: "t", execute: () => exec("deep", { tools: [] }) });
    const helper = method({ name: "helper" }, () => exec("deep", { model, tools: [] }));
    const m = method({ name: "m" }, async () => {
      await exec("first", { model, tools: [t] });
      return exec("second", { model, tools: [] });
    });
    const handle = m.run();
    const late = handle.result.then(() => textOf(handle.text));
    expect(await textOf(handle.text)).toBe("one two");
    expect(await late).toBe("two");
    void helper;
  });

  test("nobody who reads: nothing rejects, whatever is thrown", async () => {
    method({ name: "m" }, () => Promise.reject(new Error("unheard"))).run();
    method({ name: "n" }, () => exec("go", { model: hanging(), tools: [], timeoutMs: 3 })).run();
    await sleep(20);
  });
});
