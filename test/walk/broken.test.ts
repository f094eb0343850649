import { expect, test } from "vitest";
import { broken } from "./specials.ts";
import { walk } from "./walk.ts";

test.each(broken)("failing hosts and nested runs: $name", { timeout: 3_600_000 }, async (setup) => {
  const traces = await walk(setup);
  console.log(`${setup.name}: ${traces} traces`);
  expect(traces).toBeGreaterThan(1);
});
