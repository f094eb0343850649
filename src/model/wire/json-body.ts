import { saidIn } from "../failure-body.ts";
import { boundedError } from "./error-body.ts";

/**
 * The stream in a body that is called JSON or a page. Some servers call their event streams so; a body that is JSON is nearly always an
 * error, which the package would not look for, and becomes one event; so does the page of something else that answers at this address.
 */
export async function jsonOrStream(body: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  const reader = body.getReader();
  const begun: Uint8Array[] = [];
  let first: number | undefined;
  for (let looked = 0; first === undefined && looked < farthest; ) {
    const { done, value } = await reader.read();
    if (done) break;
    begun.push(value);
    looked += value.length;
    first = value.find((byte) => !blank.has(byte));
  }
  const whole = resumed(begun, reader);
  const isJson = first === brace || first === bracket;
  if (first === lessThan) return pageEvent(await boundedError(new Response(whole)).text());
  return isJson ? whole.pipeThrough(oneEvent()) : whole;
}

const [brace, bracket, lessThan] = [0x7b, 0x5b, 0x3c];

/** Blanks in front of a body are few; there may be no end of them. */
const farthest = 65_536;

/** White space, and the bytes of a byte order mark. */
const blank = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/** The bytes that were read already, then the rest as it comes. */
const resumed = (begun: Uint8Array[], reader: ReadableStreamDefaultReader<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = begun.shift();
        if (next !== undefined) return controller.enqueue(next);
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );

/** Line breaks in JSON stand between its values only. */
const oneEvent = (): TransformStream<Uint8Array, Uint8Array> => {
  const encoder = new TextEncoder();
  return new TransformStream({
    start: (controller) => controller.enqueue(encoder.encode("data: ")),
    transform: (bytes, controller) =>
      controller.enqueue(bytes.map((byte) => (byte === lf || byte === cr ? space : byte))),
    flush: (controller) => controller.enqueue(encoder.encode("\n\n")),
  });
};

const [lf, cr, space] = [0x0a, 0x0d, 0x20];

function pageEvent(page: string): ReadableStream<Uint8Array> {
  const { message: title } = saidIn(page);
  const named = title === undefined ? "" : ` (${JSON.stringify(title)})`;
  const message = `The server sent a page${named} and no reply: is the address right?`;
  return new Blob([`data: ${JSON.stringify({ error: { message, type: "not_a_reply" } })}\n\n`]).stream();
}
