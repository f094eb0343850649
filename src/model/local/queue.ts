/** Lets one through at a time, in the order in which they came. */
export type Queue = {
  /** Resolves, when all before are done, to what is to be called at the end; undefined if the signal fires before. */
  enter(signal: AbortSignal): Promise<(() => void) | undefined>;
};

export function queue(): Queue {
  let last: Promise<void> = Promise.resolve();
  return {
    enter(signal) {
      const before = last;
      let leave = () => {};
      last = new Promise<void>((resolve) => {
        leave = resolve;
      });
      return new Promise((resolve) => {
        const giveUp = () => {
          // Those behind still wait for those before.
          before.then(leave);
          resolve(undefined);
        };
        if (signal.aborted) return giveUp();
        signal.addEventListener("abort", giveUp, { once: true });
        before.then(() => {
          signal.removeEventListener("abort", giveUp);
          resolve(leave);
        });
      });
    },
  };
}
