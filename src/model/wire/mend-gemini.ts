import type { GrammarMender, WireEvent } from "./mend.ts";

/** Gemini's contents: calls come whole, so only errors can be amiss. */
export function mendGemini(): GrammarMender {
  return {
    event: () => undefined,
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
