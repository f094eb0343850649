import type { Message } from "../../src/message/message.ts";
import { aiSdk } from "../../src/model/ai-sdk/ai-sdk.ts";
import type { Model, ModelEvent, ModelRequest } from "../../src/model/model.ts";
import { modelV4, type Part } from "./language-model.ts";

/** Everything that one request streamed, and its message. */
export async function ask(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ readonly events: readonly ModelEvent[]; readonly end: Extract<ModelEvent, { type: "end" }> }> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, signal)) events.push(event);
  const end = events.at(-1);
  if (end?.type !== "end") throw new Error("the stream has no end");
  return { events, end };
}

/** A request with this history, no tools and a free choice. */
export const request = (messages: readonly Message[] = [{ role: "user", content: "Hi" }]): ModelRequest => ({
  messages,
  tools: [],
  toolChoice: "auto",
});

/** Ids that count: `new_1`, `new_2` … */
export const ids = (): (() => string) => {
  let count = 0;
  return () => `new_${++count}`;
};

/** What one stream of a language model becomes; nothing is tried again. */
export const replyTo = (...parts: Part[]) =>
  ask(aiSdk(modelV4([{ parts }]), { newId: ids(), retry: { retries: 0 } }), request());
