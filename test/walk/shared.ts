import type { Chooser } from "./chooser.ts";

/** What the worlds of a trace have in common: that of its run, and those of the runs inside. */
export class Shared {
  readonly chooser: Chooser;
  /** What is waiting until everything else stands still. */
  readonly gates: (() => void)[] = [];
  /** Arrivals that are left. */
  left: number;
  /** Grows whenever something happens. */
  happened = 0;

  constructor(chooser: Chooser, arrivals: number) {
    this.chooser = chooser;
    this.left = arrivals;
  }
}
