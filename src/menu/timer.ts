import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Timers for waits that nearly always end before their time: setting and clearing one is a list insertion and removal,
 * where a timer of the platform for each tool call would cost more than the call.
 */
export type Timer = { due: number; fire: (() => void) | undefined; previous: Timer; next: Timer; list: List };

type List = { readonly ms: number; readonly head: Timer; armed: NodeJS.Timeout | undefined };

/** Timers serve the whole process: none of them may carry the ambient context of whoever came first. */
const outside = AsyncLocalStorage.snapshot();

const lists = new Map<number, List>();

function listOf(ms: number): List {
  let list = lists.get(ms);
  if (!list) {
    const head = { due: 0, fire: undefined } as unknown as Timer;
    head.previous = head.next = head;
    list = { ms, head, armed: undefined };
    lists.set(ms, list);
  }
  return list;
}

/** Calls `fire` once, `ms` milliseconds (at most 2^31 - 1) from now, unless cleared before. Keeps the process alive meanwhile. */
export function setTimer(ms: number, fire: () => void): Timer {
  const list = listOf(ms);
  const { head } = list;
  const timer: Timer = { due: performance.now() + ms, fire, previous: head.previous, next: head, list };
  head.previous.next = timer;
  head.previous = timer;
  if (list.armed === undefined) list.armed = outside(() => setTimeout(expire, ms, list));
  else if (head.next === timer) list.armed.ref();
  return timer;
}

export function clearTimer(timer: Timer): void {
  if (timer.fire === undefined) return;
  timer.fire = undefined;
  timer.previous.next = timer.next;
  timer.next.previous = timer.previous;
  const { list } = timer;
  if (list.head.next === list.head) list.armed?.unref();
}

function expire(list: List): void {
  list.armed = undefined;
  const now = performance.now();
  for (let first = list.head.next; first !== list.head && first.due <= now; first = list.head.next) {
    const { fire } = first;
    clearTimer(first);
    fire?.();
  }
  const first = list.head.next;
  if (first === list.head) lists.delete(list.ms);
  else list.armed ??= outside(() => setTimeout(expire, Math.max(1, first.due - performance.now()), list));
}
