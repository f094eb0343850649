import type { Host, HostFactory, OpenRun } from "../../src/host/host.ts";
import type { Op } from "./log.ts";

/** Who is told of every call of the host, and has it performed. */
export type Watcher = {
  /** Fires the signal of the run. */
  interrupt: (reason: unknown) => void;
  /** `early`: as if its time were over. */
  perform<T extends object>(
    op: Op,
    key: string,
    more: object,
    call: (early?: boolean) => T | Promise<T>,
  ): T | Promise<T>;
};

/** A host that tells the world of every call, around one that really works. */
export function watched(inner: HostFactory, watcher: () => Watcher): HostFactory {
  return {
    open(runId): OpenRun {
      const { host, send, cancel, interrupt } = bound(inner.open(runId));
      const it = watcher();
      it.interrupt = interrupt;
      const outer: Host = {
        signal: host.signal,
        step: (key, options, effect) => it.perform("step", key, {}, () => host.step(key, options, effect)),
        inbox: {
          drain: (key, kinds) => it.perform("drain", key, { kinds }, () => host.inbox.drain(key, kinds)),
          takeOrClose: (key) => it.perform("takeOrClose", key, {}, () => host.inbox.takeOrClose(key)),
          close: (key) => it.perform("close", key, {}, () => host.inbox.close(key)),
          wait: (key, kinds, until) => {
            const ends = until === undefined ? {} : { until };
            return it.perform("wait", key, { kinds, ...ends }, (early = false) =>
              early ? { at: until ?? 0, messages: [] } : host.inbox.wait(key, kinds, until),
            );
          },
        },
        async settle(ids, how, round) {
          const settled = { ids, how, ...(round !== undefined && { round }) };
          await it.perform("settle", "", { settled }, async () => {
            await host.settle(ids, how, round);
            return {};
          });
        },
        sleep: (ms) => host.sleep(ms),
      };
      return { host: outer, send, cancel, interrupt };
    },
  };
}

function bound(run: OpenRun): OpenRun {
  return {
    host: run.host,
    send: (message) => run.send(message),
    cancel: (reason, as) => run.cancel(reason, as),
    interrupt: (reason) => run.interrupt(reason),
  };
}
