import type { GrammarMender, WireEvent } from "./mend.ts";
import { withTextId } from "./text-id.ts";

/** Gemini's contents: calls come whole, so only their ids and errors can be amiss. */
export function mendGemini(): GrammarMender {
  return {
    event(event) {
      const [one, ...others] = (event.candidates ?? []) as Candidate[];
      const parts = one?.content?.parts;
      if (!Array.isArray(parts)) return undefined;
      const mended = parts.map(withReadableId);
      if (mended.every((part, at) => part === parts[at])) return undefined;
      return [{ ...event, candidates: [{ ...one, content: { ...one?.content, parts: mended } }, ...others] }];
    },
    error({ message, type, code }, { error }) {
      const given = error as WireEvent | undefined;
      const isOne =
        typeof given?.message === "string" && typeof given.status === "string" && typeof given.code === "number";
      if (isOne) return undefined;
      const status = type ?? (typeof code === "string" ? code : "UNKNOWN");
      return { error: { code: typeof code === "number" ? code : 500, message, status } };
    },
  };
}

type Candidate = { readonly content?: { readonly parts?: unknown } } | undefined;
type Part = { readonly functionCall?: WireEvent };

/** No id is none, but one that is no text makes the whole event unreadable. */
function withReadableId(part: Part): Part {
  const call = part?.functionCall;
  if (call?.id === undefined || call.id === null) return part;
  const functionCall = withTextId(call, "id");
  return functionCall === call ? part : { ...part, functionCall };
}
