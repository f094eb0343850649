import type { Model } from "./model.ts";

/**
 * A model that is loaded when it is first asked. What `load` rejects with, the first `next` of the stream rejects with,
 * and the next request tries again. `supports` is what is known of it before.
 */
export function lazyModel(id: string, load: () => Promise<Model>, supports?: Model["supports"]): Model {
  let model: Model | undefined;
  return {
    id,
    ...(supports === undefined ? undefined : { supports }),
    stream(request, signal) {
      if (model !== undefined) return model.stream(request, signal);
      return (async function* first() {
        model ??= await load();
        yield* model.stream(request, signal);
      })();
    },
  };
}
