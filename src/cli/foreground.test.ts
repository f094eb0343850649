import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { groupsByPs, groupsInStat, inBackground } from "./foreground.ts";

test("it is in the background if its terminal belongs to another group", () => {
  expect(inBackground(() => ({ own: 7, front: 9 }))).toBe(true);
  expect(inBackground(() => ({ own: 7, front: 7 }))).toBe(false);
});

test("without a terminal, or where nobody tells, it is not", () => {
  expect(inBackground(() => ({ own: 7, front: -1 }))).toBe(false);
  expect(inBackground(() => ({ own: 7, front: 0 }))).toBe(false);
  expect(inBackground(() => undefined)).toBe(false);
});

test.runIf(process.platform === "linux" && spawnSync("ps", ["-p", "1"]).status === 0)(
  "the two ways to find it out say the same",
  () => {
    expect(groupsInStat()).toEqual({ own: expect.any(Number), front: expect.any(Number) });
    expect(groupsByPs()).toEqual(groupsInStat());
  },
);
