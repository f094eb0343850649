import type { Json } from "../message/json.ts";
import { withoutSecrets } from "../message/redact.ts";
import type { AgentEndEvent, AgentEvent, EventBody } from "./events.ts";
import { Reader, type RunView } from "./reader.ts";
import { TextReader } from "./text-reader.ts";

const nobody: readonly never[] = [];

/**
 * Where the events of one run go: to its own readers and to those of the run around it. Without readers nothing is made.
 * A class because every run has one: functions of its own for each would be a tenth of what a waiting run weighs.
 */
export class Emitter {
  readonly runId: string;
  readonly path: string;
  #parent: Emitter | undefined;
  /** Shared by a root run and all inside it. */
  readonly #counter: { seq: number };
  // Arrays, replaced when somebody comes or goes: told far more often than changed.
  #readers: readonly Reader[] = nobody;
  #texts: readonly Pick<TextReader, "push" | "end">[] = nobody;

  constructor(runId: string, path: string, parent: Emitter | undefined) {
    this.runId = runId;
    this.path = path;
    this.#parent = parent;
    this.#counter = parent === undefined ? { seq: 0 } : parent.#counter;
  }

  /** Somebody reads: only then is it worth making an event. */
  get active(): boolean {
    return this.#readers.length > 0 || this.#parent?.active === true;
  }

  /** The number of the newest event. */
  get seq(): number {
    return this.#counter.seq;
  }

  /** The number of the next event. */
  next(): number {
    return ++this.#counter.seq;
  }

  /** Numbers an event and passes it on, if somebody reads; the events of every round are in tell.ts. */
  emit(given: EventBody): void {
    if (!this.active) return;
    // What a hook threw or a provider sent may quote a key.
    const body = given.type === "warning" ? { ...given, message: withoutSecrets(given.message) } : given;
    this.pass({ ...body, runId: this.runId, path: this.path, seq: this.next() });
  }

  /** Passes a numbered event to the readers, also those of the run around. */
  pass(event: AgentEvent): void {
    // One that has read the last event leaves: the list that is gone through stays as it was.
    const readers = this.#readers;
    for (let i = 0; i < readers.length; i++) readers[i]!.push(event);
    this.#parent?.pass(event);
  }

  /** What is around hears nothing more of it. */
  detach(): void {
    this.#parent = undefined;
  }

  /** Progress of a tool. */
  progress(callId: string, progress: Json): void {
    this.emit({ type: "tool_update", callId, progress });
  }

  /** Somebody reads the text alone. */
  get heard(): boolean {
    return this.#texts.length > 0;
  }

  /** A piece of the run's own text, for readers of text alone. */
  text(delta: string): void {
    const texts = this.#texts;
    for (let i = 0; i < texts.length; i++) texts[i]!.push(delta);
  }

  end(body: Extract<EventBody, { type: "agent_end" }>): AgentEndEvent {
    const event: AgentEndEvent = { ...body, runId: this.runId, path: this.path, seq: this.next() };
    this.pass(event);
    for (const reader of this.#texts) reader.end();
    this.#texts = nobody;
    return event;
  }

  read(view: RunView): Reader {
    const reader = new Reader(view, (gone) => {
      this.#readers = this.#readers.filter((one) => one !== gone);
    });
    this.#readers = [...this.#readers, reader];
    return reader;
  }

  /** Hands the run's text on to the readers of another. */
  passTextTo(to: Emitter): void {
    this.#texts = [...this.#texts, { push: (delta) => to.text(delta), end: () => {} }];
  }

  readText(soFar: string, ended: boolean): TextReader {
    const reader = new TextReader(soFar, (gone) => {
      this.#texts = this.#texts.filter((one) => one !== gone);
    });
    if (ended) reader.end();
    else this.#texts = [...this.#texts, reader];
    return reader;
  }
}
