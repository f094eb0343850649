import type { StopReason } from "../../message/message.ts";
import { startReply } from "../collect.ts";
import type { ModelEvent, ModelFailure } from "../model.ts";
import { callsInText } from "./calls-in-text.ts";
import { firstValue } from "./first-value.ts";
import type { ParamsChunk, ResponseChunk } from "./llama-types.ts";
import { textGate } from "./text-gate.ts";

/** How a generation ended: the package's word for it, or a failure. */
type Ending = { readonly stopReason: string; readonly error?: ModelFailure };

/** A reply while it is generated. */
export type LocalReply = {
  readonly chunk: (chunk: ResponseChunk) => void;
  readonly paramsChunk: (chunk: ParamsChunk) => void;
  /** There are calls, and the arguments of each came to their end. */
  readonly callsEnded: boolean;
  end(ending: Ending, tokens: { readonly input: number; readonly cached: number; readonly output: number }): void;
};

/**
 * Begins a reply, whose events go to `emit`. `stop` is called when a call was written as text: a model that goes on
 * behind one makes up its result, or writes call after call without end.
 */
export function localReply(
  modelId: string,
  emit: (event: ModelEvent) => void,
  isTool: (name: string) => boolean,
  stop: () => void,
): LocalReply {
  const reply = startReply(modelId);
  const gate = textGate();
  const value = firstValue();
  let open: { readonly id: string; readonly index: number; blanks: string } | undefined;
  let count = 0;

  const text = (delta: string) => {
    if (delta === "") return;
    reply.text(delta);
    emit({ type: "text", delta });
  };
  const start = (name: string): string => {
    const id = `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
    count++;
    reply.callStart(id, name);
    emit({ type: "call_start", id, name });
    return id;
  };
  const delta = (id: string, piece: string) => {
    if (piece === "") return;
    reply.callDelta(id, piece);
    emit({ type: "call_delta", id, delta: piece });
  };
  const finish = (id: string) => {
    reply.callEnd(id);
    emit({ type: "call_end", id });
  };
  /** What was held back: calls if it is nothing else, else text after all. */
  const release = (whole: boolean) => {
    const held = gate.rest();
    const calls = whole && count === 0 ? callsInText(held, isTool) : undefined;
    if (calls === undefined) return text(held);
    for (const call of calls) {
      const id = start(call.name);
      delta(id, call.arguments);
      finish(id);
    }
  };

  return {
    chunk({ type, text: piece }) {
      if (type !== "segment") {
        text(gate.pass(piece));
        if (gate.holds && value.ends(piece) && callsInText(gate.held, isTool) !== undefined) stop();
        return;
      }
      if (piece === "") return;
      reply.reasoning(piece);
      emit({ type: "reasoning", delta: piece });
    },
    paramsChunk({ callIndex, functionName, paramsChunk, done }) {
      // What was said before stands before the call.
      text(gate.rest());
      if (open?.index !== callIndex) open = { id: start(functionName), index: callIndex, blanks: "" };
      // The grammar ends arguments with blank lines, which are none of them.
      const piece = open.blanks + paramsChunk;
      const end = piece.trimEnd().length;
      open.blanks = piece.slice(end);
      delta(open.id, piece.slice(0, end));
      if (!done) return;
      finish(open.id);
      open = undefined;
    },
    get callsEnded() {
      return count > 0 && open === undefined;
    },
    end({ stopReason, error }, { input, cached, output }) {
      release(error === undefined && stopReason !== "maxTokens");
      const usage = {
        inputTokens: input,
        outputTokens: output,
        totalTokens: input + output,
        ...(cached > 0 && { cacheReadTokens: cached }),
      };
      const message = reply.finish({ stopReason: reasonOf(stopReason, count > 0), usage });
      emit(error === undefined ? { type: "end", message } : { type: "end", message, error });
    },
  };
}

function reasonOf(reason: string, hasCalls: boolean): StopReason {
  if (reason === "error" || reason === "aborted") return reason;
  if (reason === "maxTokens") return "length";
  return hasCalls ? "tool_calls" : "stop";
}
