import type { Outgoing, Receipt, When } from "../host/host.ts";
import type { AgentEvent } from "../loop/events.ts";
import type { RunResult } from "../loop/outcome.ts";
import { LoopView } from "../loop/view.ts";
import { textOf } from "../message/message.ts";
import { mistake } from "./check-options.ts";
import { type Content, userMessage } from "./content.ts";
import type { SendOptions } from "./options.ts";
import type { Run } from "./runtime.ts";
import type { Ready } from "./start.ts";

const whens: readonly When[] = ["now", "after_round", "at_end"];

/** The handle of a run; it starts on the next microtask, so that a reader taken at once misses nothing. */
export class RunHandle implements Run {
  readonly #ready: Ready;
  readonly result: Promise<RunResult>;

  constructor(ready: Ready) {
    this.#ready = ready;
    this.result = Promise.resolve().then(() => ready.drive());
  }

  get id(): string {
    return this.#ready.id;
  }

  get text(): AsyncIterable<string> {
    const { emitter, loop } = this.#ready;
    return { [Symbol.asyncIterator]: () => emitter.readText(textSoFar(this.#ready), loop.end !== undefined) };
  }

  [Symbol.asyncIterator](): AsyncIterator<AgentEvent> {
    return this.#ready.emitter.read(new LoopView(this.#ready.loop));
  }

  send(content: Content, { when = "now" }: SendOptions = {}): Receipt {
    if (!whens.includes(when)) throw mistake(`"when" must be ${whens.join(", ")}, not ${String(when)}.`);
    return this.#ready.open.send({ kind: when, message: userMessage(content, "The message") });
  }

  post(message: Outgoing): Receipt {
    if (message.kind === "control") return this.#ready.open.cancel(message.control.reason);
    if (message.kind === "approval") return this.#ready.open.send(message);
    if (!whens.includes(message.kind)) throw mistake(`"kind" must be ${whens.join(", ")}, approval or control.`);
    return this.#ready.open.send({ kind: message.kind, message: userMessage(message.message, "The message") });
  }

  abort(reason?: string): void {
    this.#ready.open.cancel(reason);
  }
}

/** The text of the run until now. */
function textSoFar({ loop }: Ready): string {
  const { history } = loop.input;
  let text = "";
  for (let i = loop.start; i < history.length; i++) {
    const message = history[i]!;
    if (message.role === "assistant") text += textOf(message);
  }
  return loop.collector ? text + textOf(loop.collector.message("stop")) : text;
}
