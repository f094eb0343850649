import type { HostFactory, OpenRun } from "../host/host.ts";
import { memory } from "../host/memory.ts";
import { drive } from "../loop/drive.ts";
import { Emitter } from "../loop/emitter.ts";
import type { AskApproval, Given } from "../loop/input.ts";
import { limitsCost, openLedger } from "../loop/limits.ts";
import type { RunResult } from "../loop/outcome.ts";
import { type LoopRun, openRun } from "../loop/run.ts";
import { LoopView } from "../loop/view.ts";
import { misspelt } from "../menu/approval/misspelt.ts";
import { askedFor } from "../menu/asks.ts";
import { resolveMenu } from "../menu/menu.ts";
import { inShort } from "../menu/misspelt.ts";
import type { Registry } from "../menu/registry.ts";
import type { ResultCache } from "../menu/result-cache.ts";
import { said } from "../message/abort-reason.ts";
import { lookAgain } from "../message/environment-secrets.ts";
import type { UserMessage } from "../message/message.ts";
import { repairHistory } from "../message/repair.ts";
import { thrownMessage } from "../message/thrown-text.ts";
import type { Model } from "../model/model.ts";
import { askedBy } from "./asker.ts";
import { budgetOf, checkOptions, loopConfig, requestChoice, shown } from "./check-options.ts";
import { confinedAs, ownerOf } from "./confined.ts";
import { type Content, userMessage } from "./content.ts";
import { cancelFor, cancelOn, deadlineTimer } from "./ending.ts";
import { checkDepth } from "./frame.ts";
import { deadline, outerOf } from "./inherit.ts";
import { choiceWithout } from "./left-out.ts";
import { menuAsked } from "./menu-asked.ts";
import { joined } from "./method-call.ts";
import { runsAround } from "./method-scope.ts";
import { modelOf, type Warning } from "./model-of.ts";
import type { Approve, ExecOptions, GetMessages, RuntimeOptions } from "./options.ts";
import { policyOf, type RuntimeRules } from "./policy.ts";
import { priceOf, requirePrice } from "./prices.ts";
import { requestOptions, resultCap } from "./request-options.ts";
import { newRunId } from "./run-id.ts";
import type { Runtime } from "./runtime.ts";
import { RunScope, runsOf, type Scope } from "./scope.ts";
import { reachedValue, type Wanted, wantedOf } from "./wanted.ts";

/** What a runtime keeps for its runs. */
export type Home = {
  readonly runtime: Runtime;
  readonly options: RuntimeOptions;
  readonly registry: Registry;
  readonly rules: RuntimeRules;
  readonly host: HostFactory;
  readonly models: Map<string, Model>;
  readonly cache: ResultCache;
  /** The runs that have not ended, by id. */
  readonly live: Map<string, Ready>;
};

/** A run that is ready to be driven. */
export type Ready = {
  readonly id: string;
  readonly emitter: Emitter;
  readonly open: OpenRun;
  readonly loop: LoopRun;
  readonly scope: RunScope;
  /** Drives it; called again it gives the same promise. */
  drive(): Promise<RunResult>;
};

const inside = memory();

/** The runtime's defaults under the options given; one that is given as undefined is not given. */
export function merged(defaults: RuntimeOptions, given: ExecOptions): ExecOptions {
  const own = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(own) };
}

/** Checks everything that a caller can get wrong, and makes a run of it. Nothing has been asked of the model yet. */
export function ready(
  home: Home,
  content: Content,
  given: ExecOptions,
  around: Scope | undefined,
  id = newRunId(),
): Ready {
  checkOptions(given);
  const options = merged(home.options, given);
  const warnings: Warning[] = [];
  const outer = outerOf(around, warnings);
  checkDepth(runsAround(outer && around), around?.frame, home.options.recursion);
  const prompt = userMessage(content, "The prompt");
  const sameRuntime = outer?.registry === home.registry ? outer?.model : undefined;
  const model = modelOf(given.model ?? sameRuntime ?? options.model, outer?.model, home.models, warnings);
  const menuRequest = menuAsked(home, given, options, around?.run?.inherited, outer, model);
  const { sources, allow, deny, disabled, asks, confinement } = menuRequest;
  const inheritedApprove = around?.run ? around.run.inherited.approve : "own";
  const approve = inheritedApprove === "own" ? home.options.approve : inheritedApprove;
  const canApprove = approve !== undefined;
  const policy = policyOf(home.rules, confinement.workspace, around?.run?.inherited, outer !== undefined);
  const wanted = wantedOf(given, model, {
    allow,
    deny,
    disabled: askedFor(disabled),
    asks,
    sources,
    canApprove,
    policy,
    runtime: home.runtime,
  });
  const beside = wanted?.names;
  const resolved = resolveMenu({ ...menuRequest, beside });
  const unknown = [...resolved.warnings, ...misspelt(home.rules.set, resolved.menu, home.registry, beside)];
  for (const message of unknown) warnings.push({ code: "unknown_tool", message });
  for (const message of inShort(resolved.leftOut, (one) => one.message))
    warnings.push({ code: "tool_schema", message });
  const choice = choiceWithout(options.toolChoice, resolved, warnings);
  const toolChoice = requestChoice(choice, resolved.menu.names);
  const earlier = given.messages === undefined ? undefined : repairHistory(given.messages);
  for (const message of inShort(earlier?.repairs ?? [], String)) warnings.push({ code: "history_repaired", message });
  const costOf = priceOf(home.options.prices, model);

  const deadlineAt = deadline(options.timeoutMs, outer?.deadlineAt);
  const ledger = openLedger(budgetOf(options.limits), outer?.ledger);
  if (limitsCost(ledger)) requirePrice(home.options.prices, model);
  const path = outer && around ? joined(around.call.path, around.call.begun++) : "";
  const rootId = outer?.rootId ?? id;
  if (!outer) lookAgain();
  // A run inside a tool is lost as a whole with its tool: nothing of it is remembered on its own.
  const open = (outer ? inside : home.host).open(id);
  const { signal } = open.host;
  const emitter = new Emitter(id, path, outer?.emitter);
  // Written out whole, absent fields too: objects of one shape are what makes a thousand runs at once affordable.
  const ambient = new RunScope({
    runtime: confinedAs(home.runtime, confinement),
    model,
    rootId,
    entries: resolved.entries,
    registry: home.registry,
    sources,
    allow,
    deny,
    disabled,
    asks,
    policy,
    grants: policy.run,
    redact: home.options.redact !== false,
    signal,
    deadlineAt,
    ledger,
    approve,
    emitter,
    frame: around?.frame,
    outer: outer && around?.run,
  });
  ambient.recipient = open;
  const loop = openRun({
    runId: id,
    rootId,
    path,
    open,
    model,
    menu: resolved.menu,
    prompt,
    emitter,
    warnings,
    ambient,
    ledger,
    costOf,
    history: earlier ? [...earlier.messages] : [],
    config: loopConfig(options, toolChoice, deadlineAt, wanted?.notice),
    request: requestOptions(options, wanted),
    maxResultChars: resultCap(model),
    redact: home.options.redact !== false,
    cache: home.cache,
    judge: wanted?.judge,
    options: wanted?.options,
    approve: approve && askApproval(approve, id, path, ambient),
    approvalTimeoutMs: home.options.approvalTimeoutMs,
    steering: asked(options.getSteeringMessages),
    followUps: asked(options.getFollowUpMessages),
    onRetry: options.onRetry,
  });
  let result: Promise<RunResult> | undefined;
  const ready: Ready = {
    id,
    emitter,
    open,
    loop,
    scope: ambient,
    drive: () => {
      result ??= driven(home.live, ready, ambient, outer && around, given.signal, wanted);
      return result;
    },
  };
  if (around) nested(ready, ambient, around, outer !== undefined);
  home.live.set(id, ready);
  return ready;
}

/** Makes a run known to those around it. */
function nested(run: Ready, scope: RunScope, around: Scope, inside: boolean): void {
  around.call.last = scope;
  if (!inside) return;
  scope.view = new LoopView(run.loop);
  runsOf(scope).set(run.emitter.path, scope);
  around.watch?.began(run);
}

function askApproval(approve: Approve, runId: string, path: string, scope: RunScope): AskApproval {
  return async (call, tool, value, signal, at) => {
    const runtime = (tool && ownerOf(tool)) ?? scope.runtime;
    const known = tool && { tool: tool.source };
    const rule = tool && scope.policy.ruleFor(tool, value);
    const about = { call, ...known, runtime, arguments: value, runId, path, signal };
    const request = rule === undefined ? about : { ...about, rule };
    const answer = await approve(askedBy({ run: scope, call: joined(path, at) }, request));
    if (typeof answer === "boolean") return { approved: answer };
    if (typeof answer !== "object" || answer === null)
      return { approved: false, reason: "the approve hook gave no answer" };
    const { approved, reason, arguments: given, scope: far } = answer;
    const edited = given === undefined ? undefined : JSON.stringify(given);
    if (given !== undefined && edited === undefined)
      return { approved: false, reason: "the approve hook gave arguments that are no JSON" };
    return {
      approved: approved === true,
      ...(approved === true && far !== undefined && { scope: far }),
      ...(reason !== undefined && { reason }),
      ...(approved === true && edited !== undefined && { arguments: edited }),
    };
  };
}

/** The callback's messages; one that cannot be sent takes none of the others with it. */
function asked(get: GetMessages | undefined): (() => Promise<Given>) | undefined {
  if (!get) return undefined;
  return async () => {
    const given: unknown = await get();
    if (!Array.isArray(given))
      return { messages: [], problems: [`must give a list of messages, not ${shown(given)}.`] };
    const messages: UserMessage[] = [];
    const problems: string[] = [];
    for (const [i, message] of given.entries()) {
      try {
        messages.push(userMessage(message, `message ${i}`));
      } catch (thrown) {
        problems.push(thrownMessage(thrown));
      }
    }
    return { messages, problems };
  };
}

/** Drives a run at once, unless the call around it was begun early: until that counts, nothing of the run is told. */
function begun({ loop, emitter }: Ready, around: Scope | undefined): ReturnType<typeof drive> {
  const confirmed = around?.call.confirmed;
  if (!confirmed) return drive(loop);
  return confirmed.then((counts) => {
    if (!counts) emitter.detach();
    return drive(loop);
  });
}

function driven(
  live: Home["live"],
  run: Ready,
  scope: RunScope,
  around: Scope | undefined,
  signal: AbortSignal | undefined,
  wanted: Wanted | undefined,
): Promise<RunResult> {
  const { open, config } = run.loop.input;
  const withOuter = around && ((reason: unknown) => cancelFor(reason, open, config.deadlineAt));
  const release = [
    signal && cancelOn(signal, (reason) => open.cancel(said(reason))),
    withOuter && around.run && cancelOn(around.run.inherited.signal, withOuter),
    withOuter && around.call.onStop(withOuter),
    deadlineTimer(open, config.deadlineAt),
  ];
  const done = begun(run, around).then((ended) => {
    live.delete(run.id);
    for (const undo of release) undo?.();
    const result = { ...ended, ...reachedValue(run.loop, wanted, ended) } as RunResult;
    scope.answered = "value" in result;
    scope.ended = result.outcome;
    scope.view = undefined;
    scope.forgetKept();
    if (around) {
      runsOf(scope).set(run.emitter.path, undefined);
      around.watch?.ended(run, result);
    }
    return result;
  });
  around?.run?.holds(scope, done);
  return done;
}
