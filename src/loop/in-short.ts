import type { AssistantMessage, Message, ToolCall } from "../message/message.ts";
import { callsOf } from "../message/message.ts";
import { hasContent } from "./added.ts";
import type { AgentEndEvent, AgentEvent, EventBody } from "./events.ts";
import type { RunView } from "./reader.ts";

/** What a reader has been told: where it is in each run whose start it knows, and not the end. */
export class Told {
  /** The last message or result of each. */
  readonly #last = new Map<string, Message | undefined>();
  #missedEnds: AgentEndEvent[] = [];
  #seq = 0;

  give(event: AgentEvent): void {
    this.#seq = event.seq;
    switch (event.type) {
      case "agent_start":
        this.#last.set(event.runId, undefined);
        return;
      case "message_end":
        // One that says nothing is told and is no history.
        if (event.message.role === "user" || hasContent(event.message.content)) {
          this.#last.set(event.runId, event.message);
        }
        return;
      case "tool_end":
        this.#last.set(event.runId, event.result);
        return;
      case "agent_end":
        this.#last.delete(event.runId);
    }
  }

  /** Keeps the end of what it knows of: a nested run that has ended is known to nobody else. */
  miss(event: AgentEvent): void {
    if (event.type === "agent_end" && this.#last.has(event.runId)) this.#missedEnds.push(event);
  }

  /** The ends of other runs that it has missed since this was asked last. */
  takeEnds(root: string): readonly AgentEndEvent[] {
    const ends = this.#missedEnds.filter(({ runId }) => runId !== root);
    this.#missedEnds = [];
    return ends;
  }

  /** It was told the end of this run, or will be. */
  knowsEnd({ runId, end }: RunView): boolean {
    return end !== undefined && (end.seq <= this.#seq || this.#last.has(runId));
  }

  /** Where it is in the history of a run; -1: before the start. `decided`: behind the end of the picked function, too. */
  placeIn(view: RunView): { readonly from: number; readonly decided?: true } {
    const { runId, history, start } = view;
    if (!this.#last.has(runId)) return { from: -1 };
    const last = this.#last.get(runId);
    if (last === undefined) return { from: start };
    return view.decision?.()?.result === last
      ? { from: history.length, decided: true }
      : { from: history.lastIndexOf(last) + 1 };
  }
}

/**
 * What a reader has missed, in as few events as tell it, the first of them marked: of each run that goes on what is
 * finished and what is open, of one that has ended meanwhile its end.
 */
export function inShort(view: RunView, told: Told): AgentEvent[] {
  const seq = view.end?.seq ?? view.seq;
  const events: AgentEvent[] = told.takeEnds(view.runId).map((end) => ({ ...end, seq }));
  tell(view, told, seq, events);
  for (const one of view.inside?.() ?? []) {
    // What goes on behind the end is not told live either.
    if (one.end ? told.knowsEnd(one) : view.end) continue;
    tell(one, told, seq, events);
    if (one.end) events.push({ ...one.end, seq });
  }
  if (view.end) events.push(view.end);
  const [first, ...rest] = events;
  return first ? [{ ...first, gap: true }, ...rest] : [];
}

/** One run, from where the reader is in it, but for its end. */
function tell(view: RunView, told: Told, seq: number, events: AgentEvent[]): void {
  const { runId, path, history, start } = view;
  const { from, decided } = told.placeIn(view);
  const add = (body: EventBody) => events.push({ ...body, runId, path, seq });
  if (from < 0 && view.begun) add({ type: "agent_start" });
  for (let i = Math.max(from, start); i < history.length; i++) {
    const message = history[i]!;
    if (message.role === "tool") {
      const call = callOf(history, i, message.callId);
      add(toolStart(view, call));
      add({ type: "tool_end", call, result: message });
    } else {
      add({ type: "message_start", role: message.role, ...(message.role === "user" && { message }) });
      add({ type: "message_end", message });
    }
  }
  for (const call of view.startedCalls()) add(toolStart(view, call));
  const asked = view.asked?.();
  if (asked) add({ type: "approval_request", call: asked });
  const picked = decided ? undefined : view.decision?.();
  if (picked) {
    add(toolStart(view, picked.call));
    if (picked.result) add({ type: "tool_end", call: picked.call, result: picked.result });
  }
  const open = view.openReply();
  if (open) {
    add({ type: "message_start", role: "assistant" });
    for (const update of open) add({ type: "message_update", update });
  }
}

function toolStart(view: RunView, call: ToolCall): EventBody {
  const edited = view.argumentsOf?.(call);
  return { type: "tool_start", call, ...(edited !== undefined && { arguments: edited }) };
}

/** The call that the result at `index` answers. */
function callOf(history: readonly Message[], index: number, callId: string): ToolCall {
  for (let i = index - 1; i >= 0; i--) {
    const message = history[i]!;
    if (message.role === "assistant") {
      const call = callsOf(message as AssistantMessage).find(({ id }) => id === callId);
      if (call) return call;
    }
  }
  throw new Error(`The history holds a result of call "${callId}" and no such call.`);
}
