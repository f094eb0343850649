import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { expect, test } from "vitest";
import { makeHome } from "./config.fixture.ts";
import { withLock } from "./with-lock.ts";

test("a lock that somebody else has taken in the meantime is left", async () => {
  const lock = makeHome().at("lock");
  const theirs = `${process.pid} ${hostname()} theirs`;
  await withLock(lock, () => writeFileSync(lock, theirs));
  expect(readFileSync(lock, "utf8")).toBe(theirs);
});

test("of a lock from another machine nobody here knows whether it is left: it is waited for", async () => {
  const lock = makeHome().at("lock");
  // Of this number there is no process here.
  writeFileSync(lock, "4194999 elsewhere x");
  let done = false;
  const work = withLock(lock, () => {
    done = true;
  });
  // Longer than any try takes; what is waited for is that nothing comes.
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect([done, readFileSync(lock, "utf8")]).toEqual([false, "4194999 elsewhere x"]);
  writeFileSync(lock, `4194999 ${hostname()} x`);
  await work;
  expect(done).toBe(true);
});
