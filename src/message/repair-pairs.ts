import type { AssistantMessage, Message, ToolCall, ToolResultMessage } from "./message.ts";
import type { Note } from "./read-part.ts";

/** A message and where it stood in the history that was given. */
export type Entry<M extends Message = Message> = { readonly index: number; readonly message: M };

/** A call and the result that is its own, if there is one. */
export type Slot = { readonly call: ToolCall; result?: Entry<ToolResultMessage> };

type Early = Map<string, Entry<ToolResultMessage>[]>;

/**
 * Finds the result of every call, by the reply that the call is in. A result belongs to the last reply before it that
 * has a call of its id, and there to the first such call that has none: providers reuse ids in later turns. One that
 * stands before every call of its id belongs to a call later in the same turn that has none behind it, for writers that
 * record a result before its reply. The others are noted and belong to nobody.
 */
export function pairUp(entries: readonly Entry[], note: Note): ReadonlyMap<Entry, readonly Slot[]> {
  const batches = new Map<Entry, readonly Slot[]>();
  // The calls of each id in the last reply that has any, as far as they are open.
  const latest = new Map<string, Slot[]>();
  const promised = new Map<Slot, Entry<ToolResultMessage>>();
  let early: Early = new Map();
  const dropEarly = (): void => {
    for (const left of early.values()) for (const entry of left) drop(entry, note);
    early = new Map();
  };
  for (const entry of entries) {
    const { index, message } = entry;
    if (message.role === "assistant") batches.set(entry, openSlots(message, latest, early, promised));
    else if (message.role === "user") dropEarly();
    else answer({ index, message }, latest, early, note);
  }
  dropEarly();
  for (const [slot, entry] of promised) {
    if (slot.result === undefined) slot.result = entry;
    else drop(entry, note);
  }
  return batches;
}

function drop(entry: Entry<ToolResultMessage>, note: Note): void {
  note(`message ${entry.index}: result "${entry.message.callId}" of ${entry.message.toolName} dropped, it has no call`);
}

function openSlots(
  message: AssistantMessage,
  latest: Map<string, Slot[]>,
  early: Early,
  promised: Map<Slot, Entry<ToolResultMessage>>,
): readonly Slot[] {
  const slots: Slot[] = [];
  const own = new Map<string, Slot[]>();
  for (const call of message.content) {
    if (call.type !== "tool_call") continue;
    const slot: Slot = { call };
    slots.push(slot);
    const same = own.get(call.id);
    if (same === undefined) own.set(call.id, [slot]);
    else same.push(slot);
    const entry = early.get(call.id)?.shift();
    if (entry !== undefined) promised.set(slot, entry);
  }
  for (const [id, same] of own) latest.set(id, same);
  return slots;
}

function answer(entry: Entry<ToolResultMessage>, latest: Map<string, Slot[]>, early: Early, note: Note): void {
  const { callId } = entry.message;
  const slots = latest.get(callId);
  if (slots === undefined) {
    const waiting = early.get(callId);
    if (waiting === undefined) early.set(callId, [entry]);
    else waiting.push(entry);
    return;
  }
  const open = slots.shift();
  if (open !== undefined) open.result = entry;
  else note(`message ${entry.index}: another result for call "${callId}" dropped, the first is kept`);
}
