import { expect, test } from "vitest";
import { twoArrivals } from "./setups.ts";
import { walk } from "./walk.ts";

test.each(twoArrivals)("2 rounds, two arrivals: $name", { timeout: 3_600_000 }, async (setup) => {
  const traces = await walk(setup);
  console.log(`${setup.name}: ${traces} traces`);
  expect(traces).toBeGreaterThan(1);
});
