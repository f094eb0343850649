import { describe, expect, test } from "vitest";
import { createRuntime, tool } from "../../src/core.ts";
import { logged, picks, play, sleep, start } from "./play.fixture.ts";
import { brief, checkReader, streaming } from "./reading.fixture.ts";

describe("the order of events", () => {
  test("of a run of two rounds with steering", async () => {
    const { run, ended, events } = start([{ text: "let me", ...picks("a", "b") }, "done"], {
      tools: [
        tool({
          name: "a",
          execute: (_args, ctx) => {
            ctx.update("half");
            run.send("hurry");
            return "ok";
          },
        }),
        logged("b", []),
      ],
    });
    await ended();
    expect(events.map(brief)).toEqual([
      "agent_start",
      "message_start user",
      "message_end user",
      "round_start 1",
      "message_start assistant",
      "update text",
      "update call_start",
      "update call_delta",
      "update call_end",
      "update call_start",
      "update call_delta",
      "update call_end",
      "message_end assistant",
      "tool_start a",
      "tool_update",
      "tool_end a",
      "tool_start b",
      "tool_end b",
      "round_end 1",
      "message_start user",
      "message_end user",
      "round_start 2",
      "message_start assistant",
      "update text",
      "message_end assistant",
      "round_end 2",
      "agent_end",
    ]);
    checkReader(events);
  });

  test("every event carries runId, path and seq; seq grows", async () => {
    const { run, events } = await play([picks("a"), "done"], { tools: [logged("a", [])] });
    for (const event of events) expect(event).toMatchObject({ runId: run.id, path: "", seq: expect.any(Number) });
    checkReader(events);
    expect(events.some((event) => event.gap)).toBe(false);
  });

  test("round_end holds the reply and its results; agent_end holds the result", async () => {
    const { events, result } = await play([picks("a", "nope"), "done"], { tools: [logged("a", [])] });
    const ends = events.flatMap((event) => (event.type === "round_end" ? [event] : []));
    expect(ends[0]).toMatchObject({ round: 1, message: { role: "assistant" } });
    expect(ends[0]?.toolResults.map((one) => one.toolName)).toEqual(["a", "nope"]);
    expect(ends[0]?.message).toBe(result.messages[1]);
    expect(ends[1]?.toolResults).toEqual([]);
    const end = events.at(-1);
    expect(end).toMatchObject({
      type: "agent_end",
      outcome: "stop",
      text: "done",
      rounds: 2,
      undelivered: [],
      usage: result.usage,
    });
    expect(end?.type === "agent_end" ? end.messages : []).toEqual(result.messages);
  });

  test("message_start and message_end of a user message hold it whole", async () => {
    const { events } = await play(["done"]);
    expect(events.slice(1, 3)).toMatchObject([
      { type: "message_start", role: "user", message: { role: "user", content: "go" } },
      { type: "message_end", message: { role: "user", content: "go" } },
    ]);
  });

  test("tool results have no message events", async () => {
    const { events } = await play([picks("a"), "done"], { tools: [logged("a", [])] });
    expect(events.filter((event) => event.type === "message_start")).toHaveLength(3);
  });

  test("deltas are passed on one by one, as they come", async () => {
    const { model, state } = streaming(5, (index) => (index === 2 ? sleep(5) : undefined));
    const run = createRuntime({ model }).run("go", { tools: [] });
    const sentAt: number[] = [];
    for await (const event of run) if (event.type === "message_update") sentAt.push(state.sent);
    expect(sentAt).toHaveLength(5);
    expect(sentAt[0]).toBeLessThanOrEqual(3);
  });

  test("reasoning is an update of its own kind", async () => {
    const { events } = await play([{ reasoning: "hm", text: "done" }]);
    expect(events.flatMap((event) => (event.type === "message_update" ? [event.update] : []))).toEqual([
      { type: "reasoning", delta: "hm" },
      { type: "text", delta: "done" },
    ]);
  });
});

describe("nested runs", () => {
  const nest = tool({
    name: "nest",
    execute: (_args, ctx) => ctx.runtime.exec("inner", { tools: [logged("leaf", [])] }),
  });

  test("their events come between those of the call, with its path and a seq of the same order", async () => {
    const { run, events } = await play([picks("nest"), picks("leaf"), "inner text", "done"], { tools: [nest] });
    const inner = events.filter((event) => event.path !== "");
    expect(inner.at(0)?.type).toBe("agent_start");
    expect(inner.at(-1)).toMatchObject({ type: "agent_end", text: "inner text" });
    expect(new Set(inner.map((event) => event.path)).size).toBe(1);
    expect(new Set(inner.map((event) => event.runId)).size).toBe(1);
    expect(inner[0]?.runId).not.toBe(run.id);
    const kinds = events.map((event) => (event.path === "" ? event.type : "inner"));
    const from = kinds.indexOf("tool_start");
    expect(kinds.slice(from + 1, kinds.indexOf("tool_end")).every((kind) => kind === "inner")).toBe(true);
    checkReader(events);
  });

  test("the path is that of the call they run in", async () => {
    const paths: string[] = [];
    const spy = tool({
      name: "spy",
      execute: async (_args, ctx) => {
        paths.push(ctx.path);
        return await ctx.runtime.exec("inner", { tools: [] });
      },
    });
    const { events } = await play([picks("spy", "spy"), "1", "2", "done"], { tools: [spy] });
    const seen = [...new Set(events.filter((event) => event.path !== "").map((event) => event.path))];
    expect(paths).toHaveLength(2);
    for (const [index, path] of seen.entries()) expect(path.startsWith(paths[index] ?? "?")).toBe(true);
  });

  test("run.text is the root's alone", async () => {
    const { run, ended } = start([{ text: "a", ...picks("nest") }, picks("leaf"), "inner text", "b"], {
      tools: [nest],
    });
    let text = "";
    for await (const delta of run.text) text += delta;
    await ended();
    expect(text).toBe("ab");
  });

  test("a nested handle has its own events", async () => {
    const seen: string[] = [];
    const watch = tool({
      name: "watch",
      execute: async (_args, ctx) => {
        for await (const event of ctx.runtime.run("inner", { tools: [] })) seen.push(brief(event));
        return "ok";
      },
    });
    await play([picks("watch"), "inner", "done"], { tools: [watch] });
    expect(seen.at(0)).toBe("agent_start");
    expect(seen.at(-1)).toBe("agent_end");
    expect(seen).toContain("update text");
  });
});
