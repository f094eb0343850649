import type { Outgoing, Receipt } from "../host/host.ts";
import type { AgentEvent } from "../loop/events.ts";
import type { RunResult } from "../loop/outcome.ts";
import { LoopView } from "../loop/view.ts";
import { said } from "../message/abort-reason.ts";
import { textOf } from "../message/message.ts";
import { checkedSend, checkOutgoing } from "./check-message.ts";
import type { Content } from "./content.ts";
import type { SendOptions } from "./options.ts";
import type { Run } from "./runtime.ts";
import { rootOf } from "./scope.ts";
import { outgoing, sendTo } from "./send.ts";
import type { Ready } from "./start.ts";

/**
 * The handle of a run; it starts on the next microtask, so that a reader taken at once misses nothing. What it can do is
 * given by getters: so it works taken apart, and costs nothing until it is asked for.
 */
export class RunHandle<V> implements Run<V> {
  readonly #ready: Ready;
  readonly result: Promise<RunResult<V>>;

  constructor(ready: Ready) {
    this.#ready = ready;
    this.result = Promise.resolve().then(() => ready.drive() as Promise<RunResult<V>>);
  }

  get id(): string {
    return this.#ready.id;
  }

  get text(): AsyncIterable<string> {
    const { emitter, loop } = this.#ready;
    return { [Symbol.asyncIterator]: () => emitter.readText(textSoFar(this.#ready), loop.end !== undefined) };
  }

  get [Symbol.asyncIterator](): () => AsyncIterator<AgentEvent> {
    return () => this.#ready.emitter.read(new LoopView(this.#ready.loop));
  }

  get send(): Run["send"] {
    return (content, options) => this.#send(content, options);
  }

  get post(): Run["post"] {
    return (message) => this.#post(message);
  }

  get abort(): Run["abort"] {
    return (reason) => void this.#ready.open.cancel(said(reason));
  }

  #send(content: Content, options: SendOptions = {}): Receipt {
    const { when, to } = checkedSend(options);
    const message = outgoing(content, when);
    const { emitter, open, scope } = this.#ready;
    return to === undefined || to === emitter.path ? open.send(message) : sendTo(rootOf(scope), to, message);
  }

  #post(message: Outgoing): Receipt {
    checkOutgoing(message);
    if (message.kind === "control") {
      const { reason, type } = message.control;
      return this.#ready.open.cancel(reason, type);
    }
    if (message.kind === "approval") return this.#ready.open.send(message);
    return this.#ready.open.send(outgoing(message.message, message.kind));
  }
}

/** The text of a run until now. */
export function textSoFar({ loop }: Ready): string {
  const { history } = loop.input;
  let text = "";
  for (let i = loop.start; i < history.length; i++) {
    const message = history[i]!;
    if (message.role === "assistant") text += textOf(message);
  }
  return loop.collector ? text + textOf(loop.collector.message("stop")) : text;
}
