import type { JsonObject } from "../message/json.ts";
import type {
  AssistantContent,
  AssistantMessage,
  ProviderData,
  ReasoningContent,
  StopReason,
  TextContent,
  ToolCall,
} from "../message/message.ts";
import { noUsage, type Usage } from "../message/usage.ts";
import type { ModelEvent } from "./model.ts";
import { isSigned } from "./signed.ts";

/**
 * Puts an `AssistantMessage` together while it streams. Blocks keep the order in which they began; every call costs the
 * same, however much came before it.
 *
 * `key` tells blocks of a kind apart where a provider names them, so that each keeps its own data; without it, pieces of
 * one kind that follow each other are one block.
 */
export type Reply = {
  text(delta: string, key?: string): void;
  reasoning(delta: string, key?: string): void;
  /** Adds provider data to the block of this kind and key, which begins empty if there is none. */
  providerData(kind: "text" | "reasoning", data: ProviderData, key?: string): void;
  /** The block of this kind and key has ended: what comes next under the key is another block. */
  blockEnd(kind: "text" | "reasoning", key: string): void;
  callStart(id: string, name: string): void;
  callDelta(id: string, delta: string): void;
  /** The arguments have ended. What `final` holds replaces what was streamed. An id that did not start is ignored. */
  callEnd(
    id: string,
    final?: { readonly name?: string; readonly arguments?: string; readonly providerData?: ProviderData },
  ): void;
  readonly hasCalls: boolean;
  finish(end: { readonly stopReason: StopReason; readonly usage?: Usage }): AssistantMessage;
};

type ProseBlock = { readonly type: "text" | "reasoning"; text: string; providerData?: ProviderData };
type CallBlock = {
  readonly type: "call";
  readonly id: string;
  name: string;
  arguments: string;
  ended: boolean;
  providerData?: ProviderData;
};

/** Begins a reply of the model with this id. */
export function startReply(modelId: string): Reply {
  const blocks: (ProseBlock | CallBlock)[] = [];
  const keyed = new Map<string, ProseBlock>();
  const calls = new Map<string, CallBlock>();

  // The block that grew last: nearly every piece belongs to it.
  let current: { readonly block: ProseBlock; readonly key: string | undefined } | undefined;

  const blockOf = (type: "text" | "reasoning", key: string | undefined): ProseBlock => {
    if (current?.block.type === type && current.key === key) return current.block;
    const name = `${type} ${key}`;
    let block = key === undefined ? undefined : keyed.get(name);
    if (block === undefined) {
      block = { type, text: "" };
      blocks.push(block);
      if (key !== undefined) keyed.set(name, block);
    }
    current = { block, key };
    return block;
  };

  return {
    text(delta, key) {
      if (delta !== "") blockOf("text", key).text += delta;
    },
    reasoning(delta, key) {
      if (delta !== "") blockOf("reasoning", key).text += delta;
    },
    providerData(kind, data, key) {
      const block = blockOf(kind, key);
      block.providerData = mergeProviderData(block.providerData, data);
    },
    blockEnd(kind, key) {
      keyed.delete(`${kind} ${key}`);
      current = undefined;
    },
    callStart(id, name) {
      const call: CallBlock = { type: "call", id, name, arguments: "", ended: false };
      blocks.push(call);
      calls.set(id, call);
      if (current?.key === undefined) current = undefined;
    },
    callDelta(id, delta) {
      const call = calls.get(id);
      if (call !== undefined) call.arguments += delta;
    },
    callEnd(id, final) {
      const call = calls.get(id);
      if (call === undefined) return;
      call.ended = true;
      if (final?.name !== undefined) call.name = final.name;
      if (final?.arguments !== undefined) call.arguments = final.arguments;
      if (final?.providerData !== undefined) call.providerData = final.providerData;
    },
    get hasCalls() {
      return calls.size > 0;
    },
    finish({ stopReason, usage = noUsage }) {
      const content: AssistantContent[] = [];
      for (const block of blocks) {
        const part = block.type === "call" ? finishedCall(block, stopReason) : finishedProse(block);
        if (part !== undefined) content.push(part);
      }
      return { role: "assistant", content, model: modelId, usage, stopReason };
    },
  };
}

/** Provider data of one block that came in several pieces: fields of the same provider add up, later ones win. */
export function mergeProviderData(a: ProviderData | undefined, b: ProviderData): ProviderData {
  if (a === undefined) return b;
  const merged: Record<string, JsonObject[string]> = { ...a };
  for (const [provider, fields] of Object.entries(b)) {
    const before = merged[provider];
    merged[provider] = isPlain(before) && isPlain(fields) ? { ...before, ...fields } : fields;
  }
  return merged;
}

const isPlain = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reasoning without text still counts when it holds data: redacted and encrypted blocks are all data. So does text that is all signature. */
function finishedProse(block: ProseBlock): TextContent | ReasoningContent | undefined {
  const { type, text, providerData } = block;
  if (text === "" && (type === "text" ? !isSigned(providerData) : providerData === undefined)) return undefined;
  return providerData === undefined ? { type, text } : { type, text, providerData };
}

function finishedCall(block: CallBlock, stopReason: StopReason): ToolCall | undefined {
  const { id, name, providerData } = block;
  const whole = block.ended && (!wasCut(stopReason) || isWhole(block.arguments));
  if (!whole && stopReason !== "length" && wasCut(stopReason)) return undefined;
  return {
    type: "tool_call",
    id,
    name,
    arguments: block.arguments,
    ...(whole ? undefined : { partial: true }),
    ...(providerData === undefined ? undefined : { providerData }),
  };
}

const wasCut = (reason: StopReason): boolean =>
  reason === "length" || reason === "error" || reason === "aborted" || reason === "refusal";

/** Some providers end a call that the reply's end cut in two: in a cut reply only readable arguments count as ended. */
function isWhole(text: string): boolean {
  if (text.trim() === "") return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Collects the events of a model that may never send its `end`; see `collect`. */
export type Collector = {
  push(event: ModelEvent): void;
  /** The message of the model's own `end` if one came, else one made of the events so far. */
  message(stopReason: StopReason): AssistantMessage;
};

/**
 * Keeps what a model streams, so that there is a message even if the model throws or stops without `end`. Costs one
 * reference per event; the message is made only when asked for.
 */
export const collect = (modelId: string): Collector => new EventCollector(modelId);

/** A class, so that a request makes one object of it. */
class EventCollector implements Collector {
  readonly #modelId: string;
  #events: ModelEvent[] = [];
  #ended: AssistantMessage | undefined;

  constructor(modelId: string) {
    this.#modelId = modelId;
  }

  push(event: ModelEvent): void {
    if (event.type === "end") this.#ended = event.message;
    // What streamed before a request is sent again belongs to no reply.
    else if (event.type === "retry") this.#events = [];
    else if (event.type !== "warning") this.#events.push(event);
  }

  message(stopReason: StopReason): AssistantMessage {
    return this.#ended ?? replyFromEvents(this.#modelId, this.#events, stopReason);
  }
}

/** The message that these events make, ended for this reason. */
export function replyFromEvents(
  modelId: string,
  events: Iterable<ModelEvent>,
  stopReason: StopReason,
): AssistantMessage {
  const reply = startReply(modelId);
  for (const event of events) {
    if (event.type === "text") reply.text(event.delta);
    else if (event.type === "reasoning") reply.reasoning(event.delta);
    else if (event.type === "call_start") reply.callStart(event.id, event.name);
    else if (event.type === "call_delta") reply.callDelta(event.id, event.delta);
    else if (event.type === "call_end") reply.callEnd(event.id);
  }
  return reply.finish({ stopReason });
}
