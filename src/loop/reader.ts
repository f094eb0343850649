import type { AssistantMessage, Message, ToolCall, ToolResultMessage } from "../message/message.ts";
import { callsOf } from "../message/message.ts";
import type { AgentEndEvent, AgentEvent, EventBody, MessageUpdate } from "./events.ts";

/** Events that a reader may be behind before it is given the rest coalesced. */
export const readerCapacity = 1024;

/** What a run can tell a reader that comes late or lags. */
export type RunView = {
  readonly runId: string;
  readonly path: string;
  /** The whole history; the run's own part begins at `start`. */
  readonly history: readonly Message[];
  readonly start: number;
  readonly begun: boolean;
  /** Calls that are running. */
  startedCalls(): readonly ToolCall[];
  /** What a call runs with, where a person has changed its arguments. */
  argumentsOf?(call: ToolCall): string | undefined;
  /** The call that somebody is being asked about. */
  asked?(): ToolCall | undefined;
  /** The function that was picked as the decision, once it has begun: it is in no history. */
  decision?(): { readonly call: ToolCall; readonly result?: ToolResultMessage } | undefined;
  /** What the reply that is streaming has so far; absent when none is. */
  openReply(): readonly MessageUpdate[] | undefined;
  /** Runs that are told of as a whole, in a place of their own. */
  inside?(): readonly RunView[];
  readonly end: AgentEndEvent | undefined;
  /** The number of the newest event. */
  readonly seq: number;
};

/** One consumer of events. Costs nothing while nobody pulls: behind by more than the capacity it only remembers where it was. */
export class Reader implements AsyncIterator<AgentEvent, undefined> {
  readonly #view: RunView;
  readonly #leave: (reader: Reader) => void;
  #queue: AgentEvent[] = [];
  #head = 0;
  #waiting: ((result: IteratorResult<AgentEvent, undefined>) => void) | undefined;
  #pulled: Promise<IteratorResult<AgentEvent, undefined>> = Promise.resolve({ done: true, value: undefined });
  /** Set while it lags: the place in history from which it has to be told again; -1 also tells the start. */
  #from: number | undefined;
  /** It had the end of the picked function before it lagged. */
  #decided = false;
  #done = false;

  constructor(view: RunView, leave: (reader: Reader) => void) {
    this.#view = view;
    this.#leave = leave;
    if (view.begun) this.#from = -1;
  }

  push(event: AgentEvent): void {
    if (this.#done || this.#from !== undefined) return;
    const waiting = this.#waiting;
    if (waiting) {
      this.#waiting = undefined;
      waiting(this.#give(event));
    } else if (this.#queue.length - this.#head < readerCapacity) {
      this.#queue.push(event);
    } else {
      this.#from = this.#placeBefore(event);
      this.#decided ||= this.#wasDecided(event);
      this.#queue = [];
      this.#head = 0;
    }
  }

  next(): Promise<IteratorResult<AgentEvent, undefined>> {
    if (this.#head === this.#queue.length && this.#from !== undefined && !this.#done) {
      this.#queue = coalesced(this.#view, this.#from, this.#decided);
      this.#head = 0;
      this.#from = undefined;
    }
    if (this.#head < this.#queue.length) {
      const event = this.#queue[this.#head++]!;
      if (this.#head === this.#queue.length || this.#head >= readerCapacity) {
        this.#queue = this.#queue.slice(this.#head);
        this.#head = 0;
      }
      return Promise.resolve(this.#give(event));
    }
    if (this.#done) return Promise.resolve({ done: true, value: undefined });
    // A second pull before the first was answered comes behind it.
    if (this.#waiting) return this.#pulled.then(() => this.next());
    this.#pulled = new Promise((resolve) => {
      this.#waiting = resolve;
    });
    return this.#pulled;
  }

  return(): Promise<IteratorResult<AgentEvent, undefined>> {
    this.#finish();
    this.#waiting?.({ done: true, value: undefined });
    this.#waiting = undefined;
    return Promise.resolve({ done: true, value: undefined });
  }

  #give(event: AgentEvent): IteratorResult<AgentEvent, undefined> {
    if (event.type === "agent_end" && event.runId === this.#view.runId) this.#finish();
    return { done: false, value: event };
  }

  #finish(): void {
    this.#done = true;
    this.#queue = [];
    this.#head = 0;
    this.#from = undefined;
    this.#leave(this);
  }

  /** Where in history the reader is if it gets none of the queued events nor this one. */
  #placeBefore(newest: AgentEvent): number {
    const { history, runId } = this.#view;
    let place = history.length;
    for (const event of [newest, ...this.#queue.slice(this.#head).reverse()]) {
      if (event.runId !== runId || place === 0) continue;
      if (isIn(event, history[place - 1], event === newest)) place--;
    }
    return place;
  }

  /** Whether it had the end of the picked function, if it gets none of the queued events nor this one. */
  #wasDecided(newest: AgentEvent): boolean {
    const result = this.#view.decision?.()?.result;
    const missed = (event: AgentEvent) => event.type === "tool_end" && event.result === result;
    return result !== undefined && !missed(newest) && !this.#queue.slice(this.#head).some(missed);
  }
}

/** Whether an event ends what stands there in history; the newest may also be the start of what is in history already. */
function isIn(event: AgentEvent, there: Message | undefined, newest: boolean): boolean {
  if (event.type === "message_end") return event.message === there;
  if (event.type === "tool_end") return event.result === there;
  if (!newest) return false;
  if (event.type === "message_start") return event.message !== undefined && event.message === there;
  return event.type === "tool_start" && there?.role === "tool" && there.callId === event.call.id;
}

/** The run from a place in its history on, in as few events as tell it, the first of them marked. */
function coalesced(view: RunView, from: number, decided: boolean): AgentEvent[] {
  const [first, ...rest] = told(view, from, decided);
  return first ? [{ ...first, gap: true }, ...rest] : [];
}

function told(view: RunView, from: number, decided = false): AgentEvent[] {
  const { runId, path, history, start } = view;
  const { seq } = view;
  const events: AgentEvent[] = [];
  const add = (body: EventBody) => events.push({ ...body, runId, path, seq });
  if (from < start && view.begun) add({ type: "agent_start" });
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
  for (const one of view.inside?.() ?? []) for (const event of told(one, -1)) events.push({ ...event, seq });
  if (view.end) events.push(view.end);
  return events;
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
