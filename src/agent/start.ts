import { RondoError } from "../error.ts";
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
import { modelOf } from "./model-of.ts";
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

type Warning = { readonly code: string; readonly message: string };

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
  const model = modelOf(options.model, outer?.model, warnings);
  const { entries, source, allow, deny } = menuOptions(home, given, around?.run, outer);
  const resolved = resolveMenu({ entries, registry: home.registry, source, allow, deny });
  for (const message of resolved.warnings) warnings.push({ code: "unknown_tool", message });
  const toolChoice = requestChoice(options.toolChoice, resolved.menu.names);
  const earlier = given.messages === undefined ? undefined : repairHistory(given.messages);
  for (const message of earlier?.repairs ?? []) warnings.push({ code: "history_repaired", message });

  const deadlineAt = deadline(options.timeoutMs, outer?.deadlineAt);
  const costOf = priceOf(home.options.prices, model.id);
  if (options.limits?.cost !== undefined && !costOf) requirePrice(model.id);
  const ledger = openLedger(budgetOf(options.limits), outer?.ledger);
  const approve = around ? around.run.approve : home.options.approve;

  const path = outer && around ? `${around.path}/${around.begun++}` : "";
  const open = home.host.open(id);
  const emitter = createEmitter(id, path, outer?.emitter);
  const scope: RunScope = {
    runtime: home.runtime,
    model,
    entries,
    allow,
    deny,
    signal: open.host.signal,
    emitter,
    nested: noUsage,
    ...(source !== undefined && { source }),
    ...(deadlineAt !== undefined && { deadlineAt }),
    ...(ledger && { ledger }),
    ...(approve && { approve }),
  };
  const { getSteeringMessages, getFollowUpMessages } = options;
  const input: LoopInput = {
    runId: id,
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
      enter: (at, body) => inScope(scope, at, body),
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
  return { id, emitter, open, loop, drive: () => driven(loop, scope, outer, given.signal) };
}

/** The run around this one, while it goes on. */
function outerOf(around: Scope | undefined, warnings: Warning[]): RunScope | undefined {
  if (!around) return undefined;
  const { ended, signal, deadlineAt } = around.run;
  const late = deadlineAt !== undefined && Date.now() >= deadlineAt;
  if (ended === "timeout" || (signal.aborted && late))
    throw new RondoError("timeout", "The run around this one is out of time.");
  if (ended === "aborted" || signal.aborted) throw new RondoError("aborted", "The run around this one was aborted.");
  if (ended === undefined) return around.run;
  warnings.push({
    code: "outer_run_ended",
    message: "The run in which this one was begun has ended: it runs on its own.",
  });
  return undefined;
}

/** Own menu, else the outer one; allow-lists intersect and denials add up, also behind the end of the run around. */
function menuOptions(home: Home, given: ExecOptions, around: RunScope | undefined, outer: RunScope | undefined) {
  const { toolsAllow, toolsDeny } = home.options;
  const entries = given.tools ?? given.toolset ?? outer?.entries ?? "full";
  const source = given.toolsSource ?? around?.source ?? home.options.toolsSource;
  const allow = [
    ...(around?.allow ?? []),
    ...(toolsAllow ? [toolsAllow] : []),
    ...(given.toolsAllow ? [given.toolsAllow] : []),
  ];
  const deny = [...(around?.deny ?? []), ...(toolsDeny ?? []), ...(given.toolsDeny ?? [])];
  return { entries, source, allow, deny };
}

function deadline(timeoutMs: number | undefined, outer: number | undefined): number | undefined {
  const own = timeoutMs === undefined || timeoutMs === Infinity ? undefined : Date.now() + timeoutMs;
  if (own === undefined || outer === undefined) return own ?? outer;
  return Math.min(own, outer);
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
  outer: RunScope | undefined,
  signal: AbortSignal | undefined,
): Promise<RunResult> {
  const release = [
    cancelOn(signal, loop.input.open, undefined),
    cancelOn(outer?.signal, loop.input.open, loop.input.config.deadlineAt),
    deadlineTimer(loop.input.open, loop.input.config.deadlineAt),
  ];
  const result = await drive(loop);
  for (const undo of release) undo?.();
  scope.ended = result.outcome;
  if (outer) reportUsage(outer, result.usage);
  return result;
}

/** Ends the run when the signal fires: as late if its deadline has come, else as aborted. */
function cancelOn(
  signal: AbortSignal | undefined,
  open: OpenRun,
  deadlineAt: number | undefined,
): (() => void) | undefined {
  if (!signal) return undefined;
  const cancel = () => {
    if (deadlineAt !== undefined && Date.now() >= deadlineAt) return open.interrupt(signal.reason);
    const { reason } = signal;
    open.cancel(reason instanceof Error ? reason.message : typeof reason === "string" ? reason : undefined);
  };
  if (signal.aborted) {
    cancel();
    return undefined;
  }
  signal.addEventListener("abort", cancel, { once: true });
  return () => signal.removeEventListener("abort", cancel);
}

/** Fires the signal once the clock of records has reached the deadline; timers may come a little early. */
function deadlineTimer(open: OpenRun, deadlineAt: number | undefined): (() => void) | undefined {
  if (deadlineAt === undefined) return undefined;
  let timer: NodeJS.Timeout;
  const wait = () => {
    const ms = deadlineAt - Date.now();
    if (ms <= 0) open.interrupt(new DOMException("The run's time is up.", "TimeoutError"));
    else timer = setTimeout(wait, Math.min(ms, 2 ** 31 - 1));
  };
  wait();
  return () => clearTimeout(timer);
}
