import type { Message, ToolResultContent } from "../../src/core.ts";

export const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export const image: ToolResultContent = { type: "image", data: png, mediaType: "image/png" };

export const user = (content: string): Message => ({ role: "user", content });

/** A reply of calls of `shot` alone, with these ids. */
export const calls = (...ids: string[]): Message => ({
  role: "assistant",
  content: ids.map((id) => ({ type: "tool_call", id, name: "shot", arguments: "{}" })),
  model: "elsewhere/m",
  usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
  stopReason: "tool_calls",
});

export const result = (callId: string, content: string | readonly ToolResultContent[], isError = false): Message => ({
  role: "tool",
  callId,
  toolName: "shot",
  content: typeof content === "string" ? [{ type: "text", text: content }] : content,
  isError,
});
