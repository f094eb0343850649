import { hashOf } from "./seen-files.ts";

/** What was at a place when somebody was shown what a call would change there, by the call and the place. */
const shownFiles = new Map<string, string>();

/** Calls that are remembered; of more, the oldest are forgotten. */
const most = 1_000;

const keyOf = (callId: string, path: string) => JSON.stringify([callId, path]);
const lookOf = (bytes: Uint8Array | undefined) => (bytes === undefined ? "nothing" : hashOf(bytes));

/** Remembers what is at the place with this real path while somebody is asked about the call. */
export function rememberShown(callId: string, path: string, bytes: Uint8Array | undefined): void {
  const key = keyOf(callId, path);
  shownFiles.delete(key);
  shownFiles.set(key, lookOf(bytes));
  if (shownFiles.size > most) shownFiles.delete(shownFiles.keys().next().value!);
}

/** Throws if there is something else now than what was shown: a yes is for what was seen. Only once for each showing. */
export function checkShown(callId: string | undefined, path: string, bytes: Uint8Array | undefined, shown: string) {
  if (callId === undefined) return;
  const key = keyOf(callId, path);
  const before = shownFiles.get(key);
  shownFiles.delete(key);
  if (before !== undefined && before !== lookOf(bytes))
    throw new Error(
      `${shown} was changed by somebody else while the user was asked, so nothing was written. Read it again.`,
    );
}
