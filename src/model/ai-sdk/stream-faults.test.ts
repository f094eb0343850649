import { expect, test } from "vitest";
import { replyTo } from "../../../test/wires/ask.ts";
import { callParts, finish, modelV3, modelV4, type Part, textParts } from "../../../test/wires/language-model.ts";
import { createRuntime, tool } from "../../core.ts";
import { aiSdk } from "./ai-sdk.ts";

/** A model object that a user built: what its streams lack cannot be looked up on a wire. */
const start = (id: string, toolName = "f"): Part => ({ type: "tool-input-start", id, toolName });
const delta = (id: string, text: string): Part => ({ type: "tool-input-delta", id, delta: text });
const ended = (id: string): Part => ({ type: "tool-input-end", id });
const final = (toolCallId: string, input: string, toolName = "f"): Part => ({
  type: "tool-call",
  toolCallId,
  toolName,
  input,
});
const broken = (text: string): Part => ({
  type: "error",
  error: Object.assign(new Error("JSON parsing failed"), { name: "AI_JSONParseError", text }),
});
const strange = (value: unknown): Part => ({
  type: "error",
  error: Object.assign(new Error("Type validation failed"), { name: "AI_TypeValidationError", value }),
});

type Case = {
  readonly name: string;
  readonly parts: readonly Part[];
  readonly ran: readonly unknown[];
  readonly outcome?: string;
};

const one = [{ a: 1 }];
const stop = finish("tool-calls");

const cases: readonly Case[] = [
  { name: "STREAM-05 cumulative pieces", parts: [...callParts("c", "f", '{"a"', '{"a":1}'), stop], ran: one },
  {
    name: "STREAM-05 cumulative pieces, no last word",
    parts: [start("c"), delta("c", '{"a"'), delta("c", '{"a":1}'), ended("c"), stop],
    ran: one,
  },
  {
    name: "STREAM-07 its beginning twice",
    parts: [start("c"), ...callParts("c", "f", '{"a"', ":1}"), stop],
    ran: one,
  },
  {
    name: "STREAM-07 its beginning twice, no last word",
    parts: [start("c"), start("c"), delta("c", '{"a":1}'), ended("c"), stop],
    ran: one,
  },
  { name: "STREAM-07 the last word twice", parts: [final("c", '{"a":1}'), final("c", '{"a":1}'), stop], ran: one },
  {
    name: "STREAM-07 the last word twice, written otherwise",
    parts: [final("c", '{"a":1}'), final("c", '{ "a": 1 }'), stop],
    ran: one,
  },
  {
    name: "STREAM-07 the whole call streamed twice",
    parts: [...callParts("c", "f", '{"a":', "1}"), ...callParts("c", "f", '{"a":', "1}"), stop],
    ran: one,
  },
  {
    name: "STREAM-07 the whole call streamed twice, without a last word the second time",
    parts: [...callParts("c", "f", '{"a":1}'), start("c"), delta("c", '{"a":1}'), ended("c"), stop],
    ran: one,
  },
  {
    name: "ID-02 two calls of one id",
    parts: [...callParts("c", "f", '{"a":1}'), ...callParts("c", "f", '{"a":2}'), stop],
    ran: [{ a: 1 }, { a: 2 }],
  },
  {
    name: "an empty object as the last word of half a call",
    parts: [start("c"), delta("c", '{"a":'), ended("c"), final("c", "{}"), stop],
    ran: [],
  },
  {
    name: "a piece of no call, and no last word",
    parts: [start("c"), delta("x", '{"a":1}'), ended("c"), stop],
    ran: [],
  },
  { name: "a call that never ended", parts: [start("c"), delta("c", '{"a":1}'), stop], ran: [] },
  { name: "a call behind which nothing came", parts: [...callParts("c", "f", '{"a":1}')], ran: [] },
  { name: "an end without a reason", parts: [...callParts("c", "f", '{"a":1}'), finish("interrupted")], ran: [] },
  { name: "a limit", parts: [...callParts("c", "f", '{"a":1}'), finish("length")], ran: [] },
  { name: "STOP-04 another reason", parts: [...callParts("c", "f", '{"a":1}'), finish("other", "x")], ran: one },
  {
    name: "half an event inside a call",
    parts: [
      start("c"),
      delta("c", '{"a":'),
      broken('{"del'),
      delta("c", "1}"),
      ended("c"),
      final("c", '{"a":1}'),
      stop,
    ],
    ran: [],
  },
  { name: "words between events", parts: [broken("PING"), ...callParts("c", "f", '{"a":1}'), stop], ran: one },
  {
    name: "an event of a new kind",
    parts: [strange({ type: "news" }), ...callParts("c", "f", '{"a":1}'), stop],
    ran: one,
  },
  {
    name: "an event of a call that could not be read",
    parts: [strange({ tool_calls: [{ index: "0" }] }), ...callParts("c", "f", '{"a":1}'), stop],
    ran: [],
  },
  {
    name: "STREAM-11 an error that the package could not read",
    parts: [...callParts("c", "f", '{"a":1}'), strange({ error: "overloaded" }), stop],
    ran: [],
    outcome: "error",
  },
  {
    name: "STREAM-11 an error in front of a normal end",
    parts: [...callParts("c", "f", '{"a":1}'), { type: "error", error: new Error("overloaded") }, stop],
    ran: [],
    outcome: "error",
  },
];

test.each(cases)("never twice, never half: $name", async ({ parts, ran: expected, outcome = "stop" }) => {
  for (const build of [modelV4, modelV3]) {
    if (
      build === modelV3 &&
      parts.some((part) => part.type === "finish" && part.finishReason.unified === "interrupted")
    )
      continue;
    const ran: unknown[] = [];
    const f = tool({
      name: "f",
      description: "Counts.",
      input: { type: "object", properties: {} },
      execute: (input) => {
        ran.push(input);
        return "ok";
      },
    });
    const language = build([{ parts }, { parts: [...textParts("Done."), finish("stop", "stop")] }]);
    const runtime = createRuntime({ model: aiSdk(language, { retry: { retries: 0 } }), tools: [f] });
    const result = await runtime.run("Go.").result;
    expect(ran).toEqual(expected);
    expect(result.outcome).toBe(outcome);
  }
});

test("a reply that holds only text stays, and what could not be read is said once", async () => {
  const parts = [broken("x"), ...textParts("Hi."), broken("y"), finish("stop", "stop")];
  const runtime = createRuntime({ model: aiSdk(modelV4([{ parts }])) });
  const run = runtime.run("Go.");
  const warnings: string[] = [];
  for await (const event of run) if (event.type === "warning") warnings.push(event.code);
  expect(await run.result).toMatchObject({ outcome: "stop", text: "Hi." });
  expect(warnings).toEqual(["unreadable_event"]);
});

test("behind a piece that is missing nothing of calls is told that could look whole", async () => {
  const parts = [start("c"), delta("c", '{"a":'), broken('{"tool'), delta("c", "1}"), ended("c"), stop];
  const { events, end } = await replyTo(...parts);
  expect(events.map(({ type }) => type)).toEqual(["call_start", "call_delta", "warning", "end"]);
  expect(end.message.stopReason).toBe("length");
});

test("a stream that stays open behind its finish has ended", async () => {
  const model = aiSdk(modelV4([{ parts: [...textParts("Hi."), finish("stop", "stop")], hang: true }]));
  const { outcome, text } = await createRuntime({ model }).run("Go.").result;
  expect({ outcome, text }).toEqual({ outcome: "stop", text: "Hi." });
});
