import { currentScope } from "../agent/scope.ts";
import { hashOf } from "./seen-files.ts";

/** What somebody was shown: the file with this real path, and what was in it. */
type Shown = { readonly real: string; readonly look: string };

/** A call that writes: its run, its id there, and the path as the call gives it. */
export type ShownCall = { readonly run: object | undefined; readonly callId: string; readonly given: string };

/** What was shown of calls that wait for an answer, by run. */
const shownFiles = new WeakMap<object, Map<string, Shown>>();

/** Stands for the run of calls that are in none. */
const noRun = {};

/** Calls that are remembered of a run; of more, the oldest are forgotten. */
const most = 1_000;

const keyOf = ({ callId, given }: ShownCall) => JSON.stringify([callId, given]);
const lookOf = (bytes: Uint8Array | undefined) => (bytes === undefined ? "nothing" : hashOf(bytes));

/** Remembers where the call leads, and what is there, while somebody is asked about it. */
export function rememberShown(call: ShownCall, real: string, bytes: Uint8Array | undefined): void {
  const run = call.run ?? noRun;
  const calls = shownFiles.get(run) ?? new Map<string, Shown>();
  shownFiles.set(run, calls);
  const key = keyOf(call);
  calls.delete(key);
  calls.set(key, { real, look: lookOf(bytes) });
  if (calls.size > most) calls.delete(calls.keys().next().value!);
}

/** Throws if the call that runs leads to something else than what was shown: a yes is for that. Only once for each showing. */
export function checkShown(
  callId: string | undefined,
  given: string,
  real: string,
  bytes: Uint8Array | undefined,
  shown: string,
): void {
  if (callId === undefined) return;
  const run = currentScope()?.run;
  const calls = shownFiles.get(run ?? noRun);
  const key = keyOf({ run, callId, given });
  const before = calls?.get(key);
  calls?.delete(key);
  if (before !== undefined && (before.real !== real || before.look !== lookOf(bytes)))
    throw new Error(
      `${shown} was changed by somebody else while the user was asked, so nothing was written. Read it again.`,
    );
}
