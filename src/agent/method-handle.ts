import { setImmediate } from "node:timers/promises";
import { RondoError } from "../error.ts";
import type { Outgoing, Receipt } from "../host/host.ts";
import type { AgentEvent } from "../loop/events.ts";
import { type LoopResult, type Outcome, outcomes, type RunResult } from "../loop/outcome.ts";
import { toldError } from "../loop/told-error.ts";
import { checkArguments } from "../menu/arguments.ts";
import { isTimeout, said } from "../message/abort-reason.ts";
import { textOf, type UserMessage } from "../message/message.ts";
import { isError, thrownMessage } from "../message/thrown-text.ts";
import { checkedSend } from "./check-message.ts";
import type { Content } from "./content.ts";
import { cancelOn } from "./ending.ts";
import { deeper } from "./frame.ts";
import { textSoFar } from "./handle.ts";
import { outerOf } from "./inherit.ts";
import type { MethodParts } from "./method.ts";
import { MethodCall } from "./method-call.ts";
import { checkMethodRun, type MethodRun, type MethodRunOptions } from "./method-run.ts";
import { MethodScope } from "./method-scope.ts";
import { MethodView } from "./method-view.ts";
import type { Warning } from "./model-of.ts";
import type { SendOptions } from "./options.ts";
import { newRunId } from "./run-id.ts";
import { currentScope, inScope, rootOf, runsOf, type Scope, type Watch } from "./scope.ts";
import { outgoing, sendTo, undelivered } from "./send.ts";
import type { Ready } from "./start.ts";
import { WaitingMessages } from "./waiting-messages.ts";

/** How the body of a method has ended; undefined: it was given up. */
type Ended<V> = { readonly value: V } | { readonly thrown: unknown } | undefined;

/** The handle of one invocation of a method; the body starts on the next microtask. */
export class MethodHandle<V> implements MethodRun<V>, Watch {
  readonly id = newRunId();
  readonly result: Promise<RunResult<V>>;
  readonly #scope: MethodScope;
  readonly #view: MethodView;
  readonly #waiting = new WaitingMessages();
  readonly #undelivered: UserMessage[] = [];

  constructor(parts: MethodParts, args: unknown, options: MethodRunOptions = {}) {
    checkMethodRun(options);
    const value = checkArguments(parts.input, args, parts.name);
    const here = currentScope();
    const warnings: Warning[] = [];
    const { around, stopped } = surroundings(here, warnings);
    const frame = deeper(parts.method, parts.name, here?.frame, parts.home.recursion());
    const control = new AbortController();
    const call = new MethodCall(around, parts.home, control.signal);
    this.#scope = new MethodScope(this.id, call.path, control, { around, here, frame, runtime: parts.home.base });
    this.#view = new MethodView(this.id, this.#scope);
    this.#scope.recipient = { send: (message: Outgoing) => this.#deliver(message) };
    this.#scope.view = this.#view;
    if (around) runsOf(this.#scope).set(call.path, this.#scope);
    const inside: Scope = { run: this.#scope, call, picked: true, frame, watch: this, base: undefined };
    const body = async () => ({ value: (await parts.inner(await value, call)) as V });
    // Nobody may come to await it.
    if (value instanceof Promise) value.catch(() => {});
    const begin = () => (stopped ? Promise.reject(stopped) : inScope(inside, body));
    const abort = (reason: unknown) => control.abort(reason);
    const follow = () => [
      options.signal && cancelOn(options.signal, (reason) => abort(byCaller(reason))),
      around?.run && cancelOn(around.run.inherited.signal, abort),
      around?.call.onStop(abort),
    ];
    this.result = Promise.resolve().then(() => this.#drive(begin, follow, warnings));
    around?.run?.holds(this.#scope, this.result);
  }

  get text(): AsyncIterable<string> {
    const { emitter } = this.#scope.inherited;
    const view = this.#view;
    return {
      [Symbol.asyncIterator]: () => emitter.readText(view.direct.map(textSoFar).join(""), view.end !== undefined),
    };
  }

  get [Symbol.asyncIterator](): () => AsyncIterator<AgentEvent> {
    return () => this.#scope.inherited.emitter.read(this.#view);
  }

  get send(): MethodRun["send"] {
    return (content, options) => this.#send(content, options);
  }

  get abort(): MethodRun["abort"] {
    return (reason) =>
      this.#scope.control.abort(new DOMException(said(reason) ?? "The method was aborted.", "AbortError"));
  }

  #send(content: Content, options: SendOptions = {}): Receipt {
    const { when, to } = checkedSend(options);
    const message = outgoing(content, when);
    if (to !== undefined && to !== this.#scope.inherited.emitter.path) return sendTo(rootOf(this.#scope), to, message);
    return this.#deliver(message);
  }

  /** To the newest run that still reads, else it waits for the next one. */
  #deliver(message: Outgoing): Receipt {
    if (this.#scope.ended !== undefined) return undelivered();
    for (const { open } of this.#view.live.toReversed()) {
      const receipt = open.send(message);
      if (receipt.status !== "undelivered") return receipt;
    }
    return this.#waiting.send(message);
  }

  began(run: Ready): void {
    this.#view.began(run);
    run.emitter.passTextTo(this.#scope.inherited.emitter);
    this.#waiting.handTo(run.open);
  }

  ended(run: Ready, { undelivered }: LoopResult): void {
    this.#view.ended(run);
    this.#undelivered.push(...undelivered);
  }

  async #drive(
    begin: () => Promise<{ value: V }>,
    follow: () => readonly ((() => void) | undefined)[],
    warnings: readonly Warning[],
  ): Promise<RunResult<V>> {
    const { control, inherited } = this.#scope;
    const release = follow();
    this.#view.begun = true;
    inherited.emitter.emit({ type: "agent_start" });
    for (const warning of warnings) inherited.emitter.emit({ type: "warning", ...warning });
    const ended = control.signal.aborted
      ? undefined
      : await this.#settled(begin().catch((thrown: unknown) => ({ thrown })));
    for (const undo of release) undo?.();
    await this.#endings();
    return this.#finish(ended);
  }

  /** Waits for what was told to end inside: its end is told before that of the method. */
  async #endings(): Promise<void> {
    for (let inside = this.#scope.ending(); inside; inside = this.#scope.ending()) await inside;
  }

  /** Waits for the body, but behind an abort no longer than for the runs inside. */
  async #settled(work: Promise<Ended<V>>): Promise<Ended<V>> {
    const { signal } = this.#scope.control;
    const first = await Promise.race([work, aborted(signal)]);
    if (first) return first;
    await this.#endings();
    return Promise.race([work, setImmediate(undefined)]);
  }

  #finish(ended: Ended<V>): RunResult<V> {
    const { last } = this.#view;
    const thrown = ended && "thrown" in ended ? ended.thrown : undefined;
    const { outcome, error } = this.#ending(ended, thrown);
    this.#scope.ended = outcome;
    this.#scope.forgetKept();
    if (this.#scope.inherited.outer) runsOf(this.#scope).set(this.#view.path, undefined);
    const told = {
      outcome,
      text: last?.loop.lastReply ? textOf(last.loop.lastReply) : "",
      usage: this.#scope.usage,
      messages: last ? last.loop.input.history.slice(last.loop.start) : [],
      undelivered: [...this.#undelivered, ...this.#waiting.close()],
      rounds: last?.loop.state.rounds ?? 0,
    };
    const failed = error && { error: toldError(error) };
    this.#view.end = this.#scope.inherited.emitter.end({ type: "agent_end", ...told, ...failed });
    const value = ended && "value" in ended && { value: ended.value };
    return { ...told, ...value, ...(error && { error }) } as RunResult<V>;
  }

  #ending(ended: Ended<V>, thrown: unknown): { outcome: Outcome; error?: Error } {
    if (ended && "value" in ended) return { outcome: "stop" };
    const { signal, deadlineAt } = this.#scope.inherited;
    const late = deadlineAt !== undefined && Date.now() >= deadlineAt;
    const stopped = late || isTimeout(signal.reason) ? "timeout" : "aborted";
    if (!ended) {
      const text = late ? "The time of the run around is up." : (said(signal.reason) ?? "The method was aborted.");
      return { outcome: stopped, error: new RondoError(stopped, text, { cause: signal.reason }) };
    }
    const error = isError(thrown) ? thrown : thrownValue(thrown);
    if (RondoError.isInstance(error) && (outcomes as readonly string[]).includes(error.code)) {
      return { outcome: error.code as Outcome, error };
    }
    return { outcome: signal.aborted ? stopped : "error", error };
  }
}

const thrownValue = (thrown: unknown) =>
  new RondoError("error", `The method threw ${thrownMessage(thrown)}`, { cause: thrown });

/** The scope around while its run goes on; behind an abort or a timeout of it, nothing may begin any more. */
function surroundings(here: Scope | undefined, warnings: Warning[]): { around?: Scope; stopped?: unknown } {
  try {
    const around = outerOf(here, warnings) ? here : undefined;
    return around ? { around } : {};
  } catch (stopped) {
    return { ...(here && { around: here }), stopped };
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}

/** A signal of the caller aborts, also one that fires by time: only what is around can be out of time. */
const byCaller = (reason: unknown) => (isTimeout(reason) ? new DOMException(reason.message, "AbortError") : reason);
