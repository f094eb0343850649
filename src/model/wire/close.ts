type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** What a promise gives, or undefined when it takes longer than this. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The end of the bytes mostly comes with the last event; a connection that is read to its end is used again. */
const lingerMs = 250;

/** Gives up what may still come, in the background. */
export function drained(reader: Reader): void {
  const rest = async () => {
    while (!(await reader.read()).done);
  };
  const quiet = () => {};
  within(rest(), lingerMs)
    .then(() => reader.cancel())
    .catch(quiet);
}
