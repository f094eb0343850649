import type { GrammarMender, WireEvent } from "./mend.ts";
import { lostPiece, movedPiece, type WireNotes } from "./notes.ts";
import { withTextId } from "./text-id.ts";

/** Events of other types are to be left out, says the provider: the package would take them for broken. */
const known = new Set([
  "ping",
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
]);

/** A block under the index that it goes on with. */
type Block = { readonly index: number; readonly isCall: boolean; readonly content: WireEvent };

/** Anthropic's messages. */
export function mendAnthropic(notes: WireNotes): GrammarMender {
  /** The newest block of each index that the server gives. */
  const open = new Map<number, Block>();
  const taken = new Set<number>();
  let next = 0;
  let reason = false;
  let stopped = false;

  const stops = (): WireEvent[] => {
    const missing = [...open.values()].map(stopOf);
    open.clear();
    return missing;
  };

  /** Another block under the index of one that is open ends that one; no two blocks go on under one index. */
  const starts = (sent: WireEvent, given: number): readonly WireEvent[] | undefined => {
    const block = sent.content_block as WireEvent;
    const content = block.type === "tool_use" ? withTextId(block, "id") : block;
    const event = content === block ? sent : { ...sent, content_block: content };
    const before = open.get(given);
    if (before !== undefined && isSameBlock(before.content, content)) return [];
    const index = taken.has(given) ? next : given;
    taken.add(index);
    if (Number.isSafeInteger(index)) next = Math.max(next, index + 1);
    open.set(given, { index, isCall: content.type === "tool_use", content });
    const start = moved(event, index) ?? (event === sent ? undefined : [event]);
    return before === undefined ? start : [stopOf(before), ...(start ?? [event])];
  };

  /** Where a piece of arguments goes whose index is of no open call. */
  const placed = (event: WireEvent): readonly WireEvent[] => {
    const calls = [...open.values()].filter((block) => block.isCall);
    const [only] = calls;
    if (only === undefined || calls.length > 1) {
      lostPiece(notes);
      return [];
    }
    movedPiece(notes, event.index, only.index);
    return [{ ...event, index: only.index }];
  };

  return {
    event(event) {
      const index = event.index as number;
      switch (event.type) {
        case "content_block_start":
          return starts(event, index);
        case "content_block_delta": {
          const block = open.get(index);
          if (block !== undefined) return moved(event, block.index);
          const delta = event.delta as WireEvent;
          return delta.type === "input_json_delta" && delta.partial_json !== "" ? placed(event) : undefined;
        }
        case "content_block_stop": {
          const block = open.get(index);
          open.delete(index);
          return block && moved(event, block.index);
        }
        case "message_delta":
          reason ||= Boolean((event.delta as WireEvent).stop_reason);
          return event.usage ? undefined : [{ ...event, usage: { output_tokens: 0 } }];
        case "message_stop": {
          stopped = true;
          const missing = stops();
          return missing.length === 0 ? undefined : [...missing, event];
        }
        default:
          return known.has(event.type as string) ? undefined : [];
      }
    },
    error({ message, type, code }, { type: own, error }) {
      const given = error as WireEvent | undefined;
      if (own === "error" && typeof given?.type === "string" && typeof given.message === "string") return undefined;
      return { type: "error", error: { type: type ?? String(code ?? "api_error"), message } };
    },
    /** What a reply stopped for is known before its last event. */
    end: () => (reason && !stopped ? [...stops(), { type: "message_stop" }] : []),
  };
}

const stopOf = ({ index }: Block): WireEvent => ({ type: "content_block_stop", index });

/** Undefined for what is at its place. */
const moved = (event: WireEvent, index: number): readonly WireEvent[] | undefined =>
  event.index === index ? undefined : [{ ...event, index }];

/** Whether a block is begun once more. */
const isSameBlock = (before: WireEvent, block: WireEvent): boolean =>
  before.type === block.type && before.id === block.id && before.name === block.name;
