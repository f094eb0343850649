import { lostPiece, movedPiece, type WireNotes } from "../wire/notes.ts";
import type { CallTracker } from "./call-tracker.ts";
import type { AiSdkPart, LanguageModel } from "./language-model.ts";

/** Looks at the parts of one stream beside the package's own reading of it. */
export type BlockWatch = { saw(part: AiSdkPart): void };

type Fields = { readonly [field: string]: unknown };

/**
 * For Bedrock, whose frames its package alone reads: it drops a piece of arguments under an index that no call has, so that a call
 * whose pieces all came so would run with none. The events themselves, which it gives beside its parts, tell of such a piece: it is
 * taken for that of the only open call; with none or several open the reply lacks it. Undefined for other providers.
 */
export function blockWatch(model: LanguageModel, calls: CallTracker, notes: WireNotes): BlockWatch | undefined {
  if (!/^amazon-bedrock/.test(model.provider)) return undefined;
  /** The open calls: the index of each and the id under which its parts come. */
  const open = new Map<number, string | undefined>();
  let begun: number | undefined;

  const piece = (index: unknown, input: string) => {
    if (open.has(index as number)) return;
    const [only] = open;
    if (open.size !== 1 || only?.[1] === undefined) return lostPiece(notes);
    movedPiece(notes, index, only[0]);
    calls.delta(only[1], input);
  };

  const event = ({ contentBlockStart, contentBlockDelta, contentBlockStop }: Fields) => {
    const start = record(contentBlockStart);
    if (typeof start?.contentBlockIndex === "number" && record(record(start.start)?.toolUse) !== undefined) {
      begun = start.contentBlockIndex;
      open.set(begun, undefined);
    }
    const delta = record(contentBlockDelta);
    const input = record(record(delta?.delta)?.toolUse)?.input;
    if (delta !== undefined && typeof input === "string" && input !== "") piece(delta.contentBlockIndex, input);
    const stop = record(contentBlockStop);
    if (stop !== undefined) open.delete(stop.contentBlockIndex as number);
  };

  return {
    saw(part) {
      if (part.type === "raw") event(record(part.rawValue) ?? {});
      else if (part.type === "tool-input-start" && begun !== undefined) {
        open.set(begun, part.id);
        begun = undefined;
      }
    },
  };
}

const record = (value: unknown): Fields | undefined =>
  typeof value === "object" && value !== null ? (value as Fields) : undefined;
