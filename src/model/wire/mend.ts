import { excerpt } from "../excerpt.ts";
import { endWatch } from "./ending.ts";
import { type WireNotes, warn } from "./notes.ts";
import { type ProviderError, providerError } from "./provider-error.ts";
import { done, longestEvent, type Mender } from "./sse.ts";

/** One event of a stream, whatever was sent. */
export type WireEvent = { readonly [field: string]: unknown };

/** What is to be said differently in the streams of one grammar. */
export type GrammarMender = {
  /** As `Mender.event`. */
  event(event: WireEvent): readonly WireEvent[] | undefined;
  /** An error as the grammar writes one; undefined when this event is one already. */
  error(error: ProviderError, event: WireEvent): WireEvent | undefined;
  /** What belongs in front of `[DONE]`. */
  done?(): readonly WireEvent[];
  end?(): readonly WireEvent[];
};

/**
 * What is the same for every grammar: an error is told as one however it is written, blank data and what is no event is left out, what
 * was broken is noted. Nothing that a provider sends makes it throw.
 */
export function mendGrammar(grammar: GrammarMender, notes: WireNotes): Mender {
  const watch = endWatch();
  const read = (data: string, name: string | undefined): readonly string[] | undefined => {
    if (data === done) {
      watch.end();
      return told([...(grammar.done?.() ?? [])], done);
    }
    const event = parsed(data);
    if (event === undefined) {
      if (name === "error" && data.trim() !== "") {
        watch.end();
        return told([grammar.error({ message: data }, {}) ?? {}]);
      }
      if (data.trim() !== "") unreadable(data, notes);
      return [];
    }
    const error = providerError(event, name);
    if (error === undefined) {
      watch.saw(event);
      return grammar.event(event)?.map((one) => JSON.stringify(one));
    }
    watch.end();
    const written = grammar.error(error, event);
    return written && told([written]);
  };
  return {
    event(data, name) {
      try {
        return read(data, name);
      } catch {
        // Of another shape than its grammar has: what to make of it is for the package to say.
        return undefined;
      }
    },
    over: watch.over,
    tooLong: () => told([grammar.error({ message: neverEnds, type: "event_too_long" }, {}) ?? {}]) ?? [],
    end: () => told([...(grammar.end?.() ?? [])]) ?? [],
  };
}

const neverEnds = `The server sent an event of more than ${longestEvent / 2 ** 20} MB: it was given up.`;

function told(events: readonly WireEvent[], last?: string): readonly string[] | undefined {
  if (events.length === 0) return undefined;
  const texts = events.map((event) => JSON.stringify(event));
  return last === undefined ? texts : [...texts, last];
}

function parsed(data: string): WireEvent | undefined {
  if (data.trimStart()[0] !== "{") return undefined;
  try {
    return JSON.parse(data) as WireEvent;
  } catch {
    return undefined;
  }
}

/** Only what begins as an event does can have been one, and hold a piece of a call. */
function unreadable(data: string, notes: WireNotes): void {
  if (data.trimStart()[0] === "{") notes.lost = true;
  const code = "unreadable_event";
  if (!notes.warnings.some((warning) => warning.code === code)) warn(notes, code, unreadableMessage(data));
}

export const unreadableMessage = (text: string): string =>
  `The provider sent an event that cannot be read; it was left out: ${JSON.stringify(excerpt(text, 200))}`;
