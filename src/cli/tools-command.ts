import type { ExplainOptions } from "../agent/explained.ts";
import { isExplainable } from "../agent/explained.ts";
import { RondoError } from "../error.ts";
import type { ToolExplanation } from "../menu/explain.ts";
import type { Model } from "../model/model.ts";
import type { AgentRun } from "./agent-run.ts";
import { menuOptionsOf, runtimeOptionsOf } from "./command-runtime.ts";
import { type Config, loadConfig, readFiles } from "./config/load-config.ts";
import { loadModules } from "./config/load-modules.ts";
import { disabledIn } from "./disabled-in.ts";
import { checkFolder } from "./folder.ts";
import { type Output, processOutput } from "./output.ts";
import { tellStrayErrors } from "./stray-errors.ts";
import { harmless, oneLine } from "./terminal-text.ts";
import { toolLines } from "./tool-lines.ts";
import type { ToolsSettings } from "./tools-settings.ts";

/** `rondo tools`: resolves to the exit code; rejects with what is wrong. Asks nobody and no model. */
export async function toolsCommand(settings: ToolsSettings): Promise<number> {
  const output = processOutput(true);
  await checkFolder(settings.folder, "rondo tools");
  tellStrayErrors(output);
  const tools = await explained(settings, output);
  output.stdout(settings.json ? `${JSON.stringify(tools)}\n` : harmless(toolLines(tools, settings.explain)));
  await output.flush();
  return 0;
}

async function explained(settings: ToolsSettings, output: Output): Promise<readonly ToolExplanation[]> {
  const tell = (line: string) => output.stderr(`${oneLine(output.redact(line), 1000)}\n`);
  const files = readFiles(settings.folder);
  const agent = settings.agent === undefined ? undefined : await load(settings.agent, tell);
  const modelChosen = settings.model !== undefined;
  const config = await loadConfig({ files, modelChosen, ask: undefined, tell });
  const modules = await loadModules(config.modules, agent?.runtime.tools ?? [], tell);
  const { createRuntime } = await import("../index.ts");
  const runtime = createRuntime(runtimeOptionsOf(settings.folder, config, modules, agent));
  const tools = runtime.explainTools(await optionsOf(settings, agent, config, tell));
  return tools.map(disabledIn(files, agent?.runtime.toolsDisabled));
}

/** The options that the menu of a run would depend on. A model that nothing names is none whose window is known. */
async function optionsOf(
  settings: ToolsSettings,
  agent: AgentRun | undefined,
  config: Config,
  tell: (line: string) => void,
): Promise<ExplainOptions> {
  const own = menuOptionsOf(config, agent?.options(settings.options) ?? settings.options);
  const options = Object.fromEntries(Object.entries(own).filter(([name]) => isExplainable(name)));
  const model = settings.model ?? agent?.model ?? (process.env.RONDO_MODEL || config.model?.name) ?? "offline";
  return { ...options, model: typeof model === "string" ? await listable(model, tell) : model };
}

/** The model, or none whose window is known where its key or package is not at hand: it is not asked, and the tools are no other ones. */
async function listable(name: string, tell: (line: string) => void): Promise<Model | string> {
  const { resolveModel } = await import("../model/resolve.ts");
  try {
    return resolveModel(name);
  } catch (error) {
    if (!RondoError.isInstance(error) || error.code === "unknown_model") throw error;
    tell(`! ${error.message} The tools are listed as for a model whose context window is not known.`);
    return "offline";
  }
}

async function load(file: string, tell: (line: string) => void): Promise<AgentRun> {
  const [{ loadAgent }, { agentRun }] = await Promise.all([import("./load-agent.ts"), import("./agent-run.ts")]);
  return agentRun(await loadAgent(file, tell));
}
