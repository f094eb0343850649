import type { AssistantContent, AssistantMessage, StopReason } from "../../message/message.ts";
import { noUsage } from "../../message/usage.ts";
import { startReply } from "../collect.ts";
import type { ModelEvent } from "../model.ts";
import { Scanner } from "./scan.ts";
import { Thought } from "./thought.ts";

type End = Extract<ModelEvent, { type: "end" }>;

/** Reads one reply as it comes and says what is to be handed on. */
export type ReplyReader = {
  take(event: Exclude<ModelEvent, End>): void;
  /** The first action is complete. */
  readonly complete: boolean;
  /** Something stands behind the action: nothing of that is read, and nothing more is needed. */
  readonly goesOn: boolean;
  /** How many events were taken. */
  readonly read: number;
  /** The reply is over, with the end of the model that wrote it, if it has said one. */
  end(end: End | undefined, aborted: boolean): void;
};

const cutReasons: readonly StopReason[] = ["length", "error", "aborted", "refusal"];
const wasAborted = { kind: "aborted", message: "The request was aborted." } as const;

/**
 * Reads a reply in which an action may stand; what can be said at once goes to `emit` at once. `known` says which names
 * are of the menu; without it there is no menu, and all is text. A model that calls natively after all is left alone.
 */
export function readReply(
  modelId: string,
  known: ((name: string) => boolean) | undefined,
  newId: () => string,
  emit: (event: ModelEvent) => void,
): ReplyReader {
  const reply = startReply(modelId);
  const id = newId();
  let read = 0;
  let native = false;
  let called = false;
  let streamed = 0;
  let reasoned = "";

  const say = (kind: "text" | "reasoning", delta: string) => {
    if (delta === "") return;
    reply[kind](delta);
    emit({ type: kind, delta });
  };
  const text = (delta: string) => say("text", delta);
  const scanner =
    known &&
    new Scanner(known, {
      text,
      callStart(name) {
        called = true;
        reply.callStart(id, name);
        emit({ type: "call_start", id, name });
      },
      callDelta(delta) {
        reply.callDelta(id, delta);
        emit({ type: "call_delta", id, delta });
      },
      callEnd() {
        reply.callEnd(id);
        emit({ type: "call_end", id });
      },
    });
  const thought = new Thought((piece) => say("reasoning", piece), scanner ? (piece) => scanner.push(piece) : text);

  const message = (stopReason: StopReason, last: AssistantMessage | undefined): AssistantMessage => {
    const own = reply.finish({ stopReason, usage: last?.usage ?? noUsage });
    const content: AssistantContent[] = last?.content.filter((part) => part.type === "reasoning") ?? [];
    if (content.length === 0 && reasoned !== "") content.push({ type: "reasoning", text: reasoned });
    return { ...own, content: [...content, ...own.content] };
  };

  return {
    take(event) {
      read++;
      if (event.type === "text" && !native) {
        streamed += event.delta.length;
        if (event.delta !== "") thought.push(event.delta);
        return;
      }
      if (scanner?.complete === true) return;
      if (event.type === "call_start" && !native) {
        thought.end();
        scanner?.end(true);
        native = true;
      }
      if (event.type === "reasoning") reasoned += event.delta;
      emit(event);
    },
    get complete() {
      return scanner?.complete === true;
    },
    get goesOn() {
      return scanner?.goesOn === true;
    },
    get read() {
      return read;
    },
    end(end, aborted) {
      if (native) {
        if (end !== undefined) emit(end);
        return;
      }
      const last = end?.message;
      const stop = last?.stopReason ?? "length";
      if (last !== undefined && scanner?.complete !== true) thought.push(unstreamed(last, streamed));
      thought.end();
      scanner?.end(cutReasons.includes(stop));
      const error = aborted ? (end?.error ?? wasAborted) : end?.error;
      const refused = stop === "refusal";
      if (!aborted && !refused && scanner?.complete === true)
        emit({ type: "end", message: message("tool_calls", last) });
      else if (end !== undefined && !called && !thought.found) emit(end);
      else {
        const reason = aborted ? "aborted" : stop;
        emit({ type: "end", message: message(reason, last), ...(error !== undefined && { error }) });
      }
    },
  };
}

/** Models may send text with their end alone. */
function unstreamed({ content }: AssistantMessage, streamed: number): string {
  let text = "";
  for (const part of content) if (part.type === "text") text += part.text;
  return text.slice(streamed);
}
