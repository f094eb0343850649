import { expect, test } from "vitest";
import { jsonOrStream } from "./json-body.ts";

test("blanks without an end in front of a body are not all kept", async () => {
  let given = 0;
  const blanks = new ReadableStream<Uint8Array>(
    {
      pull(out) {
        // A body that is looked at too far ends, so that the test does.
        if (++given > 1_000) out.close();
        else out.enqueue(new Uint8Array(1_000).fill(32));
      },
    },
    { highWaterMark: 0 },
  );
  await (await jsonOrStream(blanks)).cancel();
  expect(given).toBeLessThan(100);
});
