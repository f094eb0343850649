import { setImmediate } from "node:timers";

/** How long runs may go on, in milliseconds, while the event loop does not turn. */
const longestMs = 40;

/** Since when a turn of the event loop is waited for; undefined: by nobody. */
let since: number | undefined;
/** Those who wait. */
const waiting: (() => void)[] = [];

/**
 * To be called before a model is asked or a tool is run: resolves when the event loop has turned, and is undefined where
 * there is no need to wait. Models and tools that wait for nothing but each other never let it turn by themselves: no
 * timer would fire then, no signal arrive, no server answer. All runs share one look-out. They go on one by one, so that
 * their readers are not given what hundreds of them say in one burst.
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
  return new Promise((resolve) => void waiting.push(resolve));
}

function turned(): void {
  // It may have been half a turn, without the timers.
  if (waiting.length > 0) setImmediate(wholly);
  else since = undefined;
}

function wholly(): void {
  since = undefined;
  for (const goOn of waiting.splice(0)) setImmediate(goOn);
}
