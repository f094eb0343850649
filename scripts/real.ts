/**
 * `npm run real`: real small models at work on real tools, and the figures of it. Fetches a package and weights into a
 * folder of its own (`$XDG_CACHE_HOME/rondo-real`, or `--folder`); needs the package indexes of npm and Python, and pip.
 * Not part of `npm test`. Options: `--models a,b`, `--tools template|text`, `--threads N`, `--tasks 1-10`, `--folder F`,
 * `--verbose`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { createRuntime, type Model, type RunResult, tool } from "../src/index.ts";
import { type LocalModel, type LocalOptions, local } from "../src/model/local/index.ts";
import { realModels } from "./real-models.ts";
import { llamaModule, weights } from "./real-setup.ts";
import { builtIn, files, ownTools, type Task, tasks } from "./real-tasks.ts";

const { values } = parseArgs({
  options: {
    folder: { type: "string", default: join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "rondo-real") },
    models: { type: "string", default: "qwen2.5-coder-0.5b,qwen2.5-coder-1.5b" },
    tools: { type: "string" },
    threads: { type: "string" },
    tasks: { type: "string", default: "1-" },
    verbose: { type: "boolean", default: false },
  },
});

/** What came of one task. */
type Score = {
  readonly picks: number;
  readonly right: number;
  readonly calls: number;
  readonly invalid: number;
  readonly done: boolean;
  readonly outcome: string;
  readonly outputTokens: number;
  readonly seconds: number;
};

type Call = { readonly name: string; readonly given: { readonly [name: string]: unknown }; readonly failed: boolean };

async function perform(task: Task, model: Model): Promise<Score> {
  const folder = mkdtempSync(join(tmpdir(), "rondo-real-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const runtime = createRuntime({ model, workspace: folder, approve: () => true });
    const began = performance.now();
    const run = runtime.run(task.prompt, {
      tools: [...builtIn.map((name) => tool.named(name)), ...ownTools],
      maxIterations: 5,
      maxOutputTokens: 400,
      timeoutMs: 900_000,
    });
    const calls: Call[] = [];
    for await (const event of run) {
      if (event.type !== "tool_end") continue;
      calls.push({ name: event.call.name, given: objectIn(event.call.arguments), failed: event.result.isError });
    }
    const result = await run.result;
    const seconds = (performance.now() - began) / 1000;
    if (values.verbose) tell(task, calls, result);
    return score(task, calls, result, folder, seconds);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function score(task: Task, calls: readonly Call[], result: RunResult, folder: string, seconds: number): Score {
  let right = 0;
  for (const { name, given, failed } of calls) {
    const step = task.steps[right];
    if (!failed && step?.some((pick) => pick.tool === name && (pick.fits?.(given) ?? true))) right++;
  }
  const done = result.outcome === "stop" && (task.says?.test(result.text) ?? true) && (task.done?.(folder) ?? true);
  return {
    picks: task.steps.length,
    right,
    calls: calls.length,
    invalid: calls.filter(({ failed }) => failed).length,
    done,
    outcome: result.outcome,
    outputTokens: result.usage.outputTokens,
    seconds,
  };
}

function objectIn(text: string): { readonly [name: string]: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function tell(task: Task, calls: readonly Call[], result: RunResult): void {
  console.log(`  > ${task.prompt}`);
  for (const { name, given, failed } of calls) {
    console.log(`    ${failed ? "FAILED " : ""}${name} ${JSON.stringify(given).slice(0, 200)}`);
  }
  console.log(`    ${result.outcome}: ${JSON.stringify(result.text.slice(0, 300))} ${result.error?.message ?? ""}`);
}

/** Tokens per second while nothing but text is written. */
async function speed(model: Model): Promise<number> {
  const messages = [{ role: "user", content: "Count from one to fifty in words." }] as const;
  let first: number | undefined;
  let last = 0;
  let tokens = 0;
  const request = { messages, tools: [], toolChoice: "none", maxOutputTokens: 64 } as const;
  for await (const event of model.stream(request, AbortSignal.timeout(900_000))) {
    if (event.type === "text") {
      first ??= performance.now();
      last = performance.now();
    } else if (event.type === "end") tokens = event.message.usage.outputTokens;
  }
  return first === undefined ? 0 : ((tokens - 1) * 1000) / (last - first);
}

function report(name: string, scores: readonly Score[], tokensPerSecond: number): void {
  const sum = (field: (score: Score) => number) => scores.reduce((total, score) => total + field(score), 0);
  const done = scores.filter((score) => score.done);
  const recovered = done.reduce((total, score) => total + score.invalid, 0);
  const outcomes = Map.groupBy(scores, ({ outcome }) => outcome);
  const lines = [
    ["picks right", `${sum(({ right }) => right)} of ${sum(({ picks }) => picks)}`],
    ["calls, of them invalid or failed", `${sum(({ calls }) => calls)}, ${sum(({ invalid }) => invalid)}`],
    ["recovered (invalid calls of tasks that were done)", `${recovered}`],
    ["tasks done", `${done.length} of ${scores.length}`],
    ["tasks lost", `${scores.length - done.length}`],
    ["outcomes", [...outcomes].map(([outcome, of]) => `${outcome} ${of.length}`).join(", ")],
    ["tokens per second, text alone", tokensPerSecond.toFixed(1)],
    ["tokens per second, over all (reading included)", (sum((s) => s.outputTokens) / sum((s) => s.seconds)).toFixed(1)],
    ["time", `${Math.round(sum((s) => s.seconds))} s`],
  ];
  console.log(`\n${name}`);
  for (const [label, value] of lines) console.log(`  ${label}: ${value}`);
}

const [first, last] = values.tasks.split("-").map((text, end) => Number(text) || (end === 1 ? tasks.length : 1)) as [
  number,
  number,
];
const wanted = values.models.split(",");
for (const name of wanted) {
  if (!realModels.some((model) => model.name === name)) {
    console.error(`There is no model ${name}; there are:`);
    for (const model of realModels) console.error(`  ${model.name}: ${model.about}`);
    process.exit(2);
  }
}
const llama = await llamaModule(values.folder);
for (const about of realModels.filter(({ name }) => wanted.includes(name))) {
  const file = await weights(values.folder, about);
  const threads = values.threads === undefined ? {} : { threads: Number(values.threads) };
  const way: Pick<LocalOptions, "tools"> =
    values.tools === "text" || values.tools === "template" ? { tools: values.tools } : {};
  const model: LocalModel = local(file, { id: `local/${about.name}`, llama, gpu: false, ...way, ...threads });
  const scores: Score[] = [];
  const tokensPerSecond = await speed(model);
  for (const [index, task] of tasks.entries()) {
    if (index + 1 < first || index + 1 > last) continue;
    const one = await perform(task, model);
    scores.push(one);
    const verdict = `${one.done ? "done" : "LOST"}, picks ${one.right}/${one.picks}, calls ${one.calls} (${one.invalid} failed)`;
    console.log(`${about.name} ${index + 1}/${tasks.length}: ${verdict}, ${one.outcome}, ${one.seconds.toFixed(1)} s`);
  }
  report(`${about.name}${values.tools ? ` (tools: ${values.tools})` : ""}`, scores, tokensPerSecond);
  await model.dispose();
}
