import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { AssistantMessage, ImageContent, Message, ToolResultMessage } from "../../message/message.ts";
import { wellFormed } from "../../message/well-formed.ts";
import type { ModelEvent } from "../model.ts";
import { assistantParts, type ReplyRules } from "./assistant-parts.ts";
import { documentNames } from "./document-names.ts";
import type { LanguageModel } from "./language-model.ts";
import { type OutputRules, toolOutput } from "./tool-output.ts";
import { imagesMessage, type Tell, userMessage } from "./user-parts.ts";
import { wireIds } from "./wire-ids.ts";
import type { WireNames } from "./wire-names.ts";
import { type WireRules, wireRules } from "./wire-rules.ts";

type Warning = Extract<ModelEvent, { type: "warning" }>;

export type SpecificationVersion = "v3" | "v4";

/** What is known about one live history: how much of it was converted, and to what. */
export type History = {
  /** Ids of all calls in it. */
  readonly callIds: Set<string>;
  /** Warnings that were given to the run that owns it, so that each comes once. */
  readonly warned: Set<string>;
  /** Of parts that could not be sent as they are. */
  readonly warnings: readonly Warning[];
  /** A turn is going on that another model began, so that its first calls go without what was thought before them. */
  readonly callsUnthought: boolean;
  /** A prompt for one request; the caller may keep it. */
  prompt(system: string | undefined): LanguageModelV4Prompt;
  /** From now on the replies so far are sent like those of another model; false if that changes nothing. */
  dropData(): boolean;
};

/** Gives what is known about a history. `stored`: the provider keeps its replies, see {@link wireRules}. */
export type HistoryConverter = (messages: readonly Message[], stored: boolean) => History;

type Converted = {
  readonly messages: LanguageModelV4Message[];
  readonly history: Writable<History>;
  readonly stored: boolean;
  /** Replies before this index go without their data. */
  readonly bareUntil: number;
  readonly reply: ReplyRules;
  readonly output: OutputRules;
  /** Images of the results since the last reply, which have to stand behind all of them. */
  images: { readonly result: ToolResultMessage; readonly images: readonly ImageContent[] }[];
  /** What calls are named; their results have to bear the same name. */
  readonly callNames: Map<string, string>;
  readonly tell: Tell;
  length: number;
  last: Message | undefined;
  /** It matters who wrote the replies. */
  hasOwn: boolean;
  /** The turn whose calls came last, and whether another model began it. Absent: it is over. */
  turn: { readonly unthought: boolean } | undefined;
};

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Converts histories for one model, step by step. A history is one array that grows by its end, the same object in each
 * round, so each message is converted once; an array that was changed elsewhere is converted anew. `modelId` is the id
 * that the model's own replies bear.
 */
export function historyConverter(
  model: LanguageModel,
  modelId: string,
  names: WireNames,
  takesImages = true,
): HistoryConverter {
  const known = new WeakMap<readonly Message[], Converted>();
  const rulesOf = new Map<boolean, WireRules>();

  const begin = (messages: readonly Message[], stored: boolean, bareUntil: number, warned: Set<string>): Converted => {
    const rules = rulesOf.get(stored) ?? wireRules(model, stored);
    rulesOf.set(stored, rules);
    const converted: LanguageModelV4Message[] = [];
    const warnings: Warning[] = [];
    const state: Converted = {
      messages: converted,
      stored,
      bareUntil,
      reply: { rules, names, ids: wireIds(rules.ids) },
      output: {
        ...rules,
        version: model.specificationVersion,
        takesImages,
        ...(rules.namesDocuments && { documentName: documentNames() }),
      },
      images: [],
      callNames: new Map(),
      tell: (code, message) => warnings.push({ type: "warning", code, message }),
      length: 0,
      last: undefined,
      hasOwn: false,
      turn: undefined,
      history: {
        callIds: new Set(),
        warned,
        warnings,
        callsUnthought: false,
        prompt: (system) =>
          system === undefined ? converted.slice() : [{ role: "system", content: wellFormed(system) }, ...converted],
        dropData() {
          if (!state.hasOwn) return false;
          known.set(messages, begin(messages, stored, state.length, warned));
          return true;
        },
      },
    };
    known.set(messages, state);
    return state;
  };

  return (messages, stored) => {
    let state = known.get(messages);
    const changed =
      state !== undefined &&
      (state.length > messages.length || (state.length > 0 && messages[state.length - 1] !== state.last));
    if (state === undefined || changed || state.stored !== stored) {
      state = begin(messages, stored, changed ? 0 : (state?.bareUntil ?? 0), state?.history.warned ?? new Set());
    }
    for (let at = state.length; at < messages.length; at++) add(state, messages[at] as Message, at, modelId);
    flushImages(state);
    state.length = messages.length;
    state.last = messages[messages.length - 1];
    return state.history;
  };
}

function add(state: Converted, message: Message, index: number, modelId: string): void {
  if (message.role === "tool") {
    addResult(state, message, index);
    return;
  }
  flushImages(state);
  if (message.role === "user") addUser(state, userMessage(message, state.output, `messages[${index}]`, state.tell));
  else addReply(state, message, index, modelId);
}

const between: LanguageModelV4Message = {
  role: "assistant",
  content: [{ type: "text", text: "(The results are in.)" }],
};

function addUser({ messages, reply }: Converted, message: LanguageModelV4Message): void {
  if (reply.rules.repliesToResults && messages.at(-1)?.role === "tool") messages.push(between);
  messages.push(message);
}

function addReply(state: Converted, message: AssistantMessage, index: number, modelId: string): void {
  const { messages, history, reply } = state;
  const own = message.model === modelId && index >= state.bareUntil;
  const content = assistantParts(message, own, reply);
  let calls = false;
  for (const part of message.content) {
    if (part.type !== "tool_call") continue;
    calls = true;
    history.callIds.add(part.id);
    state.callNames.set(part.id, part.name);
  }
  const unthought = state.turn?.unthought ?? (!own && content[0]?.type !== "reasoning");
  state.turn = calls ? { unthought } : undefined;
  history.callsUnthought = calls && unthought;
  const hasData = content.some((part) => part.type === "reasoning" || part.providerOptions !== undefined);
  state.hasOwn ||= own && (hasData || (calls && reply.rules.thinksFirst === true));
  const last = messages.at(-1);
  if (content.length === 0) return;
  if (last?.role !== "assistant" || !reply.rules.joinsReplies) messages.push({ role: "assistant", content });
  else messages[messages.length - 1] = { role: "assistant", content: [...last.content, ...content] };
}

type ToolMessage = Extract<LanguageModelV4Message, { role: "tool" }>;

function addResult(state: Converted, message: ToolResultMessage, index: number): void {
  const { messages, reply } = state;
  const { output, behind } = toolOutput(message, state.output);
  if (behind.length > 0) state.images.push({ result: message, images: behind });
  const result: ToolMessage["content"][number] = {
    type: "tool-result",
    toolCallId: reply.ids(message.callId),
    toolName: reply.names.wire(nameOf(state, message)),
    output: output as Extract<ToolMessage["content"][number], { type: "tool-result" }>["output"],
  };
  const last = messages.at(-1);
  // Results of one batch belong in one message: some providers count the results of a turn.
  if (last?.role !== "tool") messages.push({ role: "tool", content: [result] });
  // The message before was converted in the same go, so no request holds it yet and it may still grow.
  else if (index > state.length) last.content.push(result);
  else messages[messages.length - 1] = { role: "tool", content: [...last.content, result] };
}

const nameOf = (state: Converted, { callId, toolName }: ToolResultMessage): string =>
  state.callNames.get(callId) ?? toolName;

/** Only behind the last result: nothing may stand between the results of a batch. */
function flushImages(state: Converted): void {
  if (state.images.length === 0) return;
  const { ids, names } = state.reply;
  const label = (result: ToolResultMessage) => `call ${ids(result.callId)} of ${names.wire(nameOf(state, result))}`;
  addUser(state, imagesMessage(state.images, label, state.output));
  state.images = [];
}
