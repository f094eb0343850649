/** A body that is fed by hand, and what its reader did about it. */
export function openBody() {
  let out: ReadableStreamDefaultController<Uint8Array> | undefined;
  let cancelled = 0;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      out = controller;
    },
    cancel: () => {
      cancelled += 1;
    },
  });
  return {
    body,
    give: (bytes: Uint8Array) => out?.enqueue(bytes),
    end: () => out?.close(),
    cancelled: () => cancelled,
  };
}

/** Reads a stream in the background; `ended` once it is over. */
export function reading(stream: ReadableStream<Uint8Array>) {
  const read: Uint8Array[] = [];
  let ended = false;
  const all = (async () => {
    for await (const bytes of stream) read.push(bytes);
    ended = true;
  })();
  all.catch(() => {});
  return { bytes: () => Buffer.concat(read), ended: () => ended };
}
