import { RondoError } from "../error.ts";
import type { RunClient } from "../host/host.ts";
import type { AgentEvent } from "../loop/events.ts";
import type { RunResult } from "../loop/outcome.ts";
import { mistake, shown } from "./check-options.ts";
import type { Content } from "./content.ts";
import { RunHandle } from "./handle.ts";
import type { ExecOptions } from "./options.ts";
import type { Run } from "./runtime.ts";
import { undelivered } from "./send.ts";
import type { Ready } from "./start.ts";

/** The runs of a runtime by id, however they were begun, nested ones too. In memory a run is known while it goes on. */
export type Runs = RunClient<RunResult, AgentEvent, [content: Content, options?: ExecOptions]>;

/** What is behind `runtime.runs`: the runs of `live`; `begin` makes one of this id. */
export function createRuns(
  live: ReadonlyMap<string, Ready>,
  begin: (id: string, content: Content, options: ExecOptions) => Run,
): Runs {
  const handle = (id: string): Run | undefined => {
    const ready = live.get(id);
    return ready && new RunHandle(ready);
  };
  const find = (id: string): Run => {
    const run = handle(id);
    if (!run) throw new RondoError("host", `No run ${shown(id)} is going on here.`);
    return run;
  };
  return {
    async start(id, content, options = {}) {
      if (typeof id !== "string" || id === "")
        throw mistake(`The id of a run must be text that is not empty, not ${shown(id)}.`);
      return (handle(id) ?? begin(id, content, options)).result;
    },
    send(id, message) {
      return handle(id)?.post(message) ?? undelivered();
    },
    cancel(id, reason) {
      handle(id)?.abort(reason);
    },
    result: async (id) => find(id).result,
    async *observe(id) {
      yield* find(id);
    },
  };
}
