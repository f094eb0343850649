import { afterEach, beforeEach, expect } from "vitest";
import { sleep } from "./play.fixture.ts";

/** Every test of the file fails if something rejects and nobody hears it. */
export function expectNothingUnhandled(): void {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  beforeEach(() => {
    unhandled.length = 0;
    process.on("unhandledRejection", note);
  });
  afterEach(async () => {
    await sleep(5);
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });
}
