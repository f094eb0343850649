import { crc32 } from "node:zlib";
import { defaultUsage, type End, type Said } from "./said.ts";

const reasons: Record<End, string> = {
  stop: "end_turn",
  tool_calls: "tool_use",
  length: "max_tokens",
  refusal: "guardrail_intervened",
  pause: "end_turn",
};

/** Bedrock's Converse, each event a binary frame. */
export function bedrock(said: readonly Said[]): Uint8Array[] {
  const frames: Uint8Array[] = [];
  const say = (type: string, fields: object) => frames.push(frame(type, fields));
  let next = 0;
  let open: { readonly kind: string; readonly index: number } | undefined;
  const calls = new Map<number, number>();
  const closeProse = () => {
    if (open !== undefined) say("contentBlockStop", { contentBlockIndex: open.index });
    open = undefined;
  };
  const prose = (kind: string) => {
    if (open?.kind !== kind) {
      closeProse();
      open = { kind, index: next++ };
    }
    return open.index;
  };

  say("messageStart", { role: "assistant" });
  for (const one of said) {
    if ("text" in one) say("contentBlockDelta", { contentBlockIndex: prose("text"), delta: { text: one.text } });
    else if ("thinking" in one)
      say("contentBlockDelta", {
        contentBlockIndex: prose("thinking"),
        delta: { reasoningContent: { text: one.thinking } },
      });
    else if ("signature" in one) {
      const delta = { reasoningContent: { signature: one.signature } };
      say("contentBlockDelta", { contentBlockIndex: prose("thinking"), delta });
      closeProse();
    } else if ("redacted" in one) {
      closeProse();
      const delta = { reasoningContent: { redactedContent: one.redacted } };
      say("contentBlockDelta", { contentBlockIndex: next, delta });
      say("contentBlockStop", { contentBlockIndex: next++ });
    } else if ("name" in one) {
      closeProse();
      const start = { toolUse: { toolUseId: one.id, name: one.name } };
      say("contentBlockStart", { contentBlockIndex: next, start });
      calls.set(one.call, next++);
    } else if ("args" in one)
      say("contentBlockDelta", { contentBlockIndex: calls.get(one.call), delta: { toolUse: { input: one.args } } });
    else if ("ended" in one) say("contentBlockStop", { contentBlockIndex: calls.get(one.ended) });
    else if ("end" in one) {
      closeProse();
      say("messageStop", { stopReason: reasons[one.end] });
      const { input, output, read, written } = one.usage ?? defaultUsage;
      const usage = {
        inputTokens: input - (read ?? 0) - (written ?? 0),
        outputTokens: output,
        totalTokens: input + output,
        ...(read === undefined ? {} : { cacheReadInputTokens: read }),
        ...(written === undefined ? {} : { cacheWriteInputTokens: written }),
      };
      say("metadata", { usage, metrics: { latencyMs: 1 } });
    }
  }
  return frames;
}

/**
 * One frame of `application/vnd.amazon.eventstream`: lengths, their checksum, headers, payload, checksum
 * (https://docs.aws.amazon.com/transcribe/latest/dg/streaming-setting-up.html). `kind` is `event` or `exception`.
 */
export function frame(type: string, fields: object, kind: "event" | "exception" = "event"): Uint8Array {
  const headers = Buffer.concat([
    header(`:${kind}-type`, type),
    header(":content-type", "application/json"),
    header(":message-type", kind),
  ]);
  const payload = Buffer.from(JSON.stringify(fields));
  const total = 12 + headers.length + payload.length + 4;
  const bytes = Buffer.alloc(total);
  bytes.writeUInt32BE(total, 0);
  bytes.writeUInt32BE(headers.length, 4);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8);
  headers.copy(bytes, 12);
  payload.copy(bytes, 12 + headers.length);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, total - 4)), total - 4);
  return bytes;
}

function header(name: string, value: string): Buffer {
  const head = Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7, 0, 0])]);
  head.writeUInt16BE(value.length, head.length - 2);
  return Buffer.concat([head, Buffer.from(value)]);
}
