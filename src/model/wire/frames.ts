import { drained, within } from "./close.ts";
import { brokenOff, longestEvent } from "./sse.ts";

/** Behind the reason to finish comes the usage, at once. */
const graceMs = 1_000;

/**
 * Bedrock's binary frames as they come, ended behind the last one of a reply: its package gives the end of a reply only at the end of
 * the bytes.
 */
export function endFrames(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const last = lastFrame();
  let left = graceMs;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const since = performance.now();
        const read = last.stopped() ? await within(reader.read(), left).catch(brokenOff) : await reader.read();
        if (last.stopped()) left = Math.max(0, left - (performance.now() - since));
        if (read?.done === false) controller.enqueue(read.value);
        if (read?.done === false && !last.came(read.value)) return;
        controller.close();
        if (read?.done !== true) drained(reader);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** The first bytes of a frame: its length, the length of its headers and a checksum. */
const prelude = 12;
/** What is looked at of a frame; the headers that say its type are far shorter. */
const looked = 512;

function lastFrame() {
  let head: number[] = [];
  /** How much of the open frame came. */
  let came = 0;
  let stopped = false;

  const number = (at: number) => new DataView(Uint8Array.from(head).buffer).getUint32(at);

  /** Whether the frame that is whole now is the last one. */
  const isLast = (): boolean => {
    const headers = String.fromCharCode(...head.slice(prelude, prelude + number(4)));
    stopped ||= headers.includes("messageStop");
    return headers.includes("exception") || (stopped && headers.includes("metadata"));
  };

  return {
    stopped: () => stopped,
    /** Whether the last frame is whole with these bytes. */
    came(bytes: Uint8Array): boolean {
      for (let at = 0; at < bytes.length; ) {
        const wanted = head.length < 4 ? 4 : number(0);
        // No frame at all: what to make of it is for the package to say, which would wait for the end of a long one.
        if (head.length >= 4 && wanted < prelude) return false;
        if (wanted > longestEvent) return true;
        const end = Math.min(bytes.length, at + wanted - came);
        head.push(...bytes.subarray(at, Math.min(end, at + Math.max(0, looked - head.length))));
        came += end - at;
        at = end;
        if (head.length < 4 || came < number(0)) continue;
        if (isLast()) return true;
        head = [];
        came = 0;
      }
      return false;
    },
  };
}
