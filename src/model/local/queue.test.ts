import { expect, test } from "vitest";
import { queue } from "./queue.ts";

test("who gives up lets nobody in before those in front are done", async () => {
  const turn = queue();
  const never = new AbortController().signal;
  const leave = await turn.enter(never);
  const gone = new AbortController();
  const second = turn.enter(gone.signal);
  let entered = false;
  const third = turn.enter(never).then((out) => {
    entered = true;
    return out;
  });
  gone.abort();
  expect(await second).toBeUndefined();
  await new Promise(setImmediate);
  expect(entered).toBe(false);
  leave?.();
  expect(await third).toBeTypeOf("function");
});
