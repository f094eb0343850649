import { RunHandle } from "../../src/agent/handle.ts";
import type { ExecOptions, RuntimeOptions } from "../../src/agent/options.ts";
import { rulesOf } from "../../src/agent/policy.ts";
import type { Run } from "../../src/agent/runtime.ts";
import { ready } from "../../src/agent/start.ts";
import { createRuntime, memory, tool } from "../../src/core.ts";
import { drive } from "../../src/loop/drive.ts";
import type { RunResult } from "../../src/loop/outcome.ts";
import { openRun } from "../../src/loop/run.ts";
import { createRegistry } from "../../src/menu/registry.ts";
import { ResultCache } from "../../src/menu/result-cache.ts";
import type { PickName } from "./letters.ts";

/** The value that may be decided for, and the text that says so. */
export const wantedText = "done";

/**
 * A run of which a decision is wanted: for a value, or for a function that `run` is. How often it is asked for again is
 * no option, so the loop is handed that; all the rest is made as `runtime.run` makes it.
 */
export function runWanted(
  options: RuntimeOptions,
  given: Omit<ExecOptions, "choices" | "output">,
  reasks: number,
  run: (name: PickName, callId: string, n: unknown) => unknown,
): Run {
  const made = (name: PickName) =>
    tool({
      // Not the name of its option, which is what the model knows.
      name: `to_${name}`,
      input: { type: "object", properties: { n: { type: "number" } } },
      timeoutMs: Number.POSITIVE_INFINITY,
      requiresApproval: name === "signed",
      execute: (args, ctx) => run(name, ctx.callId, (args as { n?: unknown }).n),
    });
  const choices = { [wantedText]: wantedText, pick: made("pick"), signed: made("signed") };
  const home = {
    runtime: createRuntime(options),
    options,
    registry: createRegistry([]),
    host: options.host ?? memory(),
    rules: rulesOf(undefined, "."),
    models: new Map(),
    cache: new ResultCache(),
    live: new Map(),
  };
  const prepared = ready(home, "go", { ...given, choices }, undefined);
  const { input } = prepared.loop;
  const loop = openRun({ ...input, config: { ...input.config, reasks } });
  return new RunHandle({ ...prepared, loop, drive: () => drive(loop) as Promise<RunResult> });
}
