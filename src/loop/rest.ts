import type { Outcome } from "./outcome.ts";
import type { LastReply } from "./state.ts";

/** How a run that comes to rest behind this reply has ended. */
export function restOutcome({ stop, hasText, judged }: LastReply): Outcome {
  if (stop === "length") return "length";
  if (!hasText) return "empty";
  return judged && !judged.valid ? "undecided" : "stop";
}
