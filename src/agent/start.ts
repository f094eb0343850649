import type { HostFactory, OpenRun } from "../host/host.ts";
import { drive } from "../loop/drive.ts";
import { createEmitter, type Emitter } from "../loop/emitter.ts";
import type { AskApproval, LoopInput } from "../loop/input.ts";
import { openLedger } from "../loop/limits.ts";
import type { RunResult } from "../loop/outcome.ts";
import { type LoopRun, openRun } from "../loop/run.ts";
import { resolveMenu } from "../menu/menu.ts";
import type { Registry } from "../menu/registry.ts";
import type { UserMessage } from "../message/message.ts";
import { repairHistory } from "../message/repair.ts";
import { noUsage } from "../message/usage.ts";
import type { Model, ModelRequest } from "../model/model.ts";
import { budgetOf, checkOptions, loopConfig, requestChoice, userMessage } from "./check-options.ts";
import { cancelOn, deadlineTimer } from "./ending.ts";
import { deadline, menuOptions, outerOf } from "./inherit.ts";
import { modelOf, type Warning } from "./model-of.ts";
import type { Approve, Content, ExecOptions, GetMessages, RuntimeOptions } from "./options.ts";
import { priceOf, requirePrice } from "./prices.ts";
import type { Runtime } from "./runtime.ts";
import { inScope, type RunScope, reportUsage, type Scope, takeUsage } from "./scope.ts";

/** What a runtime keeps for its runs. */
export type Home = {
  readonly runtime: Runtime;
  readonly options: RuntimeOptions;
  readonly registry: Registry;
  readonly host: HostFactory;
  readonly models: Map<string, Model>;
};

/** A run that is ready to be driven. */
export type Ready = {
  readonly id: string;
  readonly emitter: Emitter;
  readonly open: OpenRun;
  readonly loop: LoopRun;
  /** Drives it; once. */
  drive(): Promise<RunResult>;
};

/** Checks everything that a caller can get wrong, and makes a run of it. Nothing has been asked of the model yet. */
export function ready(
  home: Home,
  content: Content,
  given: ExecOptions,
  around: Scope | undefined,
  id = `run_${crypto.randomUUID()}`,
): Ready {
  checkOptions(given);
  const options: ExecOptions = { ...home.options, tools: undefined, ...given } as ExecOptions;
  const warnings: Warning[] = [];
  const outer = outerOf(around, warnings);
  const prompt = userMessage(content, "The prompt");
  const model = modelOf(options.model, outer?.model, home.models, warnings);
  const { inherited, ...menu } = menuOptions(home, given, around?.run, outer);
  const resolved = resolveMenu({ ...menu, inherited, registry: home.registry });
  for (const message of resolved.warnings) warnings.push({ code: "unknown_tool", message });
  const toolChoice = requestChoice(options.toolChoice, resolved.menu.names);
  const earlier = given.messages === undefined ? undefined : repairHistory(given.messages);
  for (const message of earlier?.repairs ?? []) warnings.push({ code: "history_repaired", message });

  const deadlineAt = deadline(options.timeoutMs, outer?.deadlineAt);
  const costOf = priceOf(home.options.prices, model.id);
  if (options.limits?.cost !== undefined && !costOf) requirePrice(model.id);
  const ledger = openLedger(budgetOf(options.limits), outer?.ledger);
  const approve = around ? around.run.approve : home.options.approve;

  const path = outer && around ? `${around.call.path}/${around.begun++}` : "";
  const rootId = outer?.rootId ?? id;
  const open = home.host.open(id);
  const emitter = createEmitter(id, path, outer?.emitter);
  const scope: RunScope = {
    ...menu,
    runtime: home.runtime,
    model,
    rootId,
    signal: open.host.signal,
    emitter,
    nested: noUsage,
    ...(deadlineAt !== undefined && { deadlineAt }),
    ...(ledger && { ledger }),
    ...(approve && { approve }),
  };
  const { getSteeringMessages, getFollowUpMessages } = options;
  const input: LoopInput = {
    runId: id,
    rootId,
    path,
    open,
    model,
    menu: resolved.menu,
    prompt,
    emitter,
    warnings,
    history: earlier ? [...earlier.messages] : [],
    config: loopConfig(options, toolChoice, deadlineAt),
    request: requestOptions(options),
    calls: {
      runtime: home.runtime,
      maxResultChars: resultCap(model),
      enter: (call, body) => inScope(scope, call, body),
    },
    takeNestedUsage: () => takeUsage(scope),
    ...(ledger && { ledger }),
    ...(costOf && { costOf }),
    ...(approve && { approve: askApproval(approve, id, path) }),
    ...(home.options.approvalTimeoutMs !== undefined && { approvalTimeoutMs: home.options.approvalTimeoutMs }),
    ...(getSteeringMessages && { steering: asked(getSteeringMessages) }),
    ...(getFollowUpMessages && { followUps: asked(getFollowUpMessages) }),
    ...(options.onRetry && { onRetry: options.onRetry }),
  };
  const loop = openRun(input);
  return { id, emitter, open, loop, drive: () => driven(loop, scope, outer && around, given.signal) };
}

/** 30,000 characters, or 30 % of a known context window at four characters a token, but never less than 2,000. */
function resultCap({ contextTokens }: Model): number {
  return contextTokens === undefined ? 30_000 : Math.min(30_000, Math.max(2_000, Math.floor(contextTokens * 4 * 0.3)));
}

function requestOptions(o: ExecOptions): Omit<ModelRequest, "messages" | "tools" | "toolChoice"> {
  const { system, effort, maxOutputTokens, temperature, providerOptions, parallelToolCalls } = o;
  return {
    ...(system !== undefined && { system }),
    ...(effort !== undefined && { effort }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(providerOptions !== undefined && { providerOptions }),
    ...(parallelToolCalls !== undefined && { parallelToolCalls: parallelToolCalls === true }),
  };
}

function askApproval(approve: Approve, runId: string, path: string): AskApproval {
  return async (call, value, signal) => {
    const answer = await approve({ call, arguments: value, runId, path, signal });
    if (typeof answer === "boolean") return { approved: answer };
    if (typeof answer !== "object" || answer === null)
      return { approved: false, reason: "the approve hook gave no answer" };
    const { approved, reason, arguments: edited } = answer;
    return {
      approved: approved === true,
      ...(reason !== undefined && { reason }),
      ...(approved === true && edited !== undefined && { arguments: JSON.stringify(edited) }),
    };
  };
}

const asked = (get: GetMessages) => async (): Promise<readonly UserMessage[]> =>
  (await get()).map((message) => userMessage(message, "A queued message"));

async function driven(
  loop: LoopRun,
  scope: RunScope,
  around: Scope | undefined,
  signal: AbortSignal | undefined,
): Promise<RunResult> {
  const { open, config } = loop.input;
  const release = [
    cancelOn(signal, open, undefined),
    cancelOn(around?.run.signal, open, config.deadlineAt),
    cancelOn(around?.call.signal, open, config.deadlineAt),
    deadlineTimer(open, config.deadlineAt),
  ];
  const result = await drive(loop);
  for (const undo of release) undo?.();
  scope.ended = result.outcome;
  if (around) reportUsage(around.run, result.usage);
  return result;
}
