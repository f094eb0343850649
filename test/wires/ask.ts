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
