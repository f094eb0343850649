import { expect, test } from "vitest";
import { judge } from "./judge.ts";
import { judging, tuning } from "./requests.ts";

/** What was reached on the half that nothing was tuned on; it does not get worse. */
const reached = 40;

const [judged, tuned] = [await judge(judging), await judge(tuning)];

test("the table has a hundred requests, each in one half", () => {
  expect(judging).toHaveLength(50);
  expect(tuning).toHaveLength(50);
  expect(new Set([...judging, ...tuning].map(({ request }) => request)).size).toBe(100);
});

test("the half held out is answered as well as it was", () => {
  expect(judged.filter(({ right }) => right).length).toBeGreaterThanOrEqual(reached);
});

test("the other half is answered too", () => {
  expect(tuned.filter(({ right }) => right).length).toBeGreaterThanOrEqual(48);
});

const all = [...judged, ...tuned];
const named = (verdicts: typeof all) => verdicts.map((verdict) => [verdict.entry.request, verdict] as const);

test.each(named(all))("nothing is changed that nobody asked to change: %j", (_, { uncalledFor }) => {
  expect(uncalledFor).toEqual([]);
});

test.each(named(all.filter(({ entry }) => entry.steps.length === 0)))("nothing is picked: %j", (_, { calls }) => {
  expect(calls).toEqual([]);
});
