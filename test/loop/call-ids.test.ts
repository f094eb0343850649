import { describe, expect, test } from "vitest";
import { tool } from "../../src/core.ts";
import { callsOf } from "../../src/message/message.ts";
import { answers, call, picks, play, resultsOf } from "./play.fixture.ts";

describe("ids and names", () => {
  const seen = (log: unknown[]) =>
    tool({ name: "ls", input: { type: "object" }, execute: (args) => void log.push(args) });
  const idsOf = (messages: Parameters<typeof resultsOf>[0]) => resultsOf(messages).map((message) => message.callId);

  test("ID-02 an id of an earlier round: both calls run once, ids stay unique, results are not doubled", async () => {
    const log: unknown[] = [];
    const { result: ended } = await play(
      [picks(call("ls", { n: 1 }, "shell:0")), picks(call("ls", { n: 2 }, "shell:0")), "done"],
      {
        tools: [seen(log)],
      },
    );
    expect(log).toEqual([{ n: 1 }, { n: 2 }]);
    expect(new Set(idsOf(ended.messages)).size).toBe(2);
  });

  test("ID-02 an id of an earlier history", async () => {
    const log: unknown[] = [];
    const earlier = (await play([picks(call("ls", { n: 1 }, "shell:0")), "done"], { tools: [seen(log)] })).result
      .messages;
    const { result: ended } = await play([picks(call("ls", { n: 2 }, "shell:0")), "done"], {
      tools: [seen(log)],
      messages: earlier,
    });
    expect(log).toEqual([{ n: 1 }, { n: 2 }]);
    expect(idsOf(ended.messages)).not.toEqual(idsOf(earlier));
  });

  test("an id twice in one reply", async () => {
    const log: unknown[] = [];
    const { deltas } = {
      deltas: [
        {
          type: "end",
          message: {
            role: "assistant",
            content: [
              { type: "tool_call", id: "x", name: "ls", arguments: '{"n":1}' },
              { type: "tool_call", id: "x", name: "ls", arguments: '{"n":2}' },
            ],
            model: "m",
            usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
            stopReason: "tool_calls",
          },
        },
      ] as const,
    };
    const { result: ended } = await play([{ deltas }, "done"], { tools: [seen(log)] });
    expect(log).toEqual([{ n: 1 }, { n: 2 }]);
    expect(new Set(idsOf(ended.messages)).size).toBe(2);
  });

  test("ID-04 an empty id counts as missing: one is made, and the call runs", async () => {
    const log: unknown[] = [];
    const { result: ended } = await play([picks(call("ls", { x: 1 }, "")), "done"], { tools: [seen(log)] });
    expect(log).toEqual([{ x: 1 }]);
    expect(idsOf(ended.messages)[0]).not.toBe("");
  });

  test("ID-04 empty id and empty name: an error result under a generated id", async () => {
    const { result: ended } = await play([picks(call("", { x: 1 }, "")), "done"], { tools: [seen([])] });
    expect(answers(ended.messages)).toEqual([expect.stringMatching(/^! /)]);
    expect(idsOf(ended.messages)[0]).not.toBe("");
    expect(resultsOf(ended.messages)[0]?.toolName).not.toBe("");
  });

  test("NAME-03 an empty name: an error result, and the run goes on", async () => {
    const { result: ended } = await play([picks(call("", {}, "c1")), "done"], { tools: [seen([])] });
    expect(ended.outcome).toBe("stop");
    expect(answers(ended.messages)).toEqual([expect.stringMatching(/^! /)]);
  });

  test("calls whose arguments are in no form of theirs in the history stay byte for byte", async () => {
    const raw = '{ "n" :\t1, "n": 2 }';
    const { model } = await play([picks(call("ls", raw)), "done"], { tools: [seen([])] });
    const reply = model.requests[1]?.messages[1];
    expect(reply?.role === "assistant" ? callsOf(reply)[0]?.arguments : "").toBe(raw);
  });
});
