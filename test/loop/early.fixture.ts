import { type AgentEvent, createRuntime, type ExecOptions, type Model, type Tool, tool } from "../../src/core.ts";
import { replyFromEvents } from "../../src/model/collect.ts";
import type { ModelEvent, ModelFailure } from "../../src/model/model.ts";

type StopReason = Parameters<typeof replyFromEvents>[2];
export type Piece = ModelEvent | Promise<unknown> | { readonly ends: StopReason; readonly error?: ModelFailure };

/** A model whose replies are these pieces; a promise among them is waited for. */
export function slow(...replies: readonly (readonly Piece[])[]): Model {
  let at = 0;
  return {
    id: "slow",
    async *stream(_, signal) {
      const sent: ModelEvent[] = [];
      const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
      for (const piece of replies[at++] ?? [text("done"), { ends: "stop" }]) {
        if (piece instanceof Promise) await Promise.race([piece, aborted]);
        else if ("ends" in piece) {
          const message = replyFromEvents("slow", sent, piece.ends);
          yield { type: "end", message, ...(piece.error && { error: piece.error }) };
          return;
        } else {
          if (piece.type === "retry") sent.length = 0;
          else sent.push(piece);
          yield piece;
        }
      }
    },
  };
}

export const text = (delta: string): ModelEvent => ({ type: "text", delta });
export const called = (id: string, name: string, args = "{}"): ModelEvent[] => [
  { type: "call_start", id, name },
  { type: "call_delta", id, delta: args },
  { type: "call_end", id },
];
export const done: Piece = { ends: "tool_calls" };

/** A promise and what settles it. */
export function gate<T = void>() {
  return Promise.withResolvers<T>();
}

/** A reader that says when it has begun; `log` keeps what happened. */
export function reader(name: string, log: string[], extra: Partial<Tool> = {}) {
  const { promise: began, resolve } = gate();
  const made = tool({
    name,
    readOnly: true,
    execute: () => {
      log.push(name);
      resolve();
      return `${name} done`;
    },
    ...extra,
  });
  return { tool: made, began };
}

export async function played(model: Model, tools: readonly Tool[], options: ExecOptions = {}) {
  const run = createRuntime({ model }).run("go", { tools, toolExecution: "overlap", ...options });
  const events: AgentEvent[] = [];
  for await (const event of run) events.push(event);
  return { result: await run.result, events };
}

export const typesOf = (events: readonly AgentEvent[]) => events.map(({ type }) => type);
