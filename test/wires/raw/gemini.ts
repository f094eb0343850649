import { defaultUsage, type End, type Said } from "./said.ts";

const reasons: Record<End, string> = {
  stop: "STOP",
  tool_calls: "STOP",
  length: "MAX_TOKENS",
  refusal: "SAFETY",
  pause: "STOP",
};

/**
 * Gemini's contents. A call comes whole, when it has ended; a signature goes with the next call, or with an empty text
 * behind the prose.
 */
export function gemini(said: readonly Said[]): string[] {
  const events: string[] = [];
  const say = (parts: object[], more: object = {}, top: object = {}) =>
    events.push(
      JSON.stringify({
        candidates: [{ index: 0, content: { role: "model", parts }, ...more }],
        modelVersion: "m",
        ...top,
      }),
    );
  const calls = new Map<number, { readonly id: string; readonly name: string; args: string }>();
  let signature: string | undefined;
  const signed = () => {
    const thoughtSignature = signature;
    signature = undefined;
    return thoughtSignature === undefined ? {} : { thoughtSignature };
  };

  for (const one of said) {
    if ("text" in one) say([{ text: one.text, ...signed() }]);
    else if ("thinking" in one) say([{ text: one.thinking, thought: true }]);
    else if ("signature" in one) signature = one.signature;
    else if ("redacted" in one) say([{ text: "", thoughtSignature: one.redacted }]);
    else if ("name" in one) calls.set(one.call, { id: one.id, name: one.name, args: "" });
    else if ("args" in one) (calls.get(one.call) as { args: string }).args += one.args;
    else if ("ended" in one) {
      const { id, name, args } = calls.get(one.ended) as { id: string; name: string; args: string };
      say([{ functionCall: { id, name, args: JSON.parse(args || "{}") }, ...signed() }]);
    } else if ("end" in one) {
      const { input, output, read, reasoning = 0 } = one.usage ?? defaultUsage;
      const usageMetadata = {
        promptTokenCount: input,
        candidatesTokenCount: output - reasoning,
        thoughtsTokenCount: reasoning,
        totalTokenCount: input + output,
        ...(read === undefined ? {} : { cachedContentTokenCount: read }),
      };
      say([{ text: "", ...signed() }], { finishReason: reasons[one.end] }, { usageMetadata });
    }
  }
  return events;
}
