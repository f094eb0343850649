import type { ModelEvent, ModelFailure } from "../model.ts";
import { askedAgain } from "./asked-again.ts";

/**
 * Streams a request, and once more without what the provider refuses. Signatures and encrypted reasoning can turn out
 * not to be accepted for reasons that nobody sees beforehand: another account, a key that was changed, a prefix that is
 * no longer the same. Without this such a history could never be continued. `dropData` is called when they are refused
 * before anything of a reply came; it says whether the next `ask` is another request.
 */
export function withoutRefusedData(
  ask: () => AsyncIterable<ModelEvent>,
  dropData: () => boolean,
): AsyncIterable<ModelEvent> {
  return askedAgain(ask, (error) => (refusesData(error) && dropData() ? warning(error) : undefined));
}

const warning = ({ message }: ModelFailure): ModelEvent => ({
  type: "warning",
  code: "reasoning_refused",
  message: `The provider did not take back the reasoning of earlier replies and is asked again without it. It said: ${message.slice(0, 200)}`,
});

/** What providers say of reasoning and of items that they do not take back; settings of thinking are another matter. */
const words = [
  /signature/i,
  /redacted_thinking|\bthinking[`'"]? blocks?\b/i,
  /encrypted[ _]content/i,
  /\bitem '?(?:with id )?'?(?:rs|msg|fc)_|of type '(?:reasoning|message|function_call)'|reasoning (?:input )?items?\b/i,
  // Some servers want none; others want it with every call, where leaving it out makes it worse.
  /reasoning_content(?!.*passed back)/is,
];

const refusesData = (error: ModelFailure): boolean =>
  error.kind === "invalid" && words.some((word) => word.test(error.message));
