/** Values that one side puts in when they come, and the other takes out when it wants. */
export type Channel<T> = {
  put(value: T): void;
  close(): void;
  /** Resolves to what is there, at least one value; undefined at the end. */
  take(): Promise<readonly T[] | undefined>;
};

export function channel<T>(): Channel<T> {
  let values: T[] = [];
  let closed = false;
  let wake = () => {};
  return {
    put(value) {
      values.push(value);
      wake();
    },
    close() {
      closed = true;
      wake();
    },
    async take() {
      if (values.length === 0 && !closed) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (values.length === 0) return undefined;
      const taken = values;
      values = [];
      return taken;
    },
  };
}
