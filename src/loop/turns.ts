import { setImmediate } from "node:timers";

/** How long runs may go on, in milliseconds, while the event loop does not turn. */
const longestMs = 40;

/** Since when a turn of the event loop is waited for; undefined: by nobody. */
let since: number | undefined;
let due: Promise<void> | undefined;
let release: (() => void) | undefined;

/**
 * To be called before a model is asked or a tool is run: resolves when the event loop has turned, and is undefined where there is no need
 * to wait. Models and tools that wait for nothing but each other never let it turn by themselves: no timer would fire
 * then, no signal arrive, no server answer. All runs share one look-out, so that however many there are they wait once.
 */
export function turnDue(): Promise<void> | undefined {
  const now = Date.now();
  if (since === undefined) {
    since = now;
    setImmediate(turned);
    return undefined;
  }
  // A clock that was set back starts anew.
  if (now < since) since = now;
  if (now - since < longestMs) return undefined;
  due ??= new Promise((resolve) => {
    release = resolve;
  });
  return due;
}

function turned(): void {
  // It may have been half a turn, without the timers.
  if (due) setImmediate(wholly);
  else since = undefined;
}

function wholly(): void {
  since = due = undefined;
  release?.();
}
