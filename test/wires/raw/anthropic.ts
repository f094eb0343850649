import { defaultUsage, type End, type Said } from "./said.ts";

const reasons: Record<End, string> = {
  stop: "end_turn",
  tool_calls: "tool_use",
  length: "max_tokens",
  refusal: "refusal",
  pause: "pause_turn",
};

/** Anthropic messages. A block of prose ends where another begins; blocks of calls may overlap, as their places allow. */
export function anthropic(said: readonly Said[]): string[] {
  const events: string[] = [];
  const say = (type: string, fields: object) => events.push(JSON.stringify({ type, ...fields }));
  let next = 0;
  let open: { readonly kind: string; readonly index: number } | undefined;
  const calls = new Map<number, number>();
  const { input, read = 0, written = 0 } = lastUsage(said);

  const begin = (block: object) => {
    say("content_block_start", { index: next, content_block: block });
    return next++;
  };
  const closeProse = () => {
    if (open !== undefined) say("content_block_stop", { index: open.index });
    open = undefined;
  };
  const prose = (kind: "text" | "thinking") => {
    if (open?.kind !== kind) {
      closeProse();
      open = {
        kind,
        index: begin(kind === "text" ? { type: kind, text: "" } : { type: kind, thinking: "", signature: "" }),
      };
    }
    return open.index;
  };

  say("message_start", {
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: input - read - written,
        output_tokens: 1,
        cache_read_input_tokens: read,
        cache_creation_input_tokens: written,
      },
    },
  });
  for (const one of said) {
    if ("text" in one)
      say("content_block_delta", { index: prose("text"), delta: { type: "text_delta", text: one.text } });
    else if ("thinking" in one)
      say("content_block_delta", {
        index: prose("thinking"),
        delta: { type: "thinking_delta", thinking: one.thinking },
      });
    else if ("signature" in one) {
      const delta = { type: "signature_delta", signature: one.signature };
      say("content_block_delta", { index: prose("thinking"), delta });
      closeProse();
    } else if ("redacted" in one) {
      closeProse();
      say("content_block_stop", { index: begin({ type: "redacted_thinking", data: one.redacted }) });
    } else if ("name" in one) {
      closeProse();
      calls.set(one.call, begin({ type: "tool_use", id: one.id, name: one.name, input: {} }));
    } else if ("args" in one) {
      const delta = { type: "input_json_delta", partial_json: one.args };
      say("content_block_delta", { index: calls.get(one.call), delta });
    } else if ("ended" in one) say("content_block_stop", { index: calls.get(one.ended) });
    else if ("end" in one) {
      closeProse();
      const { output } = one.usage ?? defaultUsage;
      say("message_delta", {
        delta: { stop_reason: reasons[one.end], stop_sequence: null },
        usage: { output_tokens: output },
      });
      say("message_stop", {});
    }
  }
  return events;
}

function lastUsage(said: readonly Said[]) {
  for (const one of said) if ("end" in one) return one.usage ?? defaultUsage;
  return defaultUsage;
}
