import { closingBegins } from "../loop/texts.ts";
import { textOf } from "../message/message.ts";
import type { Model, ModelEvent, ModelRequest } from "../model/model.ts";
import { checkReply, play } from "./play.ts";
import type { ReplyObject, ScriptEntry, ScriptFunction } from "./script.ts";
import { unlessAborted } from "./unless-aborted.ts";

/** Options of {@link scripted}. */
export type ScriptedOptions = Omit<Model, "id" | "stream"> & {
  /** Default `scripted`. */
  readonly id?: string;
  /** A closing request (the one at a limit) that is not scripted fails too. Default false: it is answered with empty text. */
  readonly strict?: boolean;
  /**
   * Called when more is asked for than is scripted. Default: the error is thrown outside of every `try`, so that the
   * test runner reports it even if the test expects a failing run.
   */
  readonly onOverrun?: (error: Error) => void;
};

/** A model that answers from a script and remembers what it was asked. */
export type ScriptedModel = Model & {
  /** Copies of the requests as they were when they came, oldest first. */
  readonly requests: readonly ModelRequest[];
  /** Entries of the script that nothing has asked for yet. */
  readonly remaining: number;
  /** Throws when entries are left over, when more was asked for than scripted, or when an entry threw. */
  check(): void;
  /** Same as `check`: `using model = scripted([...])` checks at the end of the block. */
  [Symbol.dispose](): void;
};

/**
 * A model for tests. Each request takes the next entry of the script; one request too many ends with stop reason
 * `error`, fails `check()`, and is reported as an uncaught error (see `onOverrun`). A reply that cannot be played (broken
 * behind more events than it has, chunks below 1) throws here.
 *
 * @example
 * ```ts
 * const model = scripted([{ calls: [{ name: "weather", arguments: { city: "Oslo" } }] }, "Sunny in Oslo."]);
 * const text = await createRuntime({ model }).exec("Weather in Oslo?", { tools: [weather] });
 * model.check();
 * ```
 */
export function scripted(replies: readonly ScriptEntry[], options: ScriptedOptions = {}): ScriptedModel {
  const { strict = false, onOverrun = throwOutside, id = "scripted", ...about } = options;
  const script = replies.map((entry, index) =>
    typeof entry === "function" ? entry : checkReply(objectOf(entry), index),
  );
  const requests: ModelRequest[] = [];
  const faults: string[] = [];

  async function* answer(request: ModelRequest, index: number, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    const entry = script[index];
    if (entry !== undefined) {
      const reply =
        typeof entry === "function" ? await unlessAborted(made(entry, request, index, signal), signal) : entry;
      yield* play(reply ?? {}, index, id, signal);
    } else if (!strict && isClosing(request)) {
      yield* play({ text: "" }, index, id, signal);
    } else {
      const message = `The scripted model was asked for reply ${index + 1}, but only ${script.length} are scripted.`;
      faults.push(message);
      onOverrun(new Error(message));
      yield* play({ error: { kind: "invalid", message } }, index, id, signal);
    }
  }

  async function made(entry: ScriptFunction, request: ModelRequest, index: number, signal: AbortSignal) {
    try {
      const reply = await entry(request, index, signal);
      if (typeof reply !== "string" && (typeof reply !== "object" || reply === null)) {
        throw new TypeError(`it returned ${String(reply)}, which is no reply: return text or { text, calls, … }.`);
      }
      return checkReply(objectOf(reply), index);
    } catch (error) {
      faults.push(`Entry ${index + 1} of the script threw: ${String(error)}`);
      throw error;
    }
  }

  function check(): void {
    const left = script.length - requests.length;
    const wrong = left > 0 ? [...faults, `${left} of ${script.length} scripted replies were never asked for.`] : faults;
    if (wrong.length > 0) throw new Error(wrong.join("\n"));
  }

  return {
    ...about,
    id,
    stream(request, signal) {
      const copy = { ...request, messages: [...request.messages], tools: [...request.tools] };
      return answer(copy, requests.push(copy) - 1, signal);
    },
    requests,
    get remaining() {
      return Math.max(0, script.length - requests.length);
    },
    check,
    [Symbol.dispose]: check,
  };
}

function isClosing({ messages, toolChoice }: ModelRequest): boolean {
  const last = messages.at(-1);
  return toolChoice === "none" && last?.role === "user" && textOf(last).startsWith(closingBegins);
}

function objectOf(reply: string | ReplyObject): ReplyObject {
  return typeof reply === "string" ? { text: reply } : reply;
}

function throwOutside(error: Error): void {
  queueMicrotask(() => {
    throw error;
  });
}
