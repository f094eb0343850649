import type { GrammarMender, WireEvent } from "./mend.ts";
import { textId, withTextId } from "./text-id.ts";

type Item = WireEvent & { readonly id?: unknown; readonly type?: unknown; readonly call_id?: unknown };

/** OpenAI's Responses. A call counts when its item is done, which says its arguments whole. */
export function mendResponses(): GrammarMender {
  const open = new Set<number>();
  /** What was begun: some servers, and what stands in front of them, send an event twice. */
  const begun = new Set<unknown>();
  /** Some servers give every item the same place: then the later one has another, found by its id. */
  const moved = new Map<unknown, number>();
  const done = new Set<unknown>();

  /** Calls of the final response whose items were never said to be done. */
  const missing = (response: WireEvent): WireEvent[] => {
    const output = Array.isArray(response.output) ? (response.output as Item[]).map(withReadableIds) : [];
    return output
      .filter((item) => item.type === "function_call" && typeof item.arguments === "string" && !done.has(item.call_id))
      .map((item) => ({ type: "response.output_item.done", output_index: output.indexOf(item), item }));
  };

  return {
    event(sent) {
      const item = sent.item === undefined ? undefined : withReadableIds(sent.item as Item);
      const event = item === sent.item ? sent : { ...sent, item };
      if (event.type === "response.completed") {
        const calls = missing(event.response as WireEvent);
        return calls.length === 0 ? undefined : [...calls, event];
      }
      const index = event.output_index;
      const same = event === sent ? undefined : [event];
      if (typeof index !== "number") return same;
      if (event.type === "response.output_item.added") {
        const name = !item?.id ? undefined : `${item.id} ${item.call_id}`;
        if (name !== undefined && begun.has(name)) return [];
        if (name !== undefined) begun.add(name);
        if (open.has(index)) moved.set(item?.id, Math.max(...open) + 1);
        open.add(moved.get(item?.id) ?? index);
      }
      const place = moved.size === 0 ? index : (moved.get(item?.id ?? event.item_id) ?? index);
      if (event.type === "response.output_item.done") {
        done.add(item?.call_id);
        open.delete(place);
      }
      return place === index ? same : [{ ...event, output_index: place }];
    },
    error({ message, type, code }, event) {
      if (event.type === "error" && typeof event.sequence_number === "number" && typeof event.message === "string")
        return undefined;
      // There is place for one of them: a limit of the account is told by its name alone.
      const limit = type !== undefined && /quota|billing/i.test(type) ? type : undefined;
      const told = String(limit ?? code ?? type ?? "server_error");
      return { type: "error", sequence_number: 0, code: told, message, param: null };
    },
  };
}

/** A call is known by its `call_id`; without one it is by the id of its item. */
function withReadableIds(item: Item): Item {
  if (item.type !== "function_call") return item;
  return withTextId(withTextId(item, "call_id", textId(item.id)), "id");
}
