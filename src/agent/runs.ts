import { RondoError } from "../error.ts";
import type { RunClient } from "../host/host.ts";
import { LiveReceipt } from "../host/receipt.ts";
import type { AgentEvent } from "../loop/events.ts";
import type { RunResult } from "../loop/outcome.ts";
import type { Content } from "./content.ts";
import type { ExecOptions } from "./options.ts";
import type { Run } from "./runtime.ts";

/** The runs of a runtime by id. In memory a run is known while it goes on. */
export type Runs = RunClient<RunResult, AgentEvent, [content: Content, options?: ExecOptions]>;

/** What is behind `runtime.runs`; `begin` makes a run of this id. */
export function createRuns(begin: (id: string, content: Content, options: ExecOptions) => Run): Runs {
  const live = new Map<string, Run>();
  const find = (id: string): Run => {
    const run = live.get(id);
    if (!run) throw new RondoError("host", `No run "${id}" is going on here.`);
    return run;
  };
  return {
    async start(id, content, options = {}) {
      const known = live.get(id);
      if (known) return known.result;
      const run = begin(id, content, options);
      live.set(id, run);
      const result = await run.result;
      live.delete(id);
      return result;
    },
    send(id, message) {
      const run = live.get(id);
      if (run) return run.post(message);
      const receipt = new LiveReceipt("unknown");
      receipt.settle("undelivered");
      return receipt;
    },
    cancel(id, reason) {
      live.get(id)?.abort(reason);
    },
    result: async (id) => find(id).result,
    async *observe(id) {
      yield* find(id);
    },
  };
}
