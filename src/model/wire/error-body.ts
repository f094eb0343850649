import { within } from "./close.ts";
import { brokenOff } from "./sse.ts";
import { withBody } from "./with-body.ts";

/** How much of a failed response is read, and for how long: what went wrong stands at its beginning. */
export type ErrorLimits = { readonly bytes?: number; readonly ms?: number };

/**
 * A failed response whose body ends, whatever its server does: the packages read it whole before they say anything, so one that never
 * ends would fill the memory, one that stands still would keep the status and the pause it asks for back, and one that breaks
 * would take along what it had said.
 */
export function boundedError(response: Response, { bytes = 1_000_000, ms = 10_000 }: ErrorLimits = {}): Response {
  const { body } = response;
  if (body === null) return response;
  const reader = body.getReader();
  const until = performance.now() + ms;
  let left = bytes;
  const whole = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const read = await within(reader.read(), Math.max(0, until - performance.now())).catch(brokenOff);
        if (read?.done === false) {
          controller.enqueue(read.value.subarray(0, left));
          left -= read.value.length;
          if (left > 0) return;
        }
        controller.close();
        if (read?.done !== true) reader.cancel().catch(() => {});
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return withBody(response, whole);
}
