import type { Awaitable, Lost, Recorded, StepContext, StepOptions } from "../host/host.ts";
import { type CallOutcome, type CallPlace, runCall } from "../menu/call.ts";
import type { MenuTool } from "../menu/entry.ts";
import { type Prepared, prepareCall } from "../menu/prepare.ts";
import { defaultTimeoutMs } from "../menu/tool-timeout.ts";
import type { ToolCall, ToolResultMessage } from "../message/message.ts";
import { apply } from "./apply.ts";
import { draw } from "./limits.ts";
import { account, budgetOf, enterResult, type LoopRun } from "./run.ts";
import { tellToolStart } from "./tell.ts";
import { lostText } from "./texts.ts";
import { isMarked, wordOf } from "./word.ts";

export type Ran = Recorded<ToolResultMessage> | Lost;

/**
 * Runs the calls from `first` to before `to` together, and records their results in order. What comes of one alone is
 * returned, for `settle`.
 */
export function runCalls(run: LoopRun, first: number, to: number): Awaitable<Ran | undefined> {
  draw(run.input.ledger, "toolCalls", to - first);
  return to > first + 1 ? runTogether(run, first, to) : start(run, first);
}

async function runTogether(run: LoopRun, first: number, to: number): Promise<undefined> {
  const steps: Promise<Ran>[] = [];
  for (let i = first; i < to; i++) {
    const step = Promise.resolve(start(run, i));
    // The host may fail one while an earlier one is still waited for: that must not count as unhandled.
    step.catch(() => {});
    steps.push(step);
  }
  for (const [i, step] of steps.entries()) {
    // One that the host fails ends the run, but not before its neighbours are over.
    settle(run, first + i, await step.catch((error: unknown) => observe(steps.slice(i + 1), error)));
  }
  return undefined;
}

async function observe(rest: readonly Promise<unknown>[], error: unknown): Promise<never> {
  await Promise.allSettled(rest);
  throw error;
}

/** Puts the result of a call into the state and the history. */
export function settle(run: LoopRun, index: number, recorded: Ran): void {
  const { call } = run.state.calls[index]!;
  const message = "value" in recorded ? recorded.value : resultOf(call, lostResult);
  run.started.shift();
  account(run, run.input.ambient.takeUsage(), true);
  run.state = apply(run.state, { at: recorded.at, type: "result", message, budget: budgetOf(run) });
  enterResult(run, call, message, true);
}

const lostResult: CallOutcome = { content: [{ type: "text", text: lostText }], isError: true };

const rerun: StepOptions = { onLost: "rerun", timeoutMs: defaultTimeoutMs };
const report: StepOptions = { onLost: "report", timeoutMs: defaultTimeoutMs };

/** How a call may be repeated and how long it may take; what is not there takes no time. */
function optionsOf(tool: MenuTool | undefined): StepOptions {
  if (!tool) return { onLost: "report" };
  const { timeoutMs: own, readOnly, idempotent } = tool;
  const usual = readOnly || idempotent ? rerun : report;
  if (own === undefined) return usual;
  const timeoutMs = typeof own === "number" ? own : own.max;
  return timeoutMs === Infinity ? { onLost: usual.onLost } : { onLost: usual.onLost, timeoutMs };
}

function start(run: LoopRun, index: number): Awaitable<Ran> {
  const { call } = run.state.calls[index]!;
  run.started.push(call);
  tellToolStart(run.input.emitter, call, run.edited?.get(call.id));
  // A resumed run has no prepared calls: the tool is looked up again.
  const { tool = run.input.menu.find(call.name), value } = run.prepared[index] ?? {};
  if (!tool || !isMarked(run, tool, value)) return performed(run, index, call);
  const word = wordOf(run);
  return typeof word === "string"
    ? performed(run, index, call, word)
    : word.then((w) => performed(run, index, call, w));
}

/** The call as a step; what comes of an untrusted tool is marked with `word`. */
function performed(run: LoopRun, index: number, call: ToolCall, word?: string): Awaitable<Ran> {
  const { open } = run.input;
  const edited = run.edited?.get(call.id);
  const at = `${run.state.requests}/${index}`;
  const prepared = run.prepared[index];
  const tool = prepared?.tool;
  return open.host.step(`${run.key}/${at}`, optionsOf(tool), (ctx) => {
    if (prepared) return perform(run, prepared, call, at, word, ctx);
    // A resumed run has the verdict on record, but the values have to be read again.
    const again = prepareCall(edited === undefined ? call : { ...call, arguments: edited }, {
      menu: run.input.menu,
      choice: "auto",
      canApprove: true,
      policy: run.input.ambient.policy,
      within: (one, body) => run.input.ambient.check(at, one.id, body),
    });
    return again instanceof Promise
      ? again.then((ready) => perform(run, ready, call, at, word, ctx))
      : perform(run, again, call, at, word, ctx);
  });
}

function perform(
  run: LoopRun,
  { tool, value, verdict }: Prepared,
  call: ToolCall,
  at: string,
  word: string | undefined,
  { attempt, idempotencyKey }: StepContext,
): ToolResultMessage | Promise<ToolResultMessage> {
  if (!tool || verdict.problem !== undefined) {
    const text = verdict.problem ?? `There is no tool "${call.name}" any more. No work was done.`;
    return resultOf(call, { content: [{ type: "text", text }], isError: true });
  }
  const early = run.early?.adopt(call.id);
  if (early) return early instanceof Promise ? early.then((ended) => resultOf(call, ended)) : resultOf(call, early);
  const { path } = run.input;
  const place: CallPlace = {
    path: path === "" ? at : `${path}/${at}`,
    attempt,
    idempotencyKey,
    word,
    edited: run.edited?.get(call.id),
  };
  const outcome = runCall(tool, value, call, place, run.environment);
  return outcome instanceof Promise ? outcome.then((settled) => resultOf(call, settled)) : resultOf(call, outcome);
}

export function resultOf(call: ToolCall, { content, isError, details }: CallOutcome): ToolResultMessage {
  const message: ToolResultMessage = { role: "tool", callId: call.id, toolName: call.name, content, isError };
  return details === undefined ? message : { ...message, details };
}
