import { expect, test } from "vitest";
import { oneArrival } from "./setups.ts";
import { walk } from "./walk.ts";

test.each(oneArrival)("3 rounds, one arrival: $name", { timeout: 3_600_000 }, async (setup) => {
  const traces = await walk(setup);
  console.log(`${setup.name}: ${traces} traces`);
  expect(traces).toBeGreaterThan(1);
});
