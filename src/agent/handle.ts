import type { When } from "../host/host.ts";
import type { RunResult } from "../loop/outcome.ts";
import { viewOf } from "../loop/run.ts";
import { textOf } from "../message/message.ts";
import { mistake, userMessage } from "./check-options.ts";
import type { Run } from "./runtime.ts";
import type { Ready } from "./start.ts";

const whens: readonly When[] = ["now", "after_round", "at_end"];

/** The handle of a run; it starts on the next microtask, so that a reader taken at once misses nothing. */
export function handleOf(ready: Ready): Run {
  const { id, emitter, open, loop } = ready;
  const result: Promise<RunResult> = Promise.resolve().then(() => ready.drive());
  return {
    id,
    result,
    text: { [Symbol.asyncIterator]: () => emitter.readText(textSoFar(ready), loop.end !== undefined) },
    [Symbol.asyncIterator]: () => emitter.read(viewOf(loop)),
    send(content, { when = "now" } = {}) {
      if (!whens.includes(when)) throw mistake(`"when" must be ${whens.join(", ")}, not ${String(when)}.`);
      return open.send({ kind: when, message: userMessage(content, "The message") });
    },
    post: (message) => (message.kind === "control" ? open.cancel(message.control.reason) : open.send(message)),
    abort: (reason) => open.cancel(reason),
  };
}

function textSoFar({ loop }: Ready): string {
  const { history } = loop.input;
  let text = "";
  for (let i = loop.start; i < history.length; i++) {
    const message = history[i]!;
    if (message.role === "assistant") text += textOf(message);
  }
  return loop.collector ? text + textOf(loop.collector.message("stop")) : text;
}
