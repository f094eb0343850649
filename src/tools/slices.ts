import { setImmediate } from "node:timers/promises";

/** Cuts long synchronous work into slices, between which the process can do other things. */
export type Slices = {
  /** True when the slice has had its time: then await `next`. */
  due(): boolean;
  /** Lets the event loop run; throws the signal's reason if it has fired. */
  next(): Promise<void>;
};

/** A slice is 10 milliseconds long: few enough for a server, many enough to keep the cost of switching low. */
export function slices(signal: AbortSignal): Slices {
  signal.throwIfAborted();
  let end = performance.now() + 10;
  return {
    due: () => performance.now() >= end,
    async next() {
      await setImmediate();
      signal.throwIfAborted();
      end = performance.now() + 10;
    },
  };
}
