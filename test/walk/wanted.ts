import { RunHandle } from "../../src/agent/handle.ts";
import type { ExecOptions, RuntimeOptions } from "../../src/agent/options.ts";
import type { Run, Runtime } from "../../src/agent/runtime.ts";
import { ready } from "../../src/agent/start.ts";
import { memory } from "../../src/host/memory.ts";
import { drive } from "../../src/loop/drive.ts";
import type { RunResult } from "../../src/loop/outcome.ts";
import { openRun } from "../../src/loop/run.ts";
import { createRegistry } from "../../src/menu/registry.ts";
import { textOf } from "../../src/message/message.ts";

/** What is wanted of a reply. */
export const wantedText = "done";

/**
 * A run of which a decision is wanted. No option asks for one yet, so the validator is handed to the loop itself; all
 * the rest is made as `runtime.run` makes it.
 */
export function runWanted(runtime: Runtime, options: RuntimeOptions, given: ExecOptions, reasks: number): Run {
  const home = {
    runtime,
    options,
    registry: createRegistry([]),
    host: options.host ?? memory(),
    models: new Map(),
    live: new Map(),
  };
  const made = ready(home, "go", given, undefined);
  const { input } = made.loop;
  const loop = openRun({
    ...input,
    config: { ...input.config, wanted: wantedText, reasks },
    judge: (message) => ({
      judged:
        textOf(message) === wantedText ? { valid: true } : { valid: false, reason: "That is not what is wanted." },
    }),
  });
  return new RunHandle({ ...made, loop, drive: () => drive(loop) as Promise<RunResult> });
}
