import type { ModelEvent, ModelFailure } from "../model.ts";

/**
 * Streams a request, and once more when it was refused before anything of a reply came and `mended` says what was changed so that
 * the next `ask` is another request.
 *
 * An iterator by hand: once content flows it hands on the promises of `ask`, so a delta costs nothing here.
 */
export function askedAgain(
  ask: () => AsyncIterable<ModelEvent>,
  mended: (error: ModelFailure) => ModelEvent | undefined,
): AsyncIterable<ModelEvent> {
  return { [Symbol.asyncIterator]: () => asking(ask, mended) };
}

function asking(
  ask: () => AsyncIterable<ModelEvent>,
  mended: (error: ModelFailure) => ModelEvent | undefined,
): AsyncIterator<ModelEvent> {
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
    const { value } = step;
    const told = value.type === "end" && value.error !== undefined ? mended(value.error) : undefined;
    if (told !== undefined) {
      again = true;
      await inner.return?.();
      return { done: false, value: told };
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
