import { AsyncLocalStorage } from "node:async_hooks";
import v8 from "node:v8";
import vm from "node:vm";
import { describe, expect, test } from "vitest";
import { createRuntime, type ExecOptions, type Message, type Tool, type ToolEntry, tool } from "../../src/core.ts";
import { checkHistory } from "../../src/message/history.ts";
import { scripted } from "../../src/testing/index.ts";
import {
  call,
  logged,
  outline,
  picks,
  play,
  read,
  refuses,
  sleep,
  start,
  tokens,
  until,
  warningsOf,
} from "./play.fixture.ts";

const user = (content: string): Message => ({ role: "user", content });
const said = (text: string): Message => ({
  role: "assistant",
  content: [{ type: "text", text }],
  model: "m",
  usage: tokens(0, 0),
  stopReason: "stop",
});
const called = (...ids: string[]): Message => ({
  role: "assistant",
  content: ids.map((id) => ({ type: "tool_call", id, name: "a", arguments: "{}" })),
  model: "m",
  usage: tokens(0, 0),
  stopReason: "tool_calls",
});
const answered = (callId: string): Message => ({
  role: "tool",
  callId,
  toolName: "a",
  content: [{ type: "text", text: "ok" }],
  isError: false,
});

describe("the messages option", () => {
  test("a valid history stands before the prompt, unchanged and without a warning", async () => {
    const messages = [user("hi"), called("x", "y"), answered("x"), answered("y"), said("done")];
    const { model, events } = await play(["again"], { messages });
    expect(model.requests[0]?.messages).toEqual([...messages, user("go")]);
    expect(warningsOf(events)).toEqual([]);
  });

  test("the caller's list is left alone", async () => {
    const messages = Object.freeze([Object.freeze(user("hi")), Object.freeze(said("ho"))]);
    await play(["again"], { messages });
    expect(messages).toHaveLength(2);
  });

  test("a list that the caller changes later changes nothing", async () => {
    const messages = [user("hi"), said("ho")];
    const started = start([picks("a"), "again"], { messages, tools: [logged("a", [])] });
    messages.length = 0;
    await started.ended();
    expect(started.model.requests[1]?.messages).toHaveLength(5);
  });

  test.each([
    ["an unanswered call", [user("hi"), called("x", "y"), answered("x"), said("well")]],
    ["an unanswered call at the end", [user("hi"), called("x")]],
    ["results out of order", [user("hi"), called("x", "y"), answered("y"), answered("x"), said("ok")]],
    ["an empty reply", [user("hi"), said(""), user("well?"), said("yes")]],
    ["an id twice", [user("hi"), called("x"), answered("x"), called("x"), answered("x"), said("ok")]],
    ["an empty id", [user("hi"), called(""), answered(""), said("ok")]],
  ] as readonly [string, Message[]][])("%s is repaired, with a warning", async (_, messages) => {
    const model = scripted(["fine"]);
    const run = createRuntime({ model }).run("go", { tools: [], messages });
    const events = await read(run);
    expect((await run.result).outcome).toBe("stop");
    expect(checkHistory(model.requests[0]?.messages ?? [])).toEqual([]);
    expect(warningsOf(events).length).toBeGreaterThanOrEqual(1);
  });

  test.each([
    ["no message", [7]],
    ["an unknown role", [{ role: "system", content: "x" }]],
    ["content that is none", [{ role: "user", content: 7 }]],
    ["an unknown part", [{ role: "user", content: [{ type: "video" }] }]],
  ])("%s is invalid_history, before any request", async (_, messages) => {
    await refuses({ tools: [], messages } as unknown as ExecOptions, "invalid_history", /messages?/);
  });

  test("an empty list is no history", async () => {
    const { model } = await play(["fine"], { messages: [] });
    expect(model.requests[0]?.messages).toEqual([user("go")]);
  });
});

describe("messages that the model gets", () => {
  test("are the same objects round after round, and those of the result", async () => {
    const script = [picks("a", "a"), picks("a"), "done"];
    const { model, result } = await play(script, { tools: [logged("a", [])], messages: [user("hi"), said("ho")] });
    const [first, second, third] = model.requests.map((request) => request.messages);
    expect(first?.every((message, index) => message === second?.[index])).toBe(true);
    expect(second?.every((message, index) => message === third?.[index])).toBe(true);
    expect(result.messages.slice(0, -1).every((message, index) => message === third?.[index + 2])).toBe(true);
  });

  test("only grow", async () => {
    const script = [...Array.from({ length: 5 }, (_, n) => picks(call("a", { n }))), "done"];
    const { model } = await play(script, { tools: [logged("a", [])] });
    expect(model.requests.map((request) => request.messages.length)).toEqual([1, 3, 5, 7, 9, 11]);
  });

  test("the list itself is the loop's own and live, the same round after round", async () => {
    const lists = new Set<readonly Message[]>();
    const replies = scripted([picks("a"), "done"]);
    const model = {
      id: "spy",
      stream: (request: Parameters<typeof replies.stream>[0], signal: AbortSignal) => {
        lists.add(request.messages);
        return replies.stream(request, signal);
      },
    };
    await createRuntime({ model }).exec("go", { tools: [logged("a", [])] });
    expect(lists.size).toBe(1);
  });
});

describe("the history is valid on every exit", () => {
  const slow = tool({ name: "slow", execute: () => sleep(60_000) });
  const a = logged("a", []);
  const half = { calls: [call("a"), { name: "a", arguments: '{"x', partial: true as const }] };
  const cases: readonly [string, Parameters<typeof play>[0], ExecOptions][] = [
    ["stop", [picks("a"), "done"], {}],
    ["empty", [picks("a"), ""], {}],
    ["length", [half, half], {}],
    ["refusal", [{ ...picks("a"), stopReason: "refusal" }], {}],
    ["error", [{ text: "x", ...picks("a"), throwAfter: 3 }], {}],
    ["aborted", [{ ...half, stopReason: "aborted" }], {}],
    ["timeout", [picks("a", "slow", "a")], { timeoutMs: 20 }],
    ["stuck", [picks("a"), picks("a")], { stuck: { endAfter: 2 } }],
    ["max_iterations", [picks("a"), { text: "x", ...picks("a") }], { maxIterations: 1 }],
    ["max_tool_calls", [picks("a", "a", "a")], { limits: { toolCalls: 1 }, atLimit: "stop" }],
    ["max_tokens", [{ ...picks("a"), usage: tokens(9, 9) }, "closing"], { limits: { totalTokens: 10 } }],
  ];
  test.each(cases)("%s: it can be handed on as messages without a repair", async (outcome, script, options) => {
    const { result } = await play(script, { tools: [a, slow], ...options });
    expect(result.outcome).toBe(outcome);
    const { events } = await play(["fine"], { messages: result.messages });
    expect(warningsOf(events)).toEqual([]);
  });
});

describe("CONC-08 the caller's AsyncLocalStorage", () => {
  const als = new AsyncLocalStorage<string>();
  const reader = (name: string, seen: unknown[], extra: Partial<Tool> = {}) =>
    tool({
      name,
      execute: async (_args, ctx) => {
        seen.push(als.getStore());
        await sleep(1);
        seen.push(als.getStore());
        if (name === "nest") await ctx.runtime.exec("inner", { tools: [reader("leaf", seen)] });
        return "ok";
      },
      ...extra,
    });

  test("is seen in tools, after steering, and in nested runs; the consumer is outside", async () => {
    const seen: unknown[] = [];
    const model = scripted([picks("a"), picks("nest"), picks("leaf"), "inner", "text", picks("a"), "done"]);
    const runtime = createRuntime({ model });
    const run = als.run("caller", () => runtime.run("go", { tools: [reader("a", seen), reader("nest", seen)] }));
    let sent = 0;
    for await (const event of run) {
      if (event.type === "round_end" && event.path === "" && event.round === 3 && sent++ === 0) run.send("more");
      else if (
        event.type === "message_update" &&
        event.update.type === "text" &&
        event.update.delta === "text" &&
        sent++ === 0
      )
        run.send("more");
    }
    expect((await run.result).text).toBe("done");
    expect(seen).toHaveLength(8);
    expect(new Set(seen)).toEqual(new Set(["caller"]));
    expect(als.getStore()).toBeUndefined();
  });

  test("is seen in calls that overlap, in both callbacks, in approve and requiresApproval", async () => {
    const seen: unknown[] = [];
    const see = <T>(value: T): T => {
      seen.push(als.getStore());
      return value;
    };
    const tools = [
      reader("a", seen, { readOnly: true }),
      reader("b", seen, { readOnly: true }),
      reader("c", seen, { requiresApproval: () => see(true) }),
    ];
    const runtime = createRuntime({ model: scripted([picks("a", "b", "c"), "done"]), approve: () => see(true) });
    const options: ExecOptions = {
      tools,
      toolExecution: "overlap",
      getSteeringMessages: () => see([]),
      getFollowUpMessages: () => see([]),
    };
    await als.run("caller", () => runtime.exec("go", options));
    expect(seen.length).toBeGreaterThanOrEqual(10);
    expect(new Set(seen)).toEqual(new Set(["caller"]));
  });

  test("two execs at once never mix", async () => {
    const seenOf = async (store: string) => {
      const seen: unknown[] = [];
      const runtime = createRuntime({ model: scripted([picks("a"), picks("a"), "done"]) });
      await als.run(store, () => runtime.exec("go", { tools: [reader("a", seen)] }));
      return seen;
    };
    const both = await Promise.all([seenOf("one"), seenOf("two")]);
    expect(both).toEqual([Array(4).fill("one"), Array(4).fill("two")]);
  });
});

describe("CONC-04 nothing is retained", () => {
  v8.setFlagsFromString("--expose-gc");
  const gc = vm.runInNewContext("gc") as () => void;
  const collected = async (refs: readonly WeakRef<object>[]) => {
    for (let tries = 0; tries < 20 && refs.some((ref) => ref.deref() !== undefined); tries++) {
      await sleep(1);
      gc();
    }
    return refs.filter((ref) => ref.deref() !== undefined).length;
  };

  test("finished nested runs and their results are collectable while the outer run goes on", async () => {
    const refs: WeakRef<object>[] = [];
    const nest = tool({
      name: "nest",
      execute: async (_args, ctx) => {
        const run = ctx.runtime.run("inner", { tools: [] });
        const result = await run.result;
        refs.push(new WeakRef(run), new WeakRef(result), new WeakRef(result.messages));
        return "ok";
      },
    });
    const gate = Promise.withResolvers<number>();
    const count = 30;
    // An own model: `scripted` keeps its requests.
    let asked = 0;
    const model = {
      id: "m",
      async *stream(request: { readonly messages: readonly Message[] }) {
        const outer = request.messages[0]?.content === "go";
        if (outer && ++asked > count) gate.resolve(await collected(refs));
        const calls = outer && asked <= count;
        yield {
          type: "end" as const,
          message: {
            role: "assistant" as const,
            content: calls
              ? [{ type: "tool_call" as const, id: `c${asked}`, name: "nest", arguments: "{}" }]
              : [{ type: "text" as const, text: "done" }],
            model: "m",
            usage: tokens(0, 0),
            stopReason: "stop" as const,
          },
        };
      },
    };
    await createRuntime({ model }).exec("go", { tools: [nest], maxIterations: 100 });
    expect(refs).toHaveLength(count * 3);
    expect(await gate.promise).toBeLessThanOrEqual(3);
  });

  test("raw values that tools return are not kept", async () => {
    const refs: WeakRef<object>[] = [];
    const big = tool({
      name: "big",
      execute: () => {
        const value = { text: "x".repeat(100) };
        refs.push(new WeakRef(value));
        return value;
      },
    });
    const left = Promise.withResolvers<number>();
    await play(
      [
        picks("big", "big"),
        async () => {
          left.resolve(await collected(refs));
          return "done";
        },
      ],
      { tools: [big] },
    );
    expect(await left.promise).toBe(0);
  });

  test("a finished run is collectable although its signal and runtime live on", async () => {
    const controller = new AbortController();
    const runtime = createRuntime({ model: { id: "m", stream: endless } });
    const refs: WeakRef<object>[] = [];
    for (let i = 0; i < 10; i++) {
      const run = runtime.run("go", { tools: [], signal: controller.signal, timeoutMs: 3_600_000 });
      refs.push(new WeakRef(run), new WeakRef(await run.result));
    }
    expect(await collected(refs)).toBeLessThanOrEqual(2);
    expect(controller.signal.aborted).toBe(false);
  });

  async function* endless() {
    yield {
      type: "end" as const,
      message: {
        role: "assistant" as const,
        content: [{ type: "text" as const, text: "done" }],
        model: "m",
        usage: tokens(0, 0),
        stopReason: "stop" as const,
      },
    };
  }
});

test("a run that is read by nobody needs no reader to end", async () => {
  const seen: string[] = [];
  const entry: ToolEntry = logged("a", seen);
  const run = createRuntime({ model: scripted([picks("a"), "done"]) }).run("go", { tools: [entry] });
  await until(() => seen.length === 1);
  expect(outline((await run.result).messages)).toEqual(["user: go", "assistant -> a", "tool a", "assistant: done"]);
});
