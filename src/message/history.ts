import type { AssistantMessage, Message, ToolCall, ToolResultMessage } from "./message.ts";
import { isPlainJson, maxJsonDepth } from "./plain-json.ts";

export type HistoryProblemCode =
  /** The first message is not the user's. */
  | "start"
  /** The history ends with a reply, which no provider can be asked about. */
  | "end"
  /** A call without a result directly behind its message. */
  | "unanswered"
  /** A result without a call in the message that it stands behind. */
  | "orphan"
  /** A second result for a call. */
  | "duplicate_result"
  /** A result out of the order of the calls. */
  | "order"
  /** An id that an earlier call has. */
  | "duplicate_id"
  | "empty_id"
  | "empty_name"
  /** A message with nothing in it. */
  | "empty"
  /** A lone surrogate somewhere in the message, or a value that is no plain JSON. */
  | "ill_formed";

/** What is wrong with a history: the message it is wrong in (from 0), and in words. */
export type HistoryProblem = { readonly index: number; readonly code: HistoryProblemCode; readonly text: string };

/** A message is a few levels deeper than the values in it. */
export const maxMessageDepth = maxJsonDepth + 8;

/**
 * What is wrong with an earlier history, as a caller hands it over or a store gives it back; nothing if it is valid:
 * it is empty or starts with a user message; the results of a reply's calls stand directly behind it, one per call, in
 * call order; ids of calls are unique and names are given; no message is empty (a reply with neither text, reasoning nor
 * calls is); all of it is plain JSON with well-formed text. It may end with a reply. The messages must have the shape
 * that their type says; `repairHistory` takes anything. One pass.
 */
export function checkHistory(messages: readonly Message[]): readonly HistoryProblem[] {
  const check: Check = { problems: [], ids: new Set(), batch: undefined };
  messages.forEach((message, index) => {
    if (index === 0 && message.role !== "user") {
      report(check, 0, "start", `a history starts with a user message, not with one of role "${message.role}"`);
    }
    if (message.role === "tool") checkResult(check, message, index);
    else closeBatch(check);
    if (message.role === "assistant") openBatch(check, message, index);
    if (isEmpty(message)) report(check, index, "empty", `the ${message.role} message has no content`);
    if (!isPlainJson(message, maxMessageDepth)) {
      report(check, index, "ill_formed", "the message holds a lone surrogate or a value that is no plain JSON");
    }
  });
  closeBatch(check);
  return check.problems;
}

/**
 * What is wrong with a history that a provider is to be asked about: as {@link checkHistory}, and it is not empty and
 * ends with a user message or tool results, or with a reply whose stop reason is `pause`.
 */
export function checkRequest(messages: readonly Message[]): readonly HistoryProblem[] {
  const problems = checkHistory(messages);
  const last = messages.at(-1);
  if (last === undefined) return [...problems, { index: 0, code: "start", text: "there is no message" }];
  if (last.role !== "assistant" || last.stopReason === "pause") return problems;
  const text = "a request ends with a user message or tool results, not with a reply";
  return [...problems, { index: messages.length - 1, code: "end", text }];
}

/** True for a message with nothing in it that a provider would take. */
export function isEmpty(message: Message): boolean {
  const { content } = message;
  if (typeof content === "string") return content === "";
  for (const part of content) {
    if (part.type === "text" ? part.text !== "" : part.type !== "reasoning") return false;
    // Reasoning may be hidden, and is then data of the provider alone.
    if (part.type === "reasoning" && (part.text !== "" || part.providerData !== undefined)) return false;
  }
  return true;
}

/** The calls of the reply last seen, and how far their results have come. */
type Batch = {
  readonly index: number;
  readonly calls: readonly ToolCall[];
  readonly answered: Set<ToolCall>;
  results: number;
  /** Made when a result is not the next one: the calls of each id, last first. */
  byId?: ReadonlyMap<string, ToolCall[]>;
};

type Check = { readonly problems: HistoryProblem[]; readonly ids: Set<string>; batch: Batch | undefined };

function report(check: Check, index: number, code: HistoryProblemCode, text: string): void {
  check.problems.push({ index, code, text });
}

function openBatch(check: Check, message: AssistantMessage, index: number): void {
  const calls: ToolCall[] = [];
  for (const part of message.content) {
    if (part.type !== "tool_call") continue;
    calls.push(part);
    if (part.name === "") report(check, index, "empty_name", `call "${part.id}" has no name`);
    if (part.id === "") report(check, index, "empty_id", `a call of "${part.name}" has no id`);
    else if (check.ids.has(part.id)) report(check, index, "duplicate_id", `id "${part.id}" has an earlier call`);
    check.ids.add(part.id);
  }
  if (calls.length > 0) check.batch = { index, calls, answered: new Set(), results: 0 };
}

function checkResult(check: Check, message: ToolResultMessage, index: number): void {
  if (message.toolName === "") report(check, index, "empty_name", `result "${message.callId}" has no tool name`);
  const { batch } = check;
  const next = batch?.calls[batch.results];
  if (batch !== undefined && next?.id === message.callId && !batch.answered.has(next)) {
    batch.results++;
    batch.answered.add(next);
    return;
  }
  const calls = batch === undefined ? undefined : callsOfId(batch, message.callId);
  const open = calls?.at(-1);
  if (batch === undefined || calls === undefined) {
    report(check, index, "orphan", `result "${message.callId}" has no call in the reply before it`);
  } else if (open === undefined) {
    report(check, index, "duplicate_result", `call "${message.callId}" has a result already`);
  } else {
    batch.results++;
    batch.answered.add(open);
    report(check, index, "order", `result "${message.callId}" is not in the order of the calls`);
  }
}

/** The calls of an id that have no result yet, last first; undefined if no call has that id. */
function callsOfId(batch: Batch, id: string): readonly ToolCall[] | undefined {
  batch.byId ??= groupById(batch.calls);
  const calls = batch.byId.get(id);
  for (let last = calls?.at(-1); last !== undefined && batch.answered.has(last); last = calls?.at(-1)) calls?.pop();
  return calls;
}

function groupById(calls: readonly ToolCall[]): ReadonlyMap<string, ToolCall[]> {
  const groups = new Map<string, ToolCall[]>();
  for (const call of calls.toReversed()) {
    const group = groups.get(call.id);
    if (group === undefined) groups.set(call.id, [call]);
    else group.push(call);
  }
  return groups;
}

function closeBatch(check: Check): void {
  const { batch } = check;
  check.batch = undefined;
  for (const call of batch?.calls ?? []) {
    if (batch?.answered.has(call)) continue;
    report(check, batch?.index ?? 0, "unanswered", `call "${call.id}" of "${call.name}" has no result behind it`);
  }
}
