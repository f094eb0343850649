import type { Awaitable, Lost, Recorded } from "../host/host.ts";
import type { MenuTool } from "../menu/entry.ts";
import { readsUntrusted } from "../menu/kept-results.ts";
import { isPager } from "../menu/pager.ts";
import type { LoopRun } from "./run.ts";

/** Whether the result of a call with these arguments stands between markers. */
export function isMarked(run: LoopRun, { untrusted, source }: MenuTool, value: unknown): boolean {
  if (untrusted || !run.environment.pages) return untrusted;
  return isPager(source) && readsUntrusted(run.input.ambient.kept(), value);
}

/**
 * The word in the markers around untrusted results of a run: 80 random bits, the same for the whole run. It is a step of
 * its own, begun when the first untrusted call is, so that a run that is resumed marks as before. It is not made of the
 * run's id: idempotency keys carry that to the very services whose answers are marked.
 */
export function wordOf(run: LoopRun): Awaitable<string> {
  run.word ??= recorded(run);
  return run.word;
}

function recorded(run: LoopRun): Awaitable<string> {
  const step = run.input.open.host.step<string>(`${run.key}/word`, { onLost: "rerun" }, randomWord);
  return step instanceof Promise ? step.then((ended) => keep(run, ended)) : keep(run, step);
}

function keep(run: LoopRun, ended: Recorded<string> | Lost): string {
  // A host that has given up on so small a step still needs a word for the results to come.
  const word = "value" in ended ? ended.value : randomWord();
  run.word = word;
  return word;
}

function randomWord(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
