import type { Awaitable } from "../host/host.ts";
import type { CallEnvironment } from "../menu/call.ts";
import { Interrupts } from "../menu/interrupts.ts";
import { isPager } from "../menu/pager.ts";
import type { Prepared } from "../menu/prepare.ts";
import type { AssistantMessage, Message, ToolCall, ToolResultMessage } from "../message/message.ts";
import { addUsage, noUsage, type Usage } from "../message/usage.ts";
import type { Collector } from "../model/collect.ts";
import type { ModelFailure, ModelRequest } from "../model/model.ts";
import { begin } from "./begin.ts";
import type { EarlyStarts } from "./early.ts";
import type { AgentEndEvent, RoundLabel } from "./events.ts";
import type { LoopInput } from "./input.ts";
import { draw, left } from "./limits.ts";
import type { Ask, Budget, State } from "./state.ts";
import { tellRoundEnd, tellToolEnd, tellToolStart } from "./tell.ts";
import { interruptedText } from "./texts.ts";

/** A run while it is driven: its state, and what the driver keeps beside it. */
export type LoopRun = {
  readonly input: LoopInput;
  state: State;
  readonly start: number;
  readonly interrupts: Interrupts;
  readonly environment: CallEnvironment;
  /** Begins the keys of the run's steps. */
  readonly key: string;
  /** Ids of all calls in the history. */
  readonly callIds: Set<string>;
  /** The word in the markers of untrusted results, once there was one; see `wordOf`. */
  word: Awaitable<string> | undefined;
  usage: Usage;
  lastReply: AssistantMessage | undefined;
  failure: ModelFailure | undefined;
  /** What the model threw, for the error of the result: a model should not throw. */
  thrown: unknown;
  /** The request whose batch is going on. */
  asked: Ask | undefined;
  /** The request that was sent last. */
  request: ModelRequest | undefined;
  prepared: readonly Prepared[];
  /** Calls of the reply that were begun while it streamed. */
  early: EarlyStarts | undefined;
  results: readonly ToolResultMessage[];
  /** Calls that have begun and have no result yet, in order. */
  started: ToolCall[];
  collector: Collector | undefined;
  /** Steps of the inbox, to number them. */
  positions: number;
  signalSeen: boolean;
  /** The same call had come often in a row when that was looked at last. */
  repeated: boolean;
  /** The call that somebody is being asked about. */
  asking: { readonly call: ToolCall; readonly control: AbortController } | undefined;
  /** Arguments that a person gave instead of those of the call with this id. */
  edited: Map<string, string> | undefined;
  /** It was said that a forced choice was not met. */
  choiceWarned: boolean;
  /** The function that was picked as the decision, and how it ended. */
  pick: Pick | undefined;
  /** The call of that function once it has begun, and its result once it is over. */
  decision: Picked | undefined;
  begun: boolean;
  end: AgentEndEvent | undefined;
};

/** A function that was picked as the decision: what is run, then what it returned or threw. */
export type Pick = {
  readonly prepared: Prepared;
  /** `failed`: it was given up, and so says why itself. */
  readonly ended?: { readonly value: unknown } | { readonly thrown: unknown } | { readonly failed: string };
};

/** What readers are told of a picked function. */
export type Picked = { readonly call: ToolCall; readonly result?: ToolResultMessage };

const none: readonly never[] = [];

export function openRun(input: LoopInput): LoopRun {
  const { history, ledger, config, emitter, ambient, maxResultChars, redact, menu, cache } = input;
  const interrupts = new Interrupts(input.open.host);
  return {
    input,
    state: begin(config, ledger ? left(ledger) : {}),
    start: history.length,
    interrupts,
    environment: {
      interrupts,
      ambient,
      maxResultChars,
      redact,
      cache,
      pages: isPager(menu.find("read_result")?.source),
      deadline: config.deadlineAt,
      interruptedText,
      report: emitter,
    },
    key: input.path === "" ? input.rootId : `${input.rootId}/${input.path}`,
    callIds: idsOf(history),
    word: undefined,
    usage: noUsage,
    lastReply: undefined,
    failure: undefined,
    thrown: undefined,
    asked: undefined,
    request: undefined,
    prepared: none,
    early: undefined,
    results: none,
    started: [],
    collector: undefined,
    positions: 0,
    signalSeen: false,
    repeated: false,
    asking: undefined,
    edited: undefined,
    choiceWarned: false,
    pick: undefined,
    decision: undefined,
    begun: false,
    end: undefined,
  };
}

function idsOf(history: readonly Message[]): Set<string> {
  const ids = new Set<string>();
  for (const message of history) {
    if (message.role !== "assistant") continue;
    for (const part of message.content) if (part.type === "tool_call") ids.add(part.id);
  }
  return ids;
}

/** What the loop may still use, if it is limited at all. */
export function budgetOf({ input: { ledger } }: LoopRun): Budget | undefined {
  return ledger && left(ledger);
}

/** Adds the usage of a request or of nested runs. Nested runs have drawn on the ledger themselves. */
export function account(run: LoopRun, usage: Usage, nested = false): void {
  if (usage === noUsage) return;
  run.usage = addUsage(run.usage, usage);
  run.input.ambient.reportUsage(usage);
  if (nested || !run.input.ledger) return;
  draw(run.input.ledger, "tokens", usage.totalTokens);
  if (usage.cost !== undefined) draw(run.input.ledger, "cost", usage.cost);
}

export function warn(run: LoopRun, code: string, message: string): void {
  run.input.emitter.emit({ type: "warning", code, message });
}

/** The number of the request's round, or what else it is. */
export function labelOf(run: LoopRun): RoundLabel {
  return run.asked === undefined || run.asked.kind === "round" ? run.state.rounds : run.asked.kind;
}

/** Puts user messages into the history; the notice of a closing request or re-ask is told as part of it. */
export function enter(run: LoopRun, messages: readonly Message[], part?: "closing" | "reask"): void {
  const { history, emitter } = run.input;
  for (const message of messages) {
    history.push(message);
    if (message.role !== "user" || !emitter.active) continue;
    const round = part && { round: part };
    emitter.emit({ type: "message_start", role: "user", message, ...round });
    emitter.emit({ type: "message_end", message, ...round });
  }
}

/** A call and its result, in history and told. `started`: its `tool_start` was told before. */
export function enterResult(run: LoopRun, call: ToolCall, result: ToolResultMessage, started: boolean): void {
  const { history, emitter } = run.input;
  history.push(result);
  run.results = run.results.length === 0 ? [result] : [...run.results, result];
  if (!started) {
    run.early?.drop(call.id);
    tellToolStart(emitter, call);
  }
  tellToolEnd(emitter, call, result);
}

/** Tells the end of a round once its last call is answered. */
export function closeRound(run: LoopRun): void {
  const { state, asked, lastReply, results } = run;
  if (asked === undefined || lastReply === undefined || state.next < state.calls.length) return;
  tellRoundEnd(run.input.emitter, labelOf(run), lastReply, results);
  run.asked = undefined;
}
