import type { ModelEvent, ModelFailure } from "../model.ts";

/**
 * Streams a request, and once more without what the provider refuses. Signatures and encrypted reasoning can turn out
 * not to be accepted for reasons that nobody sees beforehand: another account, a key that was changed, a prefix that is
 * no longer the same. Without this such a history could never be continued. `dropData` is called when they are refused
 * before anything of a reply came; it says whether the next `ask` is another request.
 *
 * An iterator by hand: once content flows it hands on the promises of `ask`, so a delta costs nothing here.
 */
export function withoutRefusedData(
  ask: () => AsyncIterable<ModelEvent>,
  dropData: () => boolean,
): AsyncIterable<ModelEvent> {
  return { [Symbol.asyncIterator]: () => asking(ask, dropData) };
}

function asking(ask: () => AsyncIterable<ModelEvent>, dropData: () => boolean): AsyncIterator<ModelEvent> {
  let inner = ask()[Symbol.asyncIterator]();
  let settled = false;
  let again = false;

  const beforeContent = async (): Promise<IteratorResult<ModelEvent>> => {
    if (again) {
      settled = true;
      inner = ask()[Symbol.asyncIterator]();
      return inner.next();
    }
    const step = await inner.next();
    if (step.done || step.value.type === "warning" || step.value.type === "retry") return step;
    if (step.value.type === "end" && refusesData(step.value.error) && dropData()) {
      again = true;
      await inner.return?.();
      return { done: false, value: warning(step.value.error as ModelFailure) };
    }
    settled = true;
    return step;
  };

  return {
    next: () => (settled ? inner.next() : beforeContent()),
    async return() {
      settled = true;
      again = false;
      await inner.return?.();
      return { done: true, value: undefined };
    },
  };
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

const refusesData = (error: ModelFailure | undefined): boolean =>
  error?.kind === "invalid" && words.some((word) => word.test(error.message));
