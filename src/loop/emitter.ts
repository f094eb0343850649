import type { AgentEndEvent, AgentEvent, EventBody } from "./events.ts";
import { Reader, type RunView } from "./reader.ts";
import { TextReader } from "./text-reader.ts";

/** Where the events of one run go: to its own readers and to those of the run around it. Without readers nothing is made. */
export type Emitter = {
  /** Somebody reads: only then is it worth making an event. */
  readonly active: boolean;
  readonly runId: string;
  readonly path: string;
  /** The number of the next event. */
  next(): number;
  /** Numbers an event and passes it on, if somebody reads; the events of every round are in tell.ts. */
  emit(body: EventBody): void;
  /** A piece of the run's own text, for readers of text alone. */
  text(delta: string): void;
  end(body: Extract<EventBody, { type: "agent_end" }>): AgentEndEvent;
  read(view: RunView): Reader;
  readText(soFar: string, ended: boolean): TextReader;
  /** Passes a numbered event to the readers, also those of the run around. */
  readonly pass: (event: AgentEvent) => void;
  readonly counter: { seq: number };
};

export function createEmitter(runId: string, path: string, parent?: Emitter): Emitter {
  const counter = parent?.counter ?? { seq: 0 };
  // Arrays, replaced when somebody comes or goes: told far more often than changed.
  let readers: readonly Reader[] = [];
  let texts: readonly TextReader[] = [];
  const pass = (event: AgentEvent) => {
    for (const reader of readers) reader.push(event);
    parent?.pass(event);
  };
  return {
    runId,
    path,
    next: () => ++counter.seq,
    counter,
    pass,
    get active() {
      return readers.length > 0 || parent?.active === true;
    },
    emit(body) {
      if (readers.length > 0 || parent?.active) pass({ ...body, runId, path, seq: ++counter.seq });
    },
    text(delta) {
      for (const reader of texts) reader.push(delta);
    },
    end(body) {
      const event: AgentEndEvent = { ...body, runId, path, seq: ++counter.seq };
      pass(event);
      for (const reader of texts) reader.end();
      texts = [];
      return event;
    },
    read(view) {
      const reader = new Reader(view, (gone) => {
        readers = readers.filter((one) => one !== gone);
      });
      readers = [...readers, reader];
      return reader;
    },
    readText(soFar, ended) {
      const reader = new TextReader(soFar, (gone) => {
        texts = texts.filter((one) => one !== gone);
      });
      if (ended) reader.end();
      else texts = [...texts, reader];
      return reader;
    },
  };
}
