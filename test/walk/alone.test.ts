import { expect, test } from "vitest";
import { alone } from "./setups.ts";
import { walk } from "./walk.ts";

test.each(alone)("5 rounds, nothing arrives: $name", { timeout: 3_600_000 }, async (setup) => {
  const traces = await walk(setup);
  console.log(`${setup.name}: ${traces} traces`);
  expect(traces).toBeGreaterThan(1);
});
