import type { Json } from "./json.ts";
import { tailOf } from "./pairs.ts";
import { plainJson } from "./plain-json.ts";
import { thrownText } from "./thrown-text.ts";
import { wellFormed } from "./well-formed.ts";

/** Longest update in characters: of a longer text the end stays, of other values what fits. */
export const maxProgressChars = 20_000;

/** Progress of a tool as it is now, as plain JSON of bounded size. What is none is told in words; never throws. */
export function progressJson(progress: unknown): Json {
  if (typeof progress === "string")
    return wellFormed(progress.length > maxProgressChars ? shortened(progress) : progress);
  try {
    if (typeof progress === "function" || typeof progress === "symbol")
      return `[a ${typeof progress}, which is no JSON]`;
    return plainJson(progress, undefined, maxProgressChars) ?? null;
  } catch (thrown) {
    return `[cannot be read: ${thrownText(thrown) || "it threw"}]`;
  }
}

function shortened(text: string): string {
  const tail = tailOf(text, text.length - maxProgressChars);
  return `[${text.length - tail.length} characters left out]\n${tail}`;
}
