import { isJson } from "../../message/json.ts";
import { drained, within } from "./close.ts";
import type { Over } from "./ending.ts";

/** Looks at the events of one stream, in order, and may say them otherwise. */
export type Mender = {
  /**
   * One event: its data and its name, if it has one. Undefined leaves it as it came, to the byte; else the data of the events that
   * stand in its place, which may be none.
   */
  event(data: string, name: string | undefined): readonly string[] | undefined;
  /** Whether the reply is whole, so that the end of the bytes need not be waited for. */
  over?(): Over;
  /** An event does not end: what is to be said of that. The stream ends there. */
  tooLong?(): readonly string[];
  /** The stream has ended of itself, or was ended behind a whole reply: what is still to be said. */
  end(): readonly string[];
};

/** No event is longer; whole pictures stand in one. */
export const longestEvent = 64 * 2 ** 20;

/**
 * Server-sent events on their way to who reads them, mended where the mender says so. Whole events go on at once; half of
 * one waits for its other half, and is looked at even if the stream ends without the blank line behind it. Bytes that
 * need no mending are handed on as they are. What a byte costs does not grow with the stream or the event. No more than `longest`
 * bytes are kept of an event: one that never ends would fill the memory.
 */
export function mendSse(
  body: ReadableStream<Uint8Array>,
  mender: Mender,
  longest = longestEvent,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const events = sseMending(mender);
  /** How much longer the end is waited for once a reason to finish came. */
  let left = graceMs;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const give = (whole: Uint8Array | undefined) => {
          if (whole !== undefined) controller.enqueue(whole);
          return whole !== undefined;
        };
        for (;;) {
          const since = performance.now();
          const waits = mender.over?.() === "soon";
          const read = waits ? await within(reader.read(), left).catch(brokenOff) : await reader.read();
          // Pings behind the reason must not hold the stream open either.
          if (waits) left = Math.max(0, left - (performance.now() - since));
          const whole = read?.done === false && give(events.push(read.value));
          if (read?.done === false && mender.over?.() !== "now") {
            if (whole) return;
            if (events.held() <= longest) continue;
            give(encoded(mender.tooLong?.() ?? []));
            controller.close();
            return reader.cancel().catch(brokenOff);
          }
          give(events.end());
          controller.close();
          if (read?.done !== true) drained(reader);
          return;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** A connection that breaks behind a reason to finish takes nothing of the reply with it. */
export const brokenOff = () => undefined;

/** Behind a reason to finish come the usage and the end, at once. */
const graceMs = 1_000;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function sseMending(mender: Mender) {
  /** The beginning of an event whose end has not come. */
  let held: Uint8Array[] = [];
  let bytesHeld = 0;
  /** The last two bytes that came. */
  let tail: readonly number[] = [];

  return {
    /** Bytes of the event whose end has not come. */
    held: () => bytesHeld,
    /** The events that are whole with these bytes, if any. */
    push(bytes: Uint8Array): Uint8Array | undefined {
      const end = endOfEvents(bytes, tail);
      tail = bytes.length > 1 ? [...bytes.subarray(-2)] : [...tail, ...bytes].slice(-2);
      if (end < 0) {
        held.push(bytes);
        bytesHeld += bytes.length;
        return undefined;
      }
      const whole = joined(held, bytes.subarray(0, end));
      held = end < bytes.length ? [bytes.subarray(end)] : [];
      bytesHeld = bytes.length - end;
      return mended(whole, mender);
    },
    end(): Uint8Array | undefined {
      const last = eventOf(decoder.decode(joined(held, new Uint8Array())).replaceAll(/\r\n?/g, "\n"));
      // Half a last event is what a cut leaves behind; a whole one only lacks the blank line.
      const isWhole = last !== undefined && (last.data === done || isJson(last.data));
      const said = isWhole ? (mender.event(last.data, last.name) ?? [last.data]) : [];
      const text = [...said, ...mender.end()].map(written).join("");
      // A reader waits behind a CR for the LF that may belong to it.
      const ended = text === "" && last === undefined && (held.length > 0 || tail.at(-1) === cr) ? "\n" : text;
      return ended === "" ? undefined : encoder.encode(ended);
    },
  };
}

/** What some grammars send behind their last event. */
export const done = "[DONE]";

const written = (data: string): string => `data: ${data}\n\n`;

const encoded = (events: readonly string[]): Uint8Array | undefined =>
  events.length === 0 ? undefined : encoder.encode(events.map(written).join(""));

function mended(bytes: Uint8Array, mender: Mender): Uint8Array | undefined {
  const text = decoder.decode(bytes);
  const lines = text.includes("\r") ? text.replaceAll(/\r\n?/g, "\n") : text;
  const blocks = lines.split("\n\n");
  let other: string | undefined;
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i] as string;
    const event = block === "" ? undefined : eventOf(block);
    const said = event === undefined ? undefined : mender.event(event.data, event.name);
    if (said !== undefined) other = (other ?? before(blocks, i)) + said.map(written).join("");
    else if (other !== undefined && event !== undefined) other += `${block}\n\n`;
  }
  if (other === undefined) return bytes;
  return other === "" ? undefined : encoder.encode(other);
}

const before = (blocks: readonly string[], at: number): string =>
  blocks
    .slice(0, at)
    .map((block) => `${block}\n\n`)
    .join("");

/** The event of a block of lines; undefined when it has no data. */
function eventOf(block: string): { readonly data: string; readonly name: string | undefined } | undefined {
  if (block.startsWith("data: ") && !block.includes("\n")) return { data: block.slice(6), name: undefined };
  let data: string | undefined;
  let name: string | undefined;
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    if (field !== "data" && field !== "event") continue;
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "event") name = value;
    else data = data === undefined ? value : `${data}\n${value}`;
  }
  return data === undefined ? undefined : { data, name };
}

const lf = 10;
const cr = 13;

/** Where the last whole event ends, behind its blank line; -1 if none does. Lines end with LF, CR LF or CR. */
function endOfEvents(bytes: Uint8Array, tail: readonly number[]): number {
  const at = (i: number) => (i >= 0 ? bytes[i] : tail.at(i));
  for (let i = bytes.length - 1; i >= 0; i--) {
    const byte = bytes[i];
    if (byte !== lf && byte !== cr) continue;
    const last = at(i - 1);
    if (last === byte || (byte === cr && last === lf)) return i + 1;
    if (byte === lf && last === cr && (at(i - 2) === lf || at(i - 2) === cr)) return i + 1;
  }
  return -1;
}

function joined(held: readonly Uint8Array[], bytes: Uint8Array): Uint8Array {
  if (held.length === 0) return bytes;
  const all = new Uint8Array(held.reduce((sum, one) => sum + one.length, bytes.length));
  let at = 0;
  for (const one of [...held, bytes]) {
    all.set(one, at);
    at += one.length;
  }
  return all;
}
