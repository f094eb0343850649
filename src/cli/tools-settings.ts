import { resolve } from "node:path";
import type { ExplainOptions } from "../agent/explained.ts";
import { tool } from "../menu/tool.ts";
import { agentFile } from "./agent-file.ts";
import { deniedOf, list, single } from "./option-values.ts";
import { usageError } from "./usage-error.ts";

/** What `rondo tools` was asked to do. */
export type ToolsSettings = {
  /** Absolute path of the folder that the tools would work in. */
  readonly folder: string;
  /** Absolute path of the agent's file, which was looked at. */
  readonly agent?: string;
  readonly model?: string;
  /** Also what is dropped, and why. */
  readonly explain: boolean;
  readonly json: boolean;
  readonly options: ExplainOptions;
};

/** The words behind `rondo tools` and its options, as settings. */
export function toolsSettingsOf(
  words: readonly string[],
  parsed: { readonly [option: string]: unknown },
): ToolsSettings {
  if (words.length > 0) throw usageError(`rondo tools takes options only; "${words[0]?.slice(0, 40)}" is too much`);
  const agent = single(parsed.agent, "--agent");
  const folder = single(parsed.cwd, "--cwd");
  const model = single(parsed.model, "--model");
  const tools = list(parsed.tools);
  const toolset = single(parsed.toolset, "--toolset");
  const source = single(parsed.source, "--source");
  const deny = deniedOf(parsed.deny)?.names ?? [];
  if (folder === "") throw usageError("--cwd: the path is empty");
  if (agent === "") throw usageError("--agent: the path is empty");
  if (tools !== undefined && toolset !== undefined) throw usageError("give --tools or --toolset, not both");
  return {
    folder: resolve(folder ?? "."),
    ...(agent !== undefined && { agent: agentFile(agent) }),
    ...(model !== undefined && { model }),
    explain: parsed.explain === true,
    json: parsed.json === true,
    options: {
      ...(tools !== undefined && { tools: tools.map((name) => tool.named(name)) }),
      ...(toolset !== undefined && { toolset }),
      ...(source !== undefined && { toolsSource: source }),
      ...(deny.length > 0 && { toolsDeny: deny }),
    },
  };
}
