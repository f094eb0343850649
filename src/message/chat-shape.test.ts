import { expect, test } from "vitest";
import type { Message } from "./message.ts";
import { repairHistory } from "./repair.ts";

const repaired = (...messages: unknown[]) => repairHistory([{ role: "user", content: "Hi" }, ...messages] as Message[]);

test("SHAPE-03 calls beside null content, and their results, are kept in our own shape", () => {
  const { messages, repairs } = repaired(
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "a", type: "function", function: { name: "look", arguments: '{ "q": 1 }' } }],
    },
    { role: "tool", tool_call_id: "a", content: "a key" },
  );
  expect(messages.slice(1)).toMatchObject([
    { content: [{ type: "tool_call", id: "a", name: "look", arguments: '{ "q": 1 }' }], stopReason: "tool_calls" },
    { callId: "a", toolName: "look", content: [{ type: "text", text: "a key" }], isError: false },
  ]);
  expect(messages[1]).not.toHaveProperty("tool_calls");
  expect(messages[2]).not.toHaveProperty("tool_call_id");
  expect(repairs.join("\n")).toMatch(/message 1: tool_calls.*now parts.*message 2: tool_call_id.*now callId/s);
  expect(repairHistory(messages).messages).toBe(messages);
});

test("text beside the calls stays in front of them", () => {
  const calls = [{ id: "a", function: { name: "look", arguments: "{}" } }];
  for (const content of ["Let me look.", [{ type: "text", text: "Let me look." }]]) {
    const [, reply] = repaired({ role: "assistant", content, tool_calls: calls }).messages;
    expect(reply?.content).toMatchObject([
      { type: "text", text: "Let me look." },
      { type: "tool_call", id: "a" },
    ]);
  }
});

test("broken calls are mended like our own", () => {
  const { messages } = repaired({
    role: "assistant",
    tool_calls: [null, { id: 5, function: { arguments: { q: 1 } } }],
  });
  expect(messages[1]?.content).toMatchObject([
    { type: "tool_call", name: "unnamed_tool", arguments: "" },
    { type: "tool_call", name: "unnamed_tool", arguments: '{"q":1}' },
  ]);
  expect(messages).toHaveLength(4);
});
