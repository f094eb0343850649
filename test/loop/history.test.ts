import { describe, expect, test } from "vitest";
import { createRuntime, type ExecOptions, type Message, type ToolEntry, tool } from "../../src/core.ts";
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
    ["timeout", [picks("a", "slow", "a")], { timeoutMs: 150 }],
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

test("a run that is read by nobody needs no reader to end", async () => {
  const seen: string[] = [];
  const entry: ToolEntry = logged("a", seen);
  const run = createRuntime({ model: scripted([picks("a"), "done"]) }).run("go", { tools: [entry] });
  await until(() => seen.length === 1);
  expect(outline((await run.result).messages)).toEqual(["user: go", "assistant -> a", "tool a", "assistant: done"]);
});
