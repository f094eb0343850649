import type { Model } from "./model.ts";

/**
 * A model that is loaded when it is first asked. What `load` rejects with, the first `next` of the stream rejects with,
 * and the next request tries again.
 */
export function lazyModel(id: string, load: () => Promise<Model>): Model {
  let model: Model | undefined;
  return {
    id,
    stream(request, signal) {
      if (model !== undefined) return model.stream(request, signal);
      return (async function* first() {
        model ??= await load();
        yield* model.stream(request, signal);
      })();
    },
  };
}
