import { type Stoppable, unlessInterrupted } from "../menu/interrupts.ts";
import type { AssistantMessage } from "../message/message.ts";
import { thrownMessage } from "../message/thrown-text.ts";
import { noUsage } from "../message/usage.ts";
import { type Collector, collect } from "../model/collect.ts";
import type { ModelEvent, ModelFailure, ModelRequest } from "../model/model.ts";
import { EarlyStarts } from "./early.ts";
import { prepareReply, type Replied, withoutCalls } from "./prepare-reply.ts";
import { type LoopRun, warn } from "./run.ts";
import type { Ask } from "./state.ts";
import { tellUpdate } from "./tell.ts";

/**
 * One reply while it is read. Does not wait for a model that ignores the signal, and takes a throw as a failure and a
 * stream that just ends as a cut reply. A class that pulls event by event, so that a request makes one object and not
 * half a dozen functions, and waiting for an event holds neither a suspended function nor a list of its variables.
 */
export class Reading implements Stoppable {
  readonly #run: LoopRun;
  readonly #step: Ask;
  readonly #collector: Collector;
  #events: AsyncIterator<ModelEvent> | undefined;
  #over = false;
  #resolve!: (replied: Replied | Promise<Replied>) => void;

  constructor(run: LoopRun, step: Ask) {
    this.#run = run;
    this.#step = step;
    this.#collector = collect(run.input.model.id);
    run.collector = this.#collector;
  }

  /** Sends the request; resolves once the reply is there and its calls are prepared. */
  begin(): Promise<Replied> {
    const replied = new Promise<Replied>((resolve) => {
      this.#resolve = resolve;
    });
    this.#run.interrupts.add(this);
    if (!this.#over) this.#open();
    return replied;
  }

  /** The run was ended. */
  stop(): void {
    this.#end(this.#collector.message("aborted"), { kind: "aborted", message: "The request was aborted." });
  }

  #open(): void {
    const { model, open } = this.#run.input;
    try {
      this.#events = model.stream(requestOf(this.#run, this.#step), open.host.signal)[Symbol.asyncIterator]();
      this.#pull();
    } catch (thrown) {
      this.#failed(thrown);
    }
  }

  #pull(): void {
    Promise.resolve(this.#events!.next()).then(this.#came, this.#failed);
  }

  readonly #came = ({ done, value: event }: IteratorResult<ModelEvent>) => {
    if (done) return this.#end(this.#collector.message("length"));
    if (this.#over) return this.#leave();
    try {
      if (event.type === "end") {
        this.#ended(event);
        return this.#leave();
      }
      this.#collector.push(event);
      tell(this.#run, event);
      this.#early(event);
      this.#pull();
    } catch (thrown) {
      this.#failed(thrown);
      this.#leave();
    }
  };

  /** Made with the first call: most that is waited for is text. */
  #early(event: Exclude<ModelEvent, { type: "end" }>): void {
    const run = this.#run;
    if (event.type === "call_start" && run.early === undefined) {
      if (run.state.config.overlap <= 1 || this.#step.choice === "none") return;
      run.early = new EarlyStarts(run);
    }
    run.early?.take(event);
  }

  readonly #failed = (thrown: unknown): void => {
    if (this.#over) return;
    this.#run.thrown = thrown;
    this.#end(this.#collector.message("error"), { kind: "unknown", message: thrownMessage(thrown) });
  };

  /** Lets the model clean up behind an event that is the last to be read; nobody waits for that. */
  #leave(): void {
    try {
      this.#events?.return?.()?.then(undefined, () => undefined);
    } catch {
      // Its own affair: the reply is there.
    }
  }

  /** The model's own end; one that is no message is a failure of the model. */
  #ended({ message, error }: Extract<ModelEvent, { type: "end" }>): void {
    const given = message as Partial<AssistantMessage> | undefined;
    if (given && Array.isArray(given.content) && typeof given.stopReason === "string") {
      this.#end(given.usage === undefined ? { ...message, usage: noUsage } : message, error);
    } else {
      const text = `The model "${this.#run.input.model.id}" ended without a message that has content and stopReason.`;
      this.#end(this.#collector.message("error"), { kind: "invalid", message: text });
    }
  }

  #end(message: AssistantMessage, error?: ModelFailure): void {
    if (this.#over) return;
    this.#over = true;
    const run = this.#run;
    run.interrupts.delete(this);
    try {
      const replied = prepareReply(run, this.#step, message, error);
      if (replied instanceof Promise) {
        const ready = unlessInterrupted(run.interrupts, replied);
        this.#resolve(ready.then((all) => all ?? withoutCalls(run, message, error)));
      } else {
        this.#resolve(replied);
      }
    } catch (thrown) {
      this.#resolve(Promise.reject(thrown));
    }
  }
}

/** Rounds that ask for the same choice send the very same request: all that changes is inside `messages`. */
function requestOf(run: LoopRun, { choice }: Ask): ModelRequest {
  const { request, history, menu } = run.input;
  if (run.request?.toolChoice !== choice) {
    const { deadlineAt } = run.state.config;
    const bound = deadlineAt === undefined ? undefined : { deadlineAt };
    run.request = { ...request, messages: history, tools: menu.declared, toolChoice: choice, ...bound };
  }
  return run.request;
}

function tell(run: LoopRun, event: Exclude<ModelEvent, { type: "end" }>): void {
  const { emitter, onRetry } = run.input;
  if (event.type === "text") emitter.text(event.delta);
  if (event.type === "retry" || event.type === "warning") emitter.emit(event);
  else tellUpdate(emitter, event);
  if (event.type !== "retry" || !onRetry) return;
  try {
    const returned: unknown = onRetry(event);
    Promise.resolve(returned).catch((thrown: unknown) => threw(run, thrown));
  } catch (thrown) {
    threw(run, thrown);
  }
}

const threw = (run: LoopRun, thrown: unknown) => warn(run, "on_retry", `onRetry threw: ${thrownMessage(thrown)}`);
