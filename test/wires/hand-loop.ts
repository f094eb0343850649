import { type AssistantMessage, callsOf, type Message } from "../../src/message/message.ts";
import type { Model, ModelEvent, ModelRequest } from "../../src/model/model.ts";

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

/**
 * The bare loop: asks with `request(round)`, answers every call by `answer`, and stops at the first reply without calls.
 * The messages of the first request are the history that all of them share.
 */
export async function handLoop(
  model: Model,
  request: (round: number) => ModelRequest,
  answer: (args: Readonly<Record<string, unknown>>) => string,
): Promise<readonly AssistantMessage[]> {
  const replies: AssistantMessage[] = [];
  const messages: Message[] = [...request(1).messages];
  for (let round = 1; round <= 5; round++) {
    const { end } = await ask(model, { ...request(round), messages });
    if (end.error !== undefined) throw new Error(`${end.error.kind}: ${end.error.message}`);
    replies.push(end.message);
    messages.push(end.message);
    const calls = callsOf(end.message);
    if (calls.length === 0) return replies;
    for (const { id, name, arguments: args } of calls) {
      const content = [{ type: "text" as const, text: answer(JSON.parse(args)) }];
      messages.push({ role: "tool", callId: id, toolName: name, content, isError: false });
    }
  }
  throw new Error("no end after five rounds");
}
