/** An error without the stack that would be most of its cost. */
export function cheapError(message: string): Error {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return new Error(message);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** What a host that has failed says. */
export const gone = () => cheapError("the host is gone");

/** As the arrival says: what was asked is rejected, or throws. */
export function fail(arrival: string): Promise<never> {
  if (arrival === "fault") return Promise.reject(gone());
  throw gone();
}
