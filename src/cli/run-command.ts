import { performance } from "node:perf_hooks";
import type { ApprovalRequest } from "../agent/options.ts";
import type { Run } from "../agent/runtime.ts";
import type { Model } from "../model/model.ts";
import type { AgentRun } from "./agent-run.ts";
import { approver } from "./approve.ts";
import { chooseModel, type ModelChoice } from "./choose-model.ts";
import { askedAbout, commandApprovals } from "./command-approvals.ts";
import { menuOptionsOf, runtimeOptionsOf } from "./command-runtime.ts";
import { loadConfig, readFiles } from "./config/load-config.ts";
import { loadModules } from "./config/load-modules.ts";
import { exitCodeOf, failedExitCode, interruptedExitCode } from "./exit-code.ts";
import { checkFolder } from "./folder.ts";
import { jsonReporter } from "./json.ts";
import { findOllama } from "./ollama.ts";
import { type Output, processOutput } from "./output.ts";
import { printReporter } from "./print.ts";
import { readPrompt, standardInput } from "./prompt.ts";
import { quietReporter, type Reporter } from "./report.ts";
import type { RunSettings } from "./settings.ts";
import { interrupts, listenToSignals } from "./signals.ts";
import { tellStrayErrors } from "./stray-errors.ts";
import { terminalAsk } from "./terminal-ask.ts";
import { harmless, oneLine } from "./terminal-text.ts";

/** `rondo run`: resolves to the exit code; rejects with what kept the run from beginning. */
export async function runCommand(settings: RunSettings): Promise<number> {
  const output = processOutput(settings.color);
  const interrupted = listenForInterrupts();
  await checkFolder(settings.folder);
  const strays = tellStrayErrors(output);
  const files = readFiles(settings.folder);
  const agent = settings.agent === undefined ? undefined : await load(settings.agent, settings, output);
  const ask = terminalAsk(output);
  // Told also with --quiet: something that the folder asks for is not there.
  const tell = (line: string) => output.stderr(`${oneLine(output.redact(line), 1000)}\n`);
  const modelChosen = Boolean(settings.model ?? agent?.model ?? process.env.RONDO_MODEL);
  const config = await loadConfig({ files, modelChosen, ask, tell });
  const prompt = await readPromptPatiently(settings, output);
  const modules = await loadModules(config.modules, agent?.runtime.tools ?? [], tell);
  const { fallbacks } = settings;
  const choice = await chooseModel(settings.model, process.env, findOllama, agent?.model, fallbacks, config.model);
  if (!settings.quiet) output.stderr(modelLine(choice, output));
  await checkLocal(choice);

  const { createRuntime } = await import("../index.ts");
  const approvals = commandApprovals(settings, config, agent?.runtime.approvals);
  const foresee = async (request: ApprovalRequest) =>
    (await import("./preview.ts")).foresee(request, runtime.workspace);
  const runtime = createRuntime({
    ...runtimeOptionsOf(settings.folder, config, modules, agent),
    approvals,
    requiresApproval: askedAbout(approvals, agent?.runtime.requiresApproval),
    approve: approver(settings.yes, ask, foresee, true),
  });
  const model = await modelOf(choice);
  const run = runtime.run(prompt, { ...menuOptionsOf(config, agent?.options(settings.exec) ?? settings.exec), model });
  interrupted(abortOf(run, output));
  strays.ends((why) => run.abort(why));
  const code = await follow(run, reporterOf(settings, output), output);
  return strays.thrown ? failedExitCode : code;
}

/** Loads the agent's file; what the command is built of comes with it only then. */
async function load(file: string, settings: RunSettings, output: Output): Promise<AgentRun> {
  const [{ loadAgent }, { agentRun }] = await Promise.all([import("./load-agent.ts"), import("./agent-run.ts")]);
  const tell = (line: string) => void (settings.quiet || output.stderr(`${output.paint("yellow", line)}\n`));
  return agentRun(await loadAgent(file, tell));
}

/** A local model that is not there is told of before the run, as any other name that stands for nothing. */
async function checkLocal({ model, fallbacks = [], env }: ModelChoice): Promise<void> {
  for (const name of [model, ...fallbacks]) {
    if (typeof name !== "string" || !name.startsWith("local/")) continue;
    const { fileOf } = await import("../model/local/find-model.ts");
    await fileOf(name.slice("local/".length), env);
  }
}

/** All that were named are resolved before any is asked. */
async function modelOf({ model, fallbacks = [], env }: ModelChoice): Promise<Model> {
  if (typeof model !== "string") return model;
  const { resolveModel } = await import("../model/resolve.ts");
  const [first, ...others] = [model, ...fallbacks].map((name) => resolveModel(name, { env }));
  if (others.length === 0) return first as Model;
  const { fallback } = await import("../model/fallback.ts");
  return fallback([first as Model, ...others]);
}

/** Reads the prompt, and says what it waits for when a pipe stays silent. */
async function readPromptPatiently(settings: RunSettings, output: Output): Promise<string> {
  const hint = setTimeout(() => {
    if (!settings.quiet) output.stderr("rondo: waiting for standard input to end (</dev/null keeps it out)\n");
  }, 3000);
  try {
    return await readPrompt(settings.words, standardInput());
  } finally {
    clearTimeout(hint);
  }
}

function modelLine(choice: ModelChoice, output: Output): string {
  const first = typeof choice.model === "string" ? choice.model : choice.model.id;
  const name = [first, ...(choice.fallbacks ?? [])].join(", else ");
  return `${output.paint("dim", output.redact(harmless(`model: ${name} (${choice.why})`)))}\n`;
}

/** Takes what is to be done first on a signal; until then, and on a second signal, the process ends at once. */
function listenForInterrupts(): (abort: (signal: string) => void) => void {
  const kill = () => process.exit(interruptedExitCode);
  let onSignal: (signal: string) => void = kill;
  listenToSignals((signal) => onSignal(signal));
  return (abort) => {
    onSignal = interrupts(abort, kill, () => performance.now());
  };
}

function abortOf(run: Run, output: Output): (signal: string) => void {
  // Nobody reads the answer: no reason to pay for more of it.
  output.onClosed(() => run.abort("standard output was closed"));
  return (signal) => {
    output.stderr(output.stderrIsTerminal ? "\nrondo: interrupted; once more ends at once\n" : "rondo: interrupted\n");
    run.abort(signal);
  };
}

function reporterOf(settings: RunSettings, output: Output): Reporter {
  if (settings.json) return jsonReporter(output);
  return settings.quiet ? quietReporter(output) : printReporter(output);
}

async function follow(run: Run, reporter: Reporter, output: Output): Promise<number> {
  const begun = performance.now();
  for await (const event of run) reporter.event(event);
  const result = await run.result;
  reporter.end(result, performance.now() - begun);
  await output.flush();
  return output.failed ? failedExitCode : exitCodeOf(result.outcome);
}
