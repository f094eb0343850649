import { expect, test } from "vitest";
import type { ToolCall, ToolResultMessage } from "../message/message.ts";
import type { AgentEvent } from "./events.ts";
import { Reader, type RunView, readerCapacity } from "./reader.ts";

test("a reader that lags behind the end of a picked function is not told of that again, else once more in whole", async () => {
  const call: ToolCall = { type: "tool_call", id: "decision_1", name: "pay", arguments: "{}" };
  const result: ToolResultMessage = { role: "tool", callId: call.id, toolName: "pay", content: [], isError: false };
  const at = { runId: "r", path: "", seq: 1 };
  const begin: AgentEvent = { type: "agent_start", ...at };
  const start: AgentEvent = { type: "tool_start", call, ...at };
  const end: AgentEvent = { type: "tool_end", call, result, ...at };
  const inside: AgentEvent = { type: "warning", code: "c", message: "m", ...at, runId: "inside" };
  const pick = { call, result };
  for (const read of [0, 1, 2, 3]) {
    let begun = false;
    const view: RunView = {
      runId: "r",
      path: "",
      seq: 1,
      history: [],
      start: 0,
      get begun() {
        return begun;
      },
      end: undefined,
      startedCalls: () => [],
      openReply: () => undefined,
      decision: () => pick,
    };
    const reader = new Reader(view, () => undefined);
    begun = true;
    for (const event of [begin, start, end]) reader.push(event);
    for (let i = 0; i < read; i++) await reader.next();
    for (let i = 0; i <= readerCapacity; i++) reader.push(inside);
    const told: (string | undefined)[] = [];
    const last: AgentEvent = { ...inside, message: "last" };
    const live = reader.next();
    reader.push(last);
    for (let next = await live; next.value !== last; next = await reader.next()) told.push(next.value?.type);
    const pair = read === 3 ? [] : ["tool_start", "tool_end"];
    expect(told).toEqual(read === 0 ? ["agent_start", ...pair] : pair);
  }
});
