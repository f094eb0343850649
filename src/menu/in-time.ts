import { clearTimer, setTimer } from "./timer.ts";

/** What the work comes to, or what `late` says if that takes more than `ms` milliseconds: what it comes to then is dropped. */
export function inTime<T>(work: Promise<T>, ms: number, late: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimer(ms, () => resolve(late()));
    work.then(resolve, reject).finally(() => clearTimer(timer));
  });
}
