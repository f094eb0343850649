import { canonicalArguments, type Json, type JsonObject } from "../message/json.ts";
import type { CallOutcome } from "./call.ts";
import type { ToolContext } from "./context.ts";
import type { MenuTool } from "./entry.ts";
import { isRecord } from "./schema-types.ts";

/** So many results of a runtime are remembered, so many characters of them, and none that is longer than so many. */
const mostEntries = 500;
const mostChars = 2 ** 24;
const longest = 2 ** 20;

type Entry = { readonly text: string; readonly until: number };

/**
 * The results of tools with `cacheMs`, for a while; of more than fit, those not used for longest go. They are held as
 * text: so what is made of one is nobody else's.
 */
export class ResultCache {
  readonly #entries = new Map<string, Entry>();
  #chars = 0;

  /** The result for a key, while it is fresh. */
  get(key: string): CallOutcome | undefined {
    const found = this.#entries.get(key);
    if (!found) return undefined;
    this.#drop(key, found);
    if (performance.now() >= found.until) return undefined;
    this.#add(key, found);
    const { content, details } = JSON.parse(found.text) as Pick<CallOutcome, "content" | "details">;
    return { content, isError: false, details: cached(details) };
  }

  /** Remembers a result for so many milliseconds, unless it is too long (images count too). */
  put(key: string, { content, details }: CallOutcome, ms: number): void {
    const text = JSON.stringify({ content, details });
    const old = this.#entries.get(key);
    if (old) this.#drop(key, old);
    if (text.length > longest) return;
    this.#add(key, { text, until: performance.now() + ms });
    for (const [oldest, entry] of this.#entries) {
      if (this.#entries.size <= mostEntries && this.#chars <= mostChars) return;
      this.#drop(oldest, entry);
    }
  }

  #add(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#chars += key.length + entry.text.length;
  }

  #drop(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#chars -= key.length + entry.text.length;
  }
}

/** Says in the details of a result, where there is room for it, that nothing was run. */
function cached(details: Json | undefined): Json {
  if (details === undefined) return { cached: true };
  return isRecord(details) ? { ...(details as JsonObject), cached: true } : details;
}

const numbers = new WeakMap<object, number>();
let last = 0;

/** The same for equal calls of the very same tool that reach the same files. `raw`: the arguments that it runs with. */
export function cacheKey({ source }: MenuTool, raw: string, { runtime }: Pick<ToolContext, "runtime">): string {
  const number = numbers.get(source) ?? ++last;
  numbers.set(source, number);
  const { workspace, allowSecrets, allowUnsafePaths } = runtime;
  return JSON.stringify([number, workspace, allowSecrets, allowUnsafePaths, canonicalArguments(raw)]);
}
