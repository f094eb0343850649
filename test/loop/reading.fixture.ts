import { expect } from "vitest";
import type { AgentEvent, Model, ModelEvent } from "../../src/core.ts";
import { textOf } from "../../src/message/message.ts";
import { microtasks, tokens } from "./play.fixture.ts";

/** An event in a word or two. */
export const brief = (event: AgentEvent): string => {
  switch (event.type) {
    case "round_start":
    case "round_end":
      return `${event.type} ${event.round}`;
    case "message_start":
      return `message_start ${event.role}`;
    case "message_update":
      return `update ${event.update.type}`;
    case "message_end":
      return `message_end ${event.message.role}`;
    case "tool_start":
    case "tool_end":
      return `${event.type} ${event.call.name}`;
    default:
      return event.type;
  }
};

/** A model that streams this many one-character deltas and says how far it has come. */
export function streaming(deltas: number, pause?: (index: number) => Promise<void> | undefined) {
  const state = { sent: 0 };
  const model: Model = {
    id: "streaming",
    async *stream(): AsyncGenerator<ModelEvent> {
      let text = "";
      for (let index = 0; index < deltas; index++) {
        const delta = String(index % 10);
        text += delta;
        state.sent++;
        yield { type: "text", delta };
        const wait = pause?.(index);
        if (wait !== undefined) await wait;
      }
      yield {
        type: "end",
        message: {
          role: "assistant",
          content: [{ type: "text", text }],
          model: "streaming",
          usage: tokens(0, 0),
          stopReason: "stop",
        },
      };
    },
  };
  return { model, state };
}
export const digits = (count: number) => Array.from({ length: count }, (_, index) => String(index % 10)).join("");
export const textIn = (events: readonly AgentEvent[]) =>
  events
    .map((event) => (event.type === "message_update" && event.update.type === "text" ? event.update.delta : ""))
    .join("");

/**
 * What holds for any reader, also a late or lagging one: order, pairs, one end. Behind a gap what was open begins again.
 */
export function checkReader(events: readonly AgentEvent[]): void {
  const seqs = events.map((event) => event.seq);
  expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
  if (!events.some((event) => event.gap)) expect(new Set(seqs).size).toBe(seqs.length);
  expect(events.at(-1)?.type).toBe("agent_end");
  let message = 0;
  let calls: string[] = [];
  for (const event of events) {
    if (event.gap) {
      message = 0;
      calls = [];
    }
    if (event.path !== "") continue;
    if (event.type === "message_start") expect(++message).toBe(1);
    if (event.type === "message_update") expect(message).toBe(1);
    if (event.type === "message_end") expect(--message).toBe(0);
    if (event.type === "tool_start") {
      expect(calls).not.toContain(event.call.id);
      calls.push(event.call.id);
    }
    if (event.type === "tool_update") expect(calls).toContain(event.callId);
    if (event.type === "tool_end") {
      expect(calls).toContain(event.call.id);
      calls = calls.filter((id) => id !== event.call.id);
    }
  }
  expect(calls).toEqual([]);
}

type Told = { ended: boolean; message: string | undefined; readonly calls: Set<string> };

/**
 * What holds for each run that a reader is told of, nested ones too: its start first and once, pieces between their start
 * and their end, its end last; the end of the root behind all. A reply's pieces add up to its text.
 */
export function checkRuns(events: readonly AgentEvent[], root: string): void {
  const runs = new Map<string, Told>();
  for (const event of events) {
    const at = `${brief(event)} at "${event.path}"`;
    if (event.gap) {
      for (const one of runs.values()) {
        one.message = undefined;
        one.calls.clear();
      }
    }
    const run = runs.get(event.runId);
    if (event.type === "agent_start") {
      expect(run, `${at} twice`).toBeUndefined();
      runs.set(event.runId, { ended: false, message: undefined, calls: new Set() });
      continue;
    }
    if (run === undefined || run.ended) throw new Error(`${at}: the run ${run ? "has ended" : "was not begun"}.`);
    checkPiece(run, event, at);
  }
  expect([...runs].filter(([, one]) => !one.ended)).toEqual([]);
  expect(events.at(-1)).toMatchObject({ type: "agent_end", runId: root });
}

function checkPiece(run: Told, event: AgentEvent, at: string): void {
  switch (event.type) {
    case "message_start":
      expect(run.message, at).toBeUndefined();
      run.message = "";
      return;
    case "message_update":
      expect(run.message, at).toBeTypeOf("string");
      if (event.update.type === "text") run.message += event.update.delta;
      return;
    case "message_end":
      expect(run.message, at).toBeTypeOf("string");
      if (run.message !== "") expect(textOf(event.message), at).toBe(run.message);
      run.message = undefined;
      return;
    case "tool_start":
      expect(run.calls, at).not.toContain(event.call.id);
      run.calls.add(event.call.id);
      return;
    case "tool_end":
      expect(run.calls, at).toContain(event.call.id);
      run.calls.delete(event.call.id);
      return;
    case "agent_end":
      expect([run.message, ...run.calls], at).toEqual([undefined]);
      run.ended = true;
  }
}

/** Reads from so many microtasks on, with pauses of so many before each event, by turns. */
export async function readSlowly(
  run: AsyncIterable<AgentEvent>,
  pauses: readonly number[],
  before = 0,
): Promise<AgentEvent[]> {
  await microtasks(before);
  const events: AgentEvent[] = [];
  for await (const event of run) {
    events.push(event);
    await microtasks(pauses[events.length % pauses.length] ?? 0);
  }
  return events;
}
