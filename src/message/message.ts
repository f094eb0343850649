import type { Json, JsonObject } from "./json.ts";
import type { Usage } from "./usage.ts";

/** Opaque data of one provider, by provider name; kept in order and given back unchanged (signatures of reasoning). */
export type ProviderData = JsonObject;

export type TextContent = { readonly type: "text"; readonly text: string; readonly providerData?: ProviderData };

/** An image: `data` is base64, `mediaType` its IANA type, such as `image/png`. */
export type ImageContent = { readonly type: "image"; readonly data: string; readonly mediaType: string };

/**
 * An image that the provider fetches itself: `url` is http or https. In what a caller gives, a `data:` URL is taken too
 * and becomes an {@link ImageContent}. Not every provider takes one; for some `mediaType` must say which kind it is.
 */
export type LinkedImage = { readonly type: "image"; readonly url: string; readonly mediaType?: string };

/** A file: `data` is base64, `mediaType` its IANA type, such as `application/pdf`, `name` what it is called. */
export type FileContent = {
  readonly type: "file";
  readonly data: string;
  readonly mediaType: string;
  readonly name?: string;
};

/** A structured value; wires without structured results send it as JSON text. */
export type JsonContent = { readonly type: "json"; readonly value: Json };

export type ReasoningContent = {
  readonly type: "reasoning";
  readonly text: string;
  readonly providerData?: ProviderData;
};

/** A tool call in a reply: the model picked a tool. */
export type ToolCall = {
  readonly type: "tool_call";
  /** Unique in its history. */
  readonly id: string;
  readonly name: string;
  /** Raw JSON as the model wrote it, byte for byte; may be blank or broken. */
  readonly arguments: string;
  /** The reply was cut inside these arguments: the call is never run, and wires send `{}` for it. */
  readonly partial?: true;
  readonly providerData?: ProviderData;
};

export type UserContent = TextContent | ImageContent | LinkedImage | FileContent;
export type AssistantContent = TextContent | ReasoningContent | ToolCall;
export type ToolResultContent = TextContent | ImageContent | JsonContent;

/**
 * Why a reply ended: `stop` and `tool_calls` are clean ends, `length` a cut by the token limit or a clean end of the
 * stream without a terminal event, `refusal` a refusal or content filter, `pause` a provider that wants to be asked to
 * go on, `error` a failure, `aborted` a cancelled request. Whether tools are run is decided by the content, not by this.
 */
export type StopReason = "stop" | "tool_calls" | "length" | "refusal" | "pause" | "error" | "aborted";

export type UserMessage = { readonly role: "user"; readonly content: string | readonly UserContent[] };

export type AssistantMessage = {
  readonly role: "assistant";
  readonly content: readonly AssistantContent[];
  /** Id of the model that wrote it. */
  readonly model: string;
  readonly usage: Usage;
  readonly stopReason: StopReason;
};

export type ToolResultMessage = {
  readonly role: "tool";
  readonly callId: string;
  readonly toolName: string;
  /** Never empty. */
  readonly content: readonly ToolResultContent[];
  readonly isError: boolean;
  /** For the program, not for the model. */
  readonly details?: Json;
};

/** What a history is made of. Text, reasoning, calls and results only: no time stamps, no ids but those of calls. */
export type Message = UserMessage | AssistantMessage | ToolResultMessage;

/** The text of a message: its text parts, joined. */
export function textOf(message: Message): string {
  const { content } = message;
  if (typeof content === "string") return content;
  let text = "";
  for (const part of content) if (part.type === "text") text += part.text;
  return text;
}

const none: readonly never[] = [];

/** The tool calls of a reply, in order. */
export function callsOf(message: AssistantMessage): readonly ToolCall[] {
  let calls: ToolCall[] | undefined;
  for (const part of message.content) {
    if (part.type !== "tool_call") continue;
    if (calls) calls.push(part);
    else calls = [part];
  }
  return calls ?? none;
}
