import type { Message, ToolCall, ToolResultMessage } from "../message/message.ts";
import type { AgentEndEvent, AgentEvent, MessageUpdate } from "./events.ts";
import { inShort, Told } from "./in-short.ts";

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
  /** What is going on inside, at any depth, outer before inner; also what has ended there and is still known. */
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
  /** How many of the queued events stand for the past: it is not behind by those. */
  #past = 0;
  #waiting: ((result: IteratorResult<AgentEvent, undefined>) => void) | undefined;
  #pulled: Promise<IteratorResult<AgentEvent, undefined>> = Promise.resolve({ done: true, value: undefined });
  /** It has missed events, and is to be told in short. */
  #lags: boolean;
  readonly #told = new Told();
  #done = false;

  constructor(view: RunView, leave: (reader: Reader) => void) {
    this.#view = view;
    this.#leave = leave;
    this.#lags = view.begun;
  }

  push(event: AgentEvent): void {
    if (this.#done) return;
    if (this.#lags) {
      this.#told.miss(event);
      return;
    }
    const waiting = this.#waiting;
    if (waiting) {
      this.#waiting = undefined;
      waiting(this.#give(event));
    } else if (this.#queue.length - Math.max(this.#head, this.#past) < readerCapacity) {
      this.#queue.push(event);
    } else {
      for (let i = this.#head; i < this.#queue.length; i++) this.#told.miss(this.#queue[i]!);
      this.#told.miss(event);
      this.#refill([]);
      this.#lags = true;
    }
  }

  next(): Promise<IteratorResult<AgentEvent, undefined>> {
    if (this.#lags && !this.#done) {
      this.#refill(inShort(this.#view, this.#told));
      this.#lags = false;
    }
    if (this.#head < this.#queue.length) {
      const event = this.#queue[this.#head++]!;
      if (this.#head === this.#queue.length || this.#head >= readerCapacity) {
        this.#past = Math.max(0, this.#past - this.#head);
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

  #refill(events: AgentEvent[]): void {
    this.#queue = events;
    this.#head = 0;
    this.#past = events.length;
  }

  #give(event: AgentEvent): IteratorResult<AgentEvent, undefined> {
    this.#told.give(event);
    if (event.type === "agent_end" && event.runId === this.#view.runId) this.#finish();
    return { done: false, value: event };
  }

  #finish(): void {
    this.#done = true;
    this.#lags = false;
    this.#refill([]);
    this.#leave(this);
  }
}
