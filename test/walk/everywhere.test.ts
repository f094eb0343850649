import { expect, test } from "vitest";
import { everywhere } from "./setups.ts";
import { walk } from "./walk.ts";

test.each(everywhere)("one arrival at every single point: $name", { timeout: 3_600_000 }, async (setup) => {
  const traces = await walk(setup);
  console.log(`${setup.name}: ${traces} traces`);
  expect(traces).toBeGreaterThan(1);
});
