import { performance } from "node:perf_hooks";
import type { Approvals } from "../agent/options.ts";
import type { Run } from "../agent/runtime.ts";
import { thrownMessage } from "../message/thrown-text.ts";
import type { AgentRun } from "./agent-run.ts";
import { approver } from "./approve.ts";
import { chooseModel, type ModelChoice } from "./choose-model.ts";
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
import { terminalAsk } from "./terminal-ask.ts";
import { harmless } from "./terminal-text.ts";

/** `rondo run`: resolves to the exit code; rejects with what kept the run from beginning. */
export async function runCommand(settings: RunSettings): Promise<number> {
  const output = processOutput(settings.color);
  const interrupted = listenForInterrupts();
  await checkFolder(settings.folder);
  tellRejections(output);
  const agent = settings.agent === undefined ? undefined : await load(settings.agent, settings, output);
  const prompt = await readPromptPatiently(settings, output);
  const choice = await chooseModel(settings.model, process.env, findOllama, agent?.model);
  if (!settings.quiet) output.stderr(modelLine(choice, output));
  await checkLocal(choice);

  const [{ createRuntime }, { resolveModel }] = await Promise.all([
    import("../index.ts"),
    import("../model/resolve.ts"),
  ]);
  const runtime = createRuntime({
    ...agent?.runtime,
    workspace: settings.folder,
    requiresApproval: [...writing, ...(agent?.runtime.requiresApproval ?? [])],
    ...approvalsOf(settings, agent?.runtime.approvals),
    approve: approver(settings.yes, terminalAsk(output), async (request) =>
      (await import("./preview.ts")).foresee(request, runtime.workspace),
    ),
  });
  const model = typeof choice.model === "string" ? resolveModel(choice.model, { env: choice.env }) : choice.model;
  const run = runtime.run(prompt, { ...(agent?.options(settings.exec) ?? settings.exec), model });
  interrupted(abortOf(run, output));
  return follow(run, reporterOf(settings, output), output);
}

/** The command's mode; the rules of the agent's own runtime may only narrow what the command lets run. */
function approvalsOf({ yes, readOnly }: RunSettings, agent: Approvals | undefined): { readonly approvals?: Approvals } {
  const narrower = agent?.mode === "read-only" || (agent?.mode === "ask" && !yes) ? agent.mode : undefined;
  const mode = readOnly ? "read-only" : (narrower ?? (yes ? "all" : undefined));
  const { deny, ask } = agent ?? {};
  if (!mode && !agent) return {};
  return { approvals: { ...(mode && { mode }), ...(deny && { deny }), ...(ask && { ask }) } };
}

/** The built-in tools that write. */
const writing = ["write_file", "edit_file"];

/** Loads the agent's file; what the command is built of comes with it only then. */
async function load(file: string, settings: RunSettings, output: Output): Promise<AgentRun> {
  const [{ loadAgent }, { agentRun }] = await Promise.all([import("./load-agent.ts"), import("./agent-run.ts")]);
  const tell = (line: string) => void (settings.quiet || output.stderr(`${output.paint("yellow", line)}\n`));
  return agentRun(await loadAgent(file, tell));
}

/** A local model that is not there is told of before the run, as any other name that stands for nothing. */
async function checkLocal({ model, env }: ModelChoice): Promise<void> {
  if (typeof model !== "string" || !model.startsWith("local/")) return;
  const { fileOf } = await import("../model/local/find-model.ts");
  await fileOf(model.slice("local/".length), env);
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
  const name = typeof choice.model === "string" ? choice.model : choice.model.id;
  return `${output.paint("dim", output.redact(harmless(`model: ${name} (${choice.why})`)))}\n`;
}

/** A promise that a tool left behind must not take the run and its last line with it. */
function tellRejections(output: Output): void {
  process.on("unhandledRejection", (reason) =>
    output.stderr(`rondo: a promise was rejected and not awaited: ${output.redact(harmless(thrownMessage(reason)))}\n`),
  );
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
