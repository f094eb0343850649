import { expect, test } from "vitest";
import { example } from "./example.fixture.ts";

test("the nested agent works, the message on the way is read, and all is told as it comes", async () => {
  const { code, stdout, stderr } = await example("trip");
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("climate {}: 17 lines");
  expect(stdout).toMatch(
    /newer message took the place.*of which 1 call.*routes \{\}: 9 lines.*Oslo,Bergen,train,6\.5,60/s,
  );
  expect(stdout).toMatch(/stop\n$/);
});
