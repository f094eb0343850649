import { type CallEnvironment, type CallOutcome, runCall } from "../menu/call.ts";
import { type Prepared, prepareCall } from "../menu/prepare.ts";
import type { Json } from "../message/json.ts";
import type { ToolCall, ToolResultMessage } from "../message/message.ts";
import type { Lost, Recorded } from "../host/host.ts";
import { apply } from "./apply.ts";
import { draw } from "./limits.ts";
import { account, budgetOf, enterResult, type LoopRun } from "./run.ts";
import type { LoopRecord } from "./state.ts";
import { interruptedText, lostText } from "./texts.ts";

type Ran = { readonly message: ToolResultMessage; readonly interrupted?: true };

/** Runs the next calls, those before `to`, together, and records their results in order. `first` was open before they began. */
export async function runCalls(run: LoopRun, first: number, to: number): Promise<void> {
  const { state } = run;
  draw(run.input.ledger, "toolCalls", to - first);
  const steps: Promise<Recorded<Ran> | Lost>[] = [];
  for (let i = first; i < to; i++) steps.push(start(run, state.calls[i]!.call, i));
  for (let i = first; i < to; i++) {
    const { call } = state.calls[i]!;
    // Steps of a batch are awaited in order; one that the host fails leaves its neighbours to be observed by nobody else.
    const recorded = await steps[i - first]!.catch((error: unknown) => observe(steps.slice(i - first + 1), error));
    const { message, interrupted } = "value" in recorded ? recorded.value : { message: resultOf(call, lostResult), interrupted: undefined };
    account(run, run.input.takeNestedUsage(), true);
    const record: LoopRecord = {
      at: recorded.at, type: "result", message, ...(interrupted && { interrupted }), ...budgetOf(run),
    };
    run.state = apply(run.state, record);
    enterResult(run, call, message, true);
  }
}

async function observe(rest: readonly Promise<unknown>[], error: unknown): Promise<never> {
  await Promise.allSettled(rest);
  throw error;
}

const lostResult: CallOutcome = { content: [{ type: "text", text: lostText }], isError: true };

function start(run: LoopRun, call: ToolCall, index: number): Promise<Recorded<Ran> | Lost> {
  const { open, emitter, path, runId } = run.input;
  if (emitter.active) emitter.emit({ type: "tool_start", call });
  const place = `${path || runId}/${run.state.requests}/${index}`;
  const { tool } = run.prepared[index] ?? {};
  const onLost = tool?.readOnly || tool?.idempotent ? "rerun" : "report";
  return open.host.step<Ran>(place, { onLost, ...(tool?.timeoutMs && { timeoutMs: tool.timeoutMs }) }, (ctx) => {
    const env = environment(run, `${path === "" ? "" : `${path}/`}${run.state.requests}/${index}`, ctx.attempt, ctx.idempotencyKey);
    const prepared = run.prepared[index] ?? prepareCall(call, { menu: run.input.menu, choice: "auto", canApprove: true });
    if (prepared instanceof Promise) return prepared.then((ready) => perform(ready, call, env));
    return perform(prepared, call, env);
  });
}

function environment(run: LoopRun, path: string, attempt: number, idempotencyKey: string): CallEnvironment {
  const { input, interrupts } = run;
  const { deadlineAt } = input.config;
  return {
    ...input.calls, interrupts, path, attempt, idempotencyKey, interruptedText,
    ...(deadlineAt !== undefined && { deadline: deadlineAt }),
    onUpdate: (callId: string, progress: Json) => {
      if (input.emitter.active) input.emitter.emit({ type: "tool_update", callId, progress });
    },
  };
}

function perform({ tool, value, verdict }: Prepared, call: ToolCall, env: CallEnvironment): Ran | Promise<Ran> {
  if (!tool || verdict.problem !== undefined) {
    const text = verdict.problem ?? `There is no tool "${call.name}" any more. No work was done.`;
    return { message: resultOf(call, { content: [{ type: "text", text }], isError: true }) };
  }
  const outcome = runCall(tool, value, call, env);
  return outcome instanceof Promise ? outcome.then((settled) => ranOf(call, settled)) : ranOf(call, outcome);
}

const ranOf = (call: ToolCall, outcome: CallOutcome): Ran =>
  outcome.interrupted ? { message: resultOf(call, outcome), interrupted: true } : { message: resultOf(call, outcome) };

function resultOf(call: ToolCall, { content, isError, details }: CallOutcome): ToolResultMessage {
  const message: ToolResultMessage = { role: "tool", callId: call.id, toolName: call.name, content, isError };
  return details === undefined ? message : { ...message, details };
}
