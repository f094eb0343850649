import type { LanguageModelV4FinishReason, LanguageModelV4Usage, SharedV4Warning } from "@ai-sdk/provider";
import type { ProviderData } from "../../message/message.ts";
import type { Reply } from "../collect.ts";
import type { ModelEvent } from "../model.ts";
import { unreadableMessage } from "../wire/mend.ts";
import type { CallTracker } from "./call-tracker.ts";
import type { AiSdkPart } from "./language-model.ts";
import { errorPart } from "./unreadable.ts";

/** What the parts of a stream said about its end. */
export type Ending = {
  finish?: { readonly reason: LanguageModelV4FinishReason; readonly usage: LanguageModelV4Usage };
  /** The first error part that tells a failure. It stands even if a normal finish follows: what came may be incomplete. */
  error?: { readonly value: unknown };
  /** The first event that the package could not read. */
  unreadable?: { readonly value: unknown };
  /** A piece of the reply is missing, and it may have been a piece of a call. */
  lost?: boolean;
};

/**
 * Takes the parts of one stream: content goes into `reply`, events to `emit`, the rest into the `ending` that it returns.
 * Tools that the provider runs itself never become calls of ours. Unknown kinds of parts are ignored.
 */
export function translator(
  reply: Reply,
  calls: CallTracker,
  emit: (event: ModelEvent) => void,
): { readonly ending: Ending; take(part: AiSdkPart): void } {
  const ending: Ending = {};
  const foreign = new Set<string>();

  const prose = (kind: "text" | "reasoning", id: string, delta: string, data: ProviderData | undefined) => {
    if (delta !== "") {
      reply[kind](delta, id);
      emit({ type: kind, delta });
    }
    if (data !== undefined) reply.providerData(kind, data, id);
  };

  const takeError = (value: unknown): void => {
    const said = errorPart(value);
    if ("failure" in said) ending.error ??= { value: said.failure };
    else {
      if (ending.unreadable === undefined) {
        emit({ type: "warning", code: "unreadable_event", message: unreadableMessage(said.unreadable) });
      }
      ending.unreadable ??= { value };
      ending.lost ||= said.mayHoldCall;
    }
  };

  const take = (part: AiSdkPart): void => {
    switch (part.type) {
      case "text-start":
        prose("text", part.id, "", part.providerMetadata);
        break;
      case "text-delta":
        prose("text", part.id, part.delta, part.providerMetadata);
        break;
      case "text-end":
        prose("text", part.id, "", part.providerMetadata);
        reply.blockEnd("text", part.id);
        break;
      case "reasoning-start":
        prose("reasoning", part.id, "", part.providerMetadata);
        break;
      case "reasoning-delta":
        prose("reasoning", part.id, part.delta, part.providerMetadata);
        break;
      case "reasoning-end":
        prose("reasoning", part.id, "", part.providerMetadata);
        reply.blockEnd("reasoning", part.id);
        break;
      case "tool-input-start":
        if (part.providerExecuted === true) foreign.add(part.id);
        else calls.start(part.id ?? "", part.toolName ?? "");
        break;
      case "tool-input-delta":
        if (!foreign.has(part.id)) calls.delta(part.id ?? "", part.delta);
        break;
      case "tool-input-end":
        calls.inputEnd(part.id ?? "");
        break;
      case "tool-call":
        if (part.providerExecuted !== true) calls.final(finalCall(part));
        break;
      case "stream-start":
        for (const warning of part.warnings ?? []) emit(warningEvent(warning));
        break;
      case "finish":
        ending.finish = { reason: part.finishReason, usage: part.usage };
        break;
      case "error":
        takeError(part.error);
        break;
    }
  };
  return { ending, take };
}

function finalCall(part: Extract<AiSdkPart, { type: "tool-call" }>) {
  const { toolCallId, toolName, input, providerMetadata } = part;
  return {
    wireId: toolCallId ?? "",
    wireName: toolName ?? "",
    // Some models built by hand give the arguments as an object.
    input: typeof input === "string" ? input : JSON.stringify(input ?? {}),
    ...(providerMetadata === undefined ? undefined : { data: providerMetadata }),
  };
}

function warningEvent(warning: SharedV4Warning | { readonly type: string }): ModelEvent {
  const fields = warning as { type: string; feature?: string; details?: string; setting?: string; message?: string };
  const said = [fields.feature ?? fields.setting, fields.details ?? fields.message].filter(
    (text) => text !== undefined,
  );
  return { type: "warning", code: `provider_${fields.type}`, message: said.join(": ") || fields.type };
}
