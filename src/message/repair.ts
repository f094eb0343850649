import { RondoError } from "../error.ts";
import { checkHistory, isEmpty } from "./history.ts";
import type { AssistantMessage, Message, ToolResultContent, ToolResultMessage } from "./message.ts";
import { noContent } from "./normalise.ts";
import { invalidHistory, readMessage } from "./read-message.ts";
import type { Note } from "./read-part.ts";
import { type IdSource, idSource } from "./repair-ids.ts";
import { type Entry, pairUp, type Slot } from "./repair-pairs.ts";

/** The name of a call that came without one. */
export const unnamedTool = "unnamed_tool";

/** A history that is valid, and what was done to it, in words. */
export type RepairedHistory = { readonly messages: readonly Message[]; readonly repairs: readonly string[] };

/**
 * Makes a valid history (see `checkHistory`) of one that may come from anywhere, such as a file that a crash cut short.
 * The very same array comes back when nothing had to be done; a second repair never finds anything. No call is lost:
 *
 * - a call without a result gets an error result that says that its outcome is unknown;
 * - results are moved directly behind their reply, in call order; results without a call, and second ones, are dropped;
 * - empty and reused ids are replaced, in the call and its result; a call without a name is called `unnamed_tool`;
 * - empty messages are dropped, empty results say so; lone surrogates become U+FFFD;
 * - fields that a message lacks are filled in; content given as text becomes a text part.
 *
 * Calls whose arguments are partial keep them and their flag.
 *
 * @throws RondoError `invalid_history`, naming the message: it is no array, an item is no message, or the first message
 *   left is not the user's
 */
export function repairHistory(messages: readonly Message[]): RepairedHistory {
  if (!Array.isArray(messages)) {
    throw new RondoError("invalid_history", "The history cannot be used: expected an array of messages.");
  }
  const repairs: string[] = [];
  const note: Note = (repair) => repairs.push(repair);
  const read = Array.from(messages as readonly unknown[], (item, index) => readMessage(item, index, note));
  if (repairs.length === 0 && checkHistory(read).length === 0) return { messages, repairs };
  const entries = withoutEmpty(read, note);
  const batches = pairUp(entries, note);
  const repaired = rebuild(entries, batches, note);
  const first = repaired[0];
  if (first !== undefined && first.role !== "user") {
    const index = entries.find((entry) => entry.message.role !== "tool")?.index ?? 0;
    throw invalidHistory(index, `comes first and has role "${first.role}"; a history starts with a user message`);
  }
  return { messages: repaired, repairs };
}

function withoutEmpty(messages: readonly Message[], note: Note): readonly Entry[] {
  const entries: Entry[] = [];
  for (const [index, message] of messages.entries()) {
    if (!isEmpty(message)) {
      entries.push({ index, message });
    } else if (message.role === "tool") {
      note(`message ${index}: the result was empty`);
      const content: readonly ToolResultContent[] = [{ type: "text", text: noContent }];
      entries.push({ index, message: { ...message, content } });
    } else note(`message ${index}: empty ${message.role} message dropped`);
  }
  return entries;
}

function rebuild(entries: readonly Entry[], batches: ReadonlyMap<Entry, readonly Slot[]>, note: Note): Message[] {
  const ids = idSource([...batches.values()].flatMap((slots) => slots.map((slot) => slot.call.id)));
  const repaired: Message[] = [];
  for (const [at, entry] of entries.entries()) {
    const { index, message } = entry;
    if (message.role === "user") repaired.push(message);
    if (message.role !== "assistant") continue;
    const slots = batches.get(entry) ?? [];
    const named = slots.map((slot) => nameCall(slot, ids, index, note));
    repaired.push(withCalls(message, named), ...named.map((slot) => resultOf(slot, index, note)));
    if (isMoved(slots, entries, at)) note(`message ${index}: results moved directly behind it, in call order`);
  }
  return repaired;
}

/** The slot with a call that has an id of its own and a name. */
function nameCall(slot: Slot, ids: IdSource, index: number, note: Note): Slot {
  const { call } = slot;
  const id = ids.take(call.id);
  const name = call.name === "" ? unnamedTool : call.name;
  if (id !== call.id) note(`message ${index}: call of ${name} had the id "${call.id}", now "${id}"`);
  if (name !== call.name) note(`message ${index}: call "${id}" had no name, now "${name}"`);
  return id === call.id && name === call.name ? slot : { ...slot, call: { ...call, id, name } };
}

function withCalls(message: AssistantMessage, slots: readonly Slot[]): AssistantMessage {
  const calls = slots.values();
  let changed = false;
  const content = message.content.map((part) => {
    const call = part.type === "tool_call" ? (calls.next().value?.call ?? part) : part;
    if (call !== part) changed = true;
    return call;
  });
  return changed ? { ...message, content } : message;
}

function resultOf({ call, result }: Slot, index: number, note: Note): ToolResultMessage {
  if (result === undefined) {
    note(`message ${index}: call "${call.id}" of ${call.name} had no result`);
    const text = call.partial
      ? "This call was not run: the reply was cut inside its arguments."
      : "No result was recorded for this call. Its outcome is unknown: it may have run, in whole or in part.";
    const content: readonly ToolResultContent[] = [{ type: "text", text }];
    return { role: "tool", callId: call.id, toolName: call.name, content, isError: true };
  }
  const { message } = result;
  const toolName = message.toolName === "" ? call.name : message.toolName;
  if (toolName !== message.toolName) note(`message ${result.index}: the result had no tool name`);
  if (message.callId === call.id && toolName === message.toolName) return message;
  return { ...message, callId: call.id, toolName };
}

/** True unless the results stand directly behind their reply, in the order of its calls. */
function isMoved(slots: readonly Slot[], entries: readonly Entry[], at: number): boolean {
  const results = slots.flatMap((slot) => slot.result ?? []);
  return results.some((result, offset) => entries[at + 1 + offset]?.index !== result.index);
}
