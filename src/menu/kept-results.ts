import { hash } from "node:crypto";
import { isRecord, own } from "./schema-types.ts";

/** The whole text of a result that was cut. */
export type KeptResult = { readonly text: string; readonly untrusted: boolean };

/** Characters of all results that one root run keeps, about as many bytes or twice that. */
export const mostKeptChars = 32 * 2 ** 20;

/** So many results that had to go are still known as such. */
const mostGone = 1_000;

/**
 * The results of a root run, and of the runs inside it, that were cut: outside of the history, for `read_result`. The
 * oldest go first when there are too many; all of them go with the run.
 */
export class KeptResults {
  readonly #most: number;
  readonly #texts = new Map<string, KeptResult>();
  readonly #gone = new Set<string>();
  #chars = 0;

  constructor(most = mostKeptChars) {
    this.#most = most;
  }

  /** Keeps a text under an id made of `key`; undefined for one that is too long to be kept at all. */
  keep(key: string, text: string, untrusted: boolean): string | undefined {
    if (text.length > this.#most) return undefined;
    // No number: that of another run would be found here, and be another result.
    const id = `result_${hash("sha256", key, "hex").slice(0, 10)}`;
    this.#drop(id);
    this.#gone.delete(id);
    this.#texts.set(id, { text, untrusted });
    this.#chars += text.length;
    while (this.#chars > this.#most) this.#drop(this.#texts.keys().next().value!);
    return id;
  }

  find(id: string): KeptResult | "gone" | undefined {
    return this.#texts.get(id) ?? (this.#gone.has(id) ? "gone" : undefined);
  }

  /** Those that are there, the newest first. */
  ids(): readonly string[] {
    return [...this.#texts.keys()].reverse();
  }

  #drop(id: string): void {
    const was = this.#texts.get(id);
    if (!was) return;
    this.#texts.delete(id);
    this.#chars -= was.text.length;
    this.#gone.add(id);
    if (this.#gone.size > mostGone) this.#gone.delete(this.#gone.values().next().value!);
  }
}

/** Whether a call of the tool that reads on reads what came from outside. */
export function readsUntrusted(kept: KeptResults, args: unknown): boolean {
  const id = isRecord(args) ? own(args, "id") : undefined;
  const found = typeof id === "string" ? kept.find(id) : undefined;
  return typeof found === "object" && found.untrusted;
}
