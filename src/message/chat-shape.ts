import type { Note } from "./read-part.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * A message as chat completions have it becomes one with our fields, so that what it calls is not lost with a field that
 * nobody reads: `tool_calls` beside content that may be null, and `tool_call_id`. Any other comes back as it is.
 */
export function fromChatShape(fields: Fields, note: Note): Fields {
  if (fields.role === "assistant" && Array.isArray(fields.tool_calls)) {
    const { tool_calls: calls, content, ...rest } = fields;
    note("tool_calls were those of chat completions, now parts");
    return { ...rest, content: [...partsOf(content), ...(calls as unknown[]).map(callOf)] };
  }
  if (fields.role === "tool" && fields.callId === undefined && typeof fields.tool_call_id === "string") {
    const { tool_call_id: callId, name, ...rest } = fields;
    note("tool_call_id was that of chat completions, now callId");
    return { toolName: name ?? "", isError: false, ...rest, callId };
  }
  return fields;
}

function partsOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  return typeof content === "string" && content !== "" ? [{ type: "text", text: content }] : [];
}

function callOf(call: unknown): unknown {
  const { id, function: named } = (call ?? {}) as Fields;
  const { name, arguments: args } = (named ?? {}) as Fields;
  return { type: "tool_call", id, name, arguments: args };
}
