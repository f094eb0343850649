import type { LanguageModelV4Message, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { JsonObject } from "../../message/json.ts";
import type { AssistantMessage, ProviderData, ToolCall } from "../../message/message.ts";
import { wellFormedJson } from "../../message/plain-json.ts";
import { wellFormed } from "../../message/well-formed.ts";
import { isSigned } from "../signed.ts";
import { options } from "./user-parts.ts";
import type { WireNames } from "./wire-names.ts";
import type { WireRules } from "./wire-rules.ts";

type Part = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

/** How replies of a history become those of one wire. */
export type ReplyRules = {
  readonly rules: WireRules;
  readonly names: WireNames;
  readonly ids: (id: string) => string;
};

/**
 * The blocks of a reply, in order, as far as the wire takes them. `own`: the very model wrote it that is asked now, so
 * its reasoning and its data go back unchanged; of another's reply only text and calls go, for no provider takes foreign
 * signatures or ids, and few those of another model. Reasoning that was not finished, blank text, and reasoning that
 * nothing follows are left out; nothing at all may be left.
 */
export function assistantParts(message: AssistantMessage, own: boolean, { rules, names, ids }: ReplyRules): Part[] {
  const parts: Part[] = [];
  let signed = false;
  let first: Extract<Part, { type: "tool-call" }> | undefined;
  for (const part of message.content) {
    const data = own ? dataFor(part.providerData, rules) : undefined;
    if (part.type === "tool_call") {
      const call: typeof first = {
        type: "tool-call",
        toolCallId: ids(part.id),
        toolName: names.wire(part.name),
        input: callInput(part),
        ...options(data),
      };
      first ??= call;
      signed ||= isSigned(data);
      parts.push(call);
    } else if (part.type === "text") {
      if (part.text.trim() !== "" || isSigned(data)) {
        parts.push({ type: "text", text: wellFormed(part.text), ...options(data) });
      }
    } else if (own && rules.reasoning(part.text, fieldsOf(data))) {
      parts.push({ type: "reasoning", text: part.text, ...options(data) });
    }
  }
  if (first !== undefined && !signed && rules.unsigned !== undefined) {
    first.providerOptions = { ...first.providerOptions, ...mergedInto(first.providerOptions, rules.unsigned) };
  }
  return withoutLooseReasoning(parts, rules);
}

function mergedInto(given: SharedV4ProviderOptions | undefined, added: JsonObject): SharedV4ProviderOptions {
  const merged: Record<string, JsonObject> = {};
  for (const [key, fields] of Object.entries(added)) merged[key] = { ...given?.[key], ...(fields as JsonObject) };
  return merged as SharedV4ProviderOptions;
}

function withoutLooseReasoning(parts: Part[], rules: WireRules): Part[] {
  let end = parts.length;
  while (end > 0 && parts[end - 1]?.type === "reasoning") end--;
  // A reply of reasoning alone says nothing, wherever it goes.
  return end === 0 || rules.noReasoningLast ? parts.slice(0, end) : parts;
}

/** What of the data the package reads: the same object where that is all of it. */
function dataFor(data: ProviderData | undefined, rules: WireRules): ProviderData | undefined {
  if (data === undefined || rules.data === undefined) return data;
  const keys = Object.keys(data);
  const kept = keys.filter((key) => rules.data?.includes(key));
  if (kept.length === keys.length) return data;
  return kept.length === 0 ? undefined : Object.fromEntries(kept.map((key) => [key, data[key] as JsonObject]));
}

/** The fields of all providers in the data; of the same provider under two names they are the same. */
function fieldsOf(data: ProviderData | undefined): JsonObject {
  const all: Record<string, JsonObject[string]> = {};
  for (const fields of Object.values(data ?? {})) if (typeof fields === "object") Object.assign(all, fields);
  return all;
}

/** The arguments as an object: `{}` for those that are cut, blank, broken or no object, none of which a wire takes back. */
function callInput(call: ToolCall): object {
  if (call.partial === true || call.arguments.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(call.arguments);
    // Escapes such as \ud83d become text that is not well-formed.
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? wellFormedJson(value as JsonObject)
      : {};
  } catch {
    return {};
  }
}
