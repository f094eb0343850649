import { RondoError } from "../error.ts";
import { fromChatShape } from "./chat-shape.ts";
import { maxMessageDepth } from "./history.ts";
import type { AssistantMessage, Message, StopReason, ToolResultMessage, UserMessage } from "./message.ts";
import { isPlainJson, plainJson } from "./plain-json.ts";
import { type Note, readParts } from "./read-part.ts";
import { noUsage } from "./usage.ts";

const stopReasons: readonly unknown[] = [
  "stop",
  "tool_calls",
  "length",
  "refusal",
  "pause",
  "error",
  "aborted",
] satisfies StopReason[];

/**
 * A message of an item that may come from anywhere: the very same object if it has the shape of one already, a mended
 * copy if what it lacks can be told (each such thing is noted). Afterwards it is plain JSON with well-formed text.
 *
 * @throws RondoError `invalid_history` if it is no message
 */
export function readMessage(item: unknown, index: number, note: Note): Message {
  const own: Note = (repair) => note(`message ${index}: ${repair}`);
  try {
    const message = shaped(item, index, own);
    if (isPlainJson(message, maxMessageDepth)) return message;
    own("lone surrogates and values that are no plain JSON replaced");
    return shaped(plainJson(message, maxMessageDepth, maxMessageSize), index, own);
  } catch (error) {
    if (RondoError.isInstance(error)) throw error;
    throw invalidHistory(index, "cannot be read", error);
  }
}

/** In characters; more than this is no text that could be sent. */
const maxMessageSize = 2 ** 29;

/** The error for a history that cannot be used, naming the message. */
export function invalidHistory(index: number, problem: string, cause?: unknown): RondoError {
  return new RondoError("invalid_history", `The history cannot be used: message ${index} ${problem}.`, { cause });
}

function shaped(given: unknown, index: number, note: Note): Message {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    const kind = given === null ? "null" : Array.isArray(given) ? "an array" : typeof given;
    throw invalidHistory(index, `is no message but ${kind}; expected an object with role and content`);
  }
  const item: unknown = fromChatShape(given as Record<string, unknown>, note);
  const fields = item as Record<string, unknown>;
  const fail = (problem: string): RondoError => invalidHistory(index, problem);
  switch (fields.role) {
    case "user":
      return typeof fields.content === "string"
        ? (item as UserMessage)
        : mended(item as UserMessage, {
            content: readParts(fields.content, ["text", "image", "link", "file"], note, fail),
          });
    case "assistant":
      return assistant(item as AssistantMessage, fields, note, fail);
    case "tool":
      return toolResult(item as ToolResultMessage, fields, note, fail);
    case "system":
    case "developer":
      throw fail(`has role "${fields.role}"; give system text by the option \`system\``);
    default:
      throw fail(`has role ${JSON.stringify(fields.role)}; expected "user", "assistant" or "tool"`);
  }
}

type Fail = (problem: string) => RondoError;

function assistant(item: AssistantMessage, fields: Record<string, unknown>, note: Note, fail: Fail): AssistantMessage {
  const content = readParts(fields.content, ["text", "reasoning", "tool_call"], note, fail);
  const calls = content.some((part) => part.type === "tool_call");
  return mended(item, {
    content,
    model: orElse(typeof fields.model === "string", item.model, "unknown", "model", note),
    usage: orElse(isUsage(fields.usage), item.usage, noUsage, "usage", note),
    stopReason: orElse(
      stopReasons.includes(fields.stopReason),
      item.stopReason,
      calls ? "tool_calls" : "stop",
      "stopReason",
      note,
    ),
  });
}

function toolResult(
  item: ToolResultMessage,
  fields: Record<string, unknown>,
  note: Note,
  fail: Fail,
): ToolResultMessage {
  return mended(item, {
    callId: orElse(typeof fields.callId === "string", item.callId, "", "callId", note),
    toolName: orElse(typeof fields.toolName === "string", item.toolName, "", "toolName", note),
    content: readParts(fields.content, ["text", "image", "json"], note, fail),
    isError: orElse(typeof fields.isError === "boolean", item.isError, false, "isError", note),
  });
}

function isUsage(usage: unknown): boolean {
  if (typeof usage !== "object" || usage === null) return false;
  const { inputTokens, outputTokens, totalTokens, ...rest } = usage as Record<string, unknown>;
  const isCount = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value);
  const optional = ["cacheReadTokens", "cacheWriteTokens", "reasoningTokens", "cost"];
  return (
    [inputTokens, outputTokens, totalTokens].every(isCount) &&
    optional.every((key) => rest[key] === undefined || isCount(rest[key]))
  );
}

function orElse<T>(ok: boolean, value: T, instead: T, name: string, note: Note): T {
  if (ok) return value;
  note(`${name} was missing or not valid, now ${JSON.stringify(instead)}`);
  return instead;
}

/** The object with these fields: itself when it has them already. */
function mended<T extends object>(item: T, fields: Partial<T>): T {
  const keys = Object.keys(fields) as (keyof T)[];
  return keys.every((key) => item[key] === fields[key]) ? item : { ...item, ...fields };
}
