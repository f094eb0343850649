import { describe, expect, test } from "vitest";
import { frame } from "./raw/bedrock.ts";
import { runOf } from "./streams.ts";
import { wires } from "./wires.ts";

const start = (contentBlockIndex: number, name = "a") =>
  frame("contentBlockStart", { contentBlockIndex, start: { toolUse: { toolUseId: `call_${name}`, name } } });
const piece = (contentBlockIndex: number, input: string) =>
  frame("contentBlockDelta", { contentBlockIndex, delta: { toolUse: { input } } });
const stop = (contentBlockIndex: number) => frame("contentBlockStop", { contentBlockIndex });

const begin = frame("messageStart", { role: "assistant" });
const end = [
  frame("messageStop", { stopReason: "tool_use" }),
  frame("metadata", { usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 }, metrics: { latencyMs: 1 } }),
];
const args = { name: "a", input: { t: "A" } };

describe.each(wires.filter(({ grammar }) => grammar === "bedrock"))("$name", (wire) => {
  test.each([
    ["all", [start(0), piece(1, '{"t":'), piece(1, '"A"}'), stop(0)]],
    ["the last ones", [start(0), piece(0, '{"t":'), piece(7, '"A"}'), stop(0)]],
    ["the first ones", [start(0), piece(7, '{"t":'), piece(0, '"A"}'), stop(0)]],
    [
      "all, behind a call that ended",
      [start(0, "b"), piece(0, "{}"), stop(0), start(1), piece(0, '{"t":"A"}'), stop(1)],
    ],
  ])("pieces under the index of no open call are those of the only one: %s", async (_, frames) => {
    const { ran, outcome, warnings } = await runOf(wire, [begin, ...frames, ...end]);
    expect(ran.at(-1)).toEqual(args);
    expect(outcome).toBe("stop");
    expect(warnings).toEqual(["call_pieces"]);
  });

  test.each([
    ["two are open", [start(0), start(1, "b"), piece(5, '{"t":"A"}'), stop(0), stop(1)]],
    ["none is open any more", [start(0), stop(0), piece(1, '{"t":"A"}')]],
    ["none is open yet", [piece(0, '{"t":"A"}'), start(0), stop(0)]],
  ])("a piece that could be any call's makes the reply a cut one: %s", async (_, frames) => {
    const { ran, results, warnings } = await runOf(wire, [begin, ...frames, ...end]);
    expect(ran).toEqual([]);
    expect(results.length).toBeGreaterThan(0);
    expect(results.every(({ isError }) => isError)).toBe(true);
    expect(warnings).toContain("call_pieces");
  });

  test("a call without arguments has none, and empty pieces are no pieces", async () => {
    const { ran, warnings } = await runOf(wire, [begin, start(0), piece(0, ""), piece(3, ""), stop(0), ...end]);
    expect({ ran, warnings }).toEqual({ ran: [{ name: "a", input: {} }], warnings: [] });
  });
});
