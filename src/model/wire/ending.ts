import type { WireEvent } from "./mend.ts";

/** Whether a stream is over with what came: `now`, or when no more comes behind a reason to finish. */
export type Over = "now" | "soon" | undefined;

const last = new Set<unknown>(["response.completed", "response.incomplete", "response.failed", "message_stop"]);

/** Anthropic's pieces of a reply. */
const blocks = new Set<unknown>(["content_block_start", "content_block_delta"]);

/**
 * Looks for the end of a reply, event by event. Servers and what stands in front of them may keep the connection open behind it, so
 * the end of the bytes is not waited for.
 */
export function endWatch(): { readonly over: () => Over; saw(event: WireEvent): void; end(): void } {
  let over: Over;
  /** The reasons of this stream do not stand at its end: some servers say one in every event. */
  let early = false;

  const anthropic = ({ type, delta }: WireEvent): void => {
    if (type === "message_delta") {
      if ((delta as WireEvent | undefined)?.stop_reason) over = "soon";
    } else if (over === "soon") {
      early = true;
      over = undefined;
    }
  };

  return {
    over: () => over,
    saw(event) {
      if (last.has(event.type)) over = "now";
      if (over === "now" || early) return;
      if (event.type === "message_delta" || blocks.has(event.type)) return anthropic(event);
      const [one] = (event.choices ?? event.candidates ?? []) as (WireEvent | undefined)[];
      if (!one) return;
      if (over === "soon" && says(one)) {
        early = true;
        over = undefined;
      } else if (reasonOf(one)) over = "soon";
    },
    end() {
      over = "now";
    },
  };
}

const reasonOf = (one: WireEvent): boolean => {
  const reason = one.finish_reason ?? one.finishReason;
  return typeof reason === "string" && reason !== "";
};

const contents = ["content", "tool_calls", "reasoning", "reasoning_content"];

/** Whether a choice or candidate holds a piece of the reply. */
function says({ delta, content }: WireEvent): boolean {
  const pieces = delta as WireEvent | undefined | null;
  if (pieces && contents.some((name) => (pieces[name] as { length?: number } | null | undefined)?.length)) return true;
  const parts = (content as WireEvent | undefined | null)?.parts;
  return Array.isArray(parts) && parts.some((part: WireEvent | null) => part?.text !== "");
}
