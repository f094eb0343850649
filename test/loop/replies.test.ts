import { describe, expect, test } from "vitest";
import type { ScriptEntry } from "../../src/testing/index.ts";
import { answers, call, logged, notRun, outline, picks, play, tokens, warningsOf } from "./play.fixture.ts";

const ended = async (entry: ScriptEntry, log: string[] = []) =>
  (await play([entry], { tools: [logged("a", log)] })).result;

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
    expect(answers(result.messages)).toEqual([notRun, notRun]);
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
