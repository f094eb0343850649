import { resolve } from "node:path";
import type { ExecOptions } from "../agent/options.ts";
import { tool } from "../menu/tool.ts";
import { agentFile } from "./agent-file.ts";
import { deniedOf, durationOf, list, modelsOf, numberOf, oneOf, single, toolChoiceOf } from "./option-values.ts";
import { usageError } from "./usage-error.ts";

/** What `rondo run` was asked to do. */
export type RunSettings = {
  /** The words of the prompt. */
  readonly words: readonly string[];
  readonly model?: string;
  /** Models to ask when those before them cannot answer, in order. */
  readonly fallbacks?: readonly string[];
  /** Absolute path of the agent's file, which was looked at. */
  readonly agent?: string;
  /** Absolute path of the folder that the tools work in; it need not exist yet. */
  readonly folder: string;
  readonly yes: boolean;
  /** Only tools that change nothing. */
  readonly readOnly: boolean;
  /** Rules about calls that are denied. */
  readonly deny?: readonly string[];
  readonly json: boolean;
  readonly quiet: boolean;
  /** False after `--no-color`. */
  readonly color: boolean;
  /** Options of the run. */
  readonly exec: ExecOptions;
};

/** The parsed options of the command line, as settings; values that make no sense are usage errors. */
export function settingsOf(words: readonly string[], parsed: { readonly [option: string]: unknown }): RunSettings {
  const [model, ...fallbacks] = modelsOf(parsed.model);
  const folder = single(parsed.cwd, "--cwd");
  const agent = single(parsed.agent, "--agent");
  if (agent === "") throw usageError("--agent: the path is empty");
  if (parsed.yes === true && parsed.readOnly === true)
    throw usageError(
      "give --yes or --read-only, not both: one approves every call, the other denies those that change something",
    );
  if (folder === "") throw usageError("--cwd: the path is empty");
  const denied = deniedOf(parsed.deny);
  return {
    words,
    ...(model !== undefined && { model }),
    ...(fallbacks.length > 0 && { fallbacks }),
    ...(agent !== undefined && { agent: agentFile(agent) }),
    folder: resolve(folder ?? "."),
    yes: parsed.yes === true,
    readOnly: parsed.readOnly === true,
    ...(denied && { deny: denied.rules }),
    json: parsed.json === true,
    quiet: parsed.quiet === true,
    color: parsed.color !== false,
    exec: execOptionsOf(parsed, denied?.names ?? []),
  };
}

function execOptionsOf(parsed: { readonly [option: string]: unknown }, deny: readonly string[]): ExecOptions {
  const tools = list(parsed.tools);
  const toolset = single(parsed.toolset, "--toolset");
  const toolChoice = single(parsed.toolChoice, "--tool-choice");
  const maxIterations = single(parsed.maxIterations, "--max-iterations");
  const atLimit = single(parsed.atLimit, "--at-limit");
  const system = single(parsed.system, "--system");
  const timeout = single(parsed.timeout, "--timeout");
  if (tools !== undefined && toolset !== undefined) throw usageError("give --tools or --toolset, not both");
  return {
    ...(tools !== undefined && { tools: tools.map((name) => tool.named(name)) }),
    ...(toolset !== undefined && { toolset }),
    ...(deny.length > 0 && { toolsDeny: deny }),
    ...(toolChoice !== undefined && { toolChoice: toolChoiceOf("--tool-choice", toolChoice) }),
    ...(maxIterations !== undefined && { maxIterations: numberOf("--max-iterations", maxIterations) }),
    ...(atLimit !== undefined && { atLimit: oneOf("--at-limit", atLimit, ["close", "stop"]) }),
    ...(system !== undefined && { system }),
    ...(timeout !== undefined && { timeoutMs: durationOf("--timeout", timeout) }),
  };
}
