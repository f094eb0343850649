import type { GrammarMender, WireEvent } from "./mend.ts";
import { lostPiece, movedPiece, type WireNotes } from "./notes.ts";

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

type Block = { readonly index: number; readonly isCall: boolean };

/** Anthropic's messages. */
export function mendAnthropic(notes: WireNotes): GrammarMender {
  const open = new Map<number, Block>();
  let reason = false;
  let stopped = false;

  const stops = (): WireEvent[] => {
    const missing = [...open.keys()].map((index) => ({ type: "content_block_stop", index }));
    open.clear();
    return missing;
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
          // Begun once more.
          if (open.has(index)) return [];
          open.set(index, { index, isCall: (event.content_block as WireEvent).type === "tool_use" });
          return undefined;
        case "content_block_delta": {
          const isPiece = (event.delta as WireEvent).type === "input_json_delta";
          const isAstray = isPiece && !open.has(index) && (event.delta as WireEvent).partial_json !== "";
          return isAstray ? placed(event) : undefined;
        }
        case "content_block_stop":
          open.delete(index);
          return undefined;
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
