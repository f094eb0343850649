import { defaultUsage, type End, type Said } from "./said.ts";

const reasons: Record<End, string> = {
  stop: "stop",
  tool_calls: "tool_calls",
  length: "length",
  refusal: "content_filter",
  pause: "stop",
};

const chunk = (delta: object, finish: string | null = null, more: object = {}): string =>
  JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  });

/** OpenAI chat completions; thinking as the compatible servers write it. */
export function chat(said: readonly Said[]): string[] {
  return [...said.flatMap(event), "[DONE]"];
}

function event(one: Said): string[] {
  if ("text" in one) return [chunk({ role: "assistant", content: one.text })];
  if ("thinking" in one) return [chunk({ role: "assistant", reasoning_content: one.thinking })];
  if ("name" in one) {
    const { call: index, id, name } = one;
    return [chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] })];
  }
  if ("args" in one) return [chunk({ tool_calls: [{ index: one.call, function: { arguments: one.args } }] })];
  if (!("end" in one)) return [];
  const { input, output, read, reasoning } = one.usage ?? defaultUsage;
  const usage = {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(read === undefined ? {} : { prompt_tokens_details: { cached_tokens: read } }),
    ...(reasoning === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } }),
  };
  return [chunk({}, reasons[one.end]), JSON.stringify({ ...JSON.parse(chunk({})), choices: [], usage })];
}
